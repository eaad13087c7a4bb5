import GLibKit
import GateCore

/// Reads the packager's settings, `app-gates.conf`.
public enum SecretsLoader {
  private static let group = "app-gates"

  /// The files that are there, the strongest first; one that cannot be used says why and sets nothing.
  ///
  /// A file may belong to the user or to root, and to nobody else: it names the address that Update opens.
  public static func load(_ paths: AppPaths) -> [SecretSource] {
    paths.secrets.compactMap { path in
      do throws(FileFault) {
        let file = try ConfigFile.read(path, group: group) { $0 == FileFacts.ourUser || $0 == 0 }
        return SecretSource(path: paths.display(path), values: file.texts(of: group), fault: nil)
      } catch {
        if error == .missing { return nil }
        return SecretSource(path: paths.display(path), values: [:], fault: error)
      }
    }
  }
}
