import CSecret
import GLibKit
import GateCore

/// The session's secret in the Secret Service.
///
/// Whether it is locked or holds our secret is asked over D-Bus, where "locked" and "absent" are told apart; the secret
/// itself goes through libsecret, which encrypts on the way. Main thread only, and never blocks it. Nothing is done a
/// second time by itself.
@MainActor
struct Keyring {
  static let service = "org.freedesktop.secrets"
  static let collection = "org.freedesktop.Secret.Collection"
  private static let root = "/org/freedesktop/secrets"
  /// Named after the application id, as libsecret wants it; and the name that earlier versions gave.
  static let schema = "io.github.appgates.AppGates.Session"
  static let formerSchema = "io.github.appgates.Session"

  /// How long the service may take, in milliseconds.
  var deadline: Int64 = 5_000
  /// The same where it asks the user something.
  var promptDeadline: Int64 = 60_000

  /// Where the keyring that new secrets go into stands.
  enum Standing: Hashable {
    case open
    /// The user has to unlock it.
    case locked
    /// There is none yet; the service makes one and asks for its password.
    case none
  }

  /// Looks at the keyring for new secrets.
  func standing() async throws(SessionFault) -> Standing {
    guard let path = try await defaultPath() else { return .none }
    return try await isLocked(path) ? .locked : .open
  }

  /// Asks for our secret; never prompts.
  ///
  /// Absent is said only where there is a keyring for new secrets, and all keyrings are open and none has it: a service
  /// that lists none has not opened its files yet, or cannot read them. One that lies under the schema's former name is
  /// moved to the present one; where that fails it stays, and is found again.
  func read() async -> SecretReading {
    do throws(SessionFault) {
      switch try await look(Self.schema) {
      case .open: return try await value(of: Self.schema)
      case .locked: return .locked
      case .nothing: break
      }
      switch try await look(Self.formerSchema) {
      case .open:
        let reading = try await value(of: Self.formerSchema)
        if case .present(let secret) = reading { try? await rename(secret) }
        return reading
      case .locked: return .locked
      case .nothing: break
      }
      guard try await defaultPath() != nil, try await !keyrings().isEmpty else { return .locked }
      return try await lockedKeyrings().isEmpty ? .absent : .locked
    } catch {
      return SecretReading(error)
    }
  }

  /// Stores the secret in the default keyring, in place of an older one; prompts where that is locked.
  ///
  /// Throws `.keyringLocked` where the user leaves it locked or makes no keyring.
  func store(_ secret: SessionSecret) async throws(SessionFault) {
    let standing = try await standing()
    if standing == .locked { try await unlock() }
    do throws(SessionFault) {
      try await write(secret, standing == .none ? promptDeadline : deadline)
    } catch {
      if Task.isCancelled { throw .cancelled }
      // A prompt that was turned down comes as one of several errors.
      throw standing == .none && error == .keyringRefused ? .keyringLocked : error
    }
  }

  /// The same where it takes no prompt; throws `.keyringLocked` where it would.
  ///
  /// Returns only when the keyring was read and has that secret.
  func storeSilently(_ secret: SessionSecret) async throws(SessionFault) {
    guard try await standing() == .open else { throw .keyringLocked }
    try await write(secret, deadline)
    guard try await look(Self.schema) == .open, try await value(of: Self.schema) == .present(secret) else {
      throw .keyringRefused
    }
  }

  /// Lets the user open what is locked: the keyring that has our secret, otherwise the one for new secrets, otherwise
  /// the rest.
  ///
  /// Returns when nothing of that is locked; throws `.keyringLocked` where the user leaves it so, and where there is
  /// none that could be asked for.
  func unlock() async throws(SessionFault) {
    for name in [Self.schema, Self.formerSchema] {
      let items = try await search(name).locked
      if !items.isEmpty { return try await open(items) }
    }
    var locked = try await lockedKeyrings()
    let path = try await defaultPath()
    guard !locked.isEmpty else {
      if path == nil { throw .keyringLocked }
      return
    }
    if let path, locked.contains(path) { locked = [path] }
    try await open(locked)
  }

  /// Opens items or keyrings by their paths; throws `.keyringLocked` where the user turns that down.
  private func open(_ paths: [String]) async throws(SessionFault) {
    let list = paths.map { "objectpath '\($0)'" }.joined(separator: ", ")
    // Paths hold nothing that could end the text: the bus has checked them.
    guard let arguments = Variant(parsing: "([\(list)],)"),
      let prompt = try await ask("Unlock", arguments, answer: "(aoo)")[1]?.text
    else { throw .keyringRefused }
    if prompt != "/", try await !KeyringPrompt.answer(prompt, atMost: promptDeadline, signs: deadline) {
      throw .keyringLocked
    }
  }

