import GLibKit

/// The one look-up for files of ours: css, legal texts, icons, the PAM helper, translations.
///
/// They are found from where the running program lies, and from nothing else: no variable, argument or working folder
/// leads elsewhere. Installed as `PREFIX/bin/app-gates`, the files are below `PREFIX/share` and `PREFIX/libexec`; built
/// in a checkout, they are in its `data/`, and the helper beside the program.
public struct DataFiles: Hashable, Sendable {
  /// How the program came here.
  public enum Place: Hashable, Sendable {
    /// Below a prefix such as `/usr`.
    case installed(prefix: String)
    /// In a checkout with this root.
    case checkout(root: String)
    /// Neither; the files beside the program are tried.
    case unknown
  }

  /// How the program came here.
  public let place: Place
  /// What starts the program anew: its name where it is installed, otherwise where it lies.
  public let program: String
  /// What starts the program again from within: where it lies, or this very program where nothing lies there any more.
  public let running: String
  private let folder: String

  /// Looks around from the running program.
  public init() {
    var program = Files.linkTarget("/proc/self/exe") ?? ""
    // The kernel's words when an upgrade has replaced the program while it runs; the new files lie where the old did.
    let replaced = " (deleted)"
    if program.hasSuffix(replaced) { program.removeLast(replaced.count) }
    self.init(program: program)
  }

  /// Looks around from a program's real path; for tests.
  init(program: String) {
    folder = Files.folder(of: program)
    running = Files.isExecutable(program) ? program : "/proc/self/exe"
    let above = Files.folder(of: folder)
    if folder.hasSuffix("/bin"), Files.exists(above + "/share/app-gates") {
      place = .installed(prefix: above)
    } else if let root = DataFiles.checkout(above: folder) {
      place = .checkout(root: root)
    } else {
      place = .unknown
    }
    if case .installed = place { self.program = "app-gates" } else { self.program = program }
  }

  /// A file of ours by its name below `share/app-gates` or `data`, such as `legal/terms.md`.
  public func path(_ name: String) -> String {
    switch place {
    case .installed(let prefix): "\(prefix)/share/app-gates/\(name)"
    case .checkout(let root): "\(root)/data/\(name)"
    case .unknown: "\(folder)/\(name)"
    }
  }

  /// The folder of icon themes, for GTK's search path.
  public var icons: String {
    switch place {
    case .installed(let prefix): "\(prefix)/share/icons"
    case .checkout, .unknown: path("icons")
    }
  }

  /// The folder of compiled translations.
  public var translations: String {
    switch place {
    case .installed(let prefix): "\(prefix)/share/locale"
    case .checkout(let root): "\(root)/.build/locale"
    case .unknown: "\(folder)/locale"
    }
  }

  /// The PAM helper.
  public var helper: String { beside("app-gates-auth") }

  /// The program that sends requests.
  public var web: String { beside("app-gates-web") }

  private func beside(_ program: String) -> String {
    switch place {
    case .installed(let prefix): "\(prefix)/libexec/app-gates/\(program)"
    case .checkout, .unknown: "\(folder)/\(program)"
    }
  }

  /// Goes up from a build folder to the root that has both the manifest and our data.
  private static func checkout(above folder: String) -> String? {
    var folder = folder
    for _ in 0..<6 where folder != "/" {
      folder = Files.folder(of: folder)
      if Files.exists(folder + "/Package.swift"), Files.exists(folder + "/data/pam.d") { return folder }
    }
    #if DEBUG
      // A debug build may have its build folder elsewhere; its sources tell where the checkout is.
      let source = Files.folder(of: Files.folder(of: Files.folder(of: #filePath)))
      if Files.exists(source + "/Package.swift") { return source }
    #endif
    return nil
  }
}