  /// Removes the secret; none there is no error.
  ///
  /// Prompts where the keyring that holds it is locked; throws `.keyringLocked` where the service shows no keyring at
  /// all, since it may be in one that is not opened.
  func remove() async throws(SessionFault) {
    // Our secrets go into the default keyring: while that is locked, nothing that was found means nothing.
    if try await standing() == .locked { try await unlock() }
    guard try await !keyrings().isEmpty else { throw .keyringLocked }
    for name in [Self.schema, Self.formerSchema] {
      if try await look(name) == .locked { try await unlock() }
      guard try await look(name) != .nothing else { continue }
      try await clear(name)
      switch try await look(name) {
      case .nothing: break
      case .locked: throw .keyringLocked
      case .open: throw .keyringRefused
      }
    }
  }

  private func rename(_ secret: SessionSecret) async throws(SessionFault) {
    try await storeSilently(secret)
    try await clear(Self.formerSchema)
  }

  private enum Look: Hashable {
    case open
    case locked
    case nothing
  }

  private func look(_ schema: String) async throws(SessionFault) -> Look {
    let found = try await search(schema)
    if !found.open.isEmpty { return .open }
    return found.locked.isEmpty ? .nothing : .locked
  }

  /// The paths of our items: those that are open, and those that are locked.
  private func search(_ schema: String) async throws(SessionFault) -> (open: [String], locked: [String]) {
    guard let attributes = Variant(parsing: "{'app': 'app-gates', 'xdg:schema': '\(schema)'}") else {
      throw .keyringRefused
    }
    let found = try await ask("SearchItems", Variant(tuple: [attributes]), answer: "(aoao)")
    let paths = found.children.map { $0.children.compactMap(\.text) }
    return (paths[0], paths[1])
  }

  private func defaultPath() async throws(SessionFault) -> String? {
    let path = try await ask("ReadAlias", Variant(tuple: [Variant("default")]), answer: "(o)")[0]?.text
    return path == "/" ? nil : path
  }

  private func keyrings() async throws(SessionFault) -> [String] {
    let all = try await property("org.freedesktop.Secret.Service", "Collections", of: Self.root)
    guard all.type == "ao" else { throw .keyringRefused }
    return all.children.compactMap(\.text)
  }

  private func lockedKeyrings() async throws(SessionFault) -> [String] {
    var locked: [String] = []
    for keyring in try await keyrings() where try await isLocked(keyring) { locked.append(keyring) }
    return locked
  }

  private func isLocked(_ keyring: String) async throws(SessionFault) -> Bool {
    try await property(Self.collection, "Locked", of: keyring).bool ?? true
  }

  private func property(_ interface: String, _ name: String, of path: String) async throws(SessionFault) -> Variant {
    let arguments = Variant(tuple: [Variant(interface), Variant(name)])
    let answer = try await ask("Get", arguments, on: path, "org.freedesktop.DBus.Properties", answer: "(v)")
    guard let value = answer[0]?[0] else { throw .keyringRefused }
    return value
  }

  /// Calls a method; an answer of another type than the specification's says nothing, and is a refusal.
  private func ask(
    _ method: String, _ arguments: Variant, on path: String = Keyring.root,
    _ interface: String = "org.freedesktop.Secret.Service", answer type: String
  ) async throws(SessionFault) -> Variant {
    let call = DBusCall(
      .session, service: Self.service, path: path, interface: interface, method: method, arguments: arguments)
    let answer: Variant
    do throws(CallFault) {
      answer = try await call.send(atMost: deadline)
    } catch {
      throw SessionFault(error)
    }
    guard answer.type == type else { throw .keyringRefused }
    return answer
  }
}

extension SessionFault {
  /// The fault behind a call to the Secret Service.
  ///
  /// A service that ends in the middle of a call refuses: that there is none, only the bus says.
  init(_ fault: CallFault) {
    switch fault {
    case .timedOut: self = .timedOut
    case .cancelled: self = .cancelled
    case .failed(let error):
      if error.matches(secret_error_get_quark(), Int32(bitPattern: SECRET_ERROR_IS_LOCKED.rawValue)) {
        self = .keyringLocked
      } else if DBusCall.isNobody(error) || error.isNoBus {
        self = .keyringUnavailable
      } else {
        self = .keyringRefused
      }
    }
  }
}

extension SecretReading {
  /// What a question that failed says of the secret.
  init(_ fault: SessionFault) {
    self =
      switch fault {
      case .keyringLocked: .locked
      case .keyringRefused, .file: .refused
      case .keyringUnavailable: .noService
      case .timedOut: .frozen
      case .secretGone: .absent
      case .cancelled: .cancelled
      }
  }
}

extension GLibError {
  /// Whether the bus itself could not be reached.
  fileprivate var isNoBus: Bool {
    !isDBus && domain != String(cString: g_quark_to_string(secret_error_get_quark()))
  }
}
