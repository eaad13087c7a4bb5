import CGLib
import GLibKit
import GateCore

extension SessionClient {
  /// Sessions whose secret is in the Secret Service, or, where none answers, in a file.
  @MainActor
  public static func live(_ paths: AppPaths) -> SessionClient { live(paths, keyring: Keyring()) }

  @MainActor
  static func live(_ paths: AppPaths, keyring: Keyring) -> SessionClient {
    let file = SessionKeyFile(path: paths.sessionKey)
    return SessionClient(
      userName: { userName() },
      create: { () async throws(SessionFault) in try await create(keyring, file) },
      remove: { (store) async throws(SessionFault) in
        switch store {
        case .keyring: try await keyring.remove()
        case .file: try fileFaulting { () throws(FileFault) in try file.remove() }
        }
      },
      check: { store in
        switch store {
        case .keyring: await keyring.check()
        case .file: file.check()
        }
      })
  }

  private static func create(_ keyring: Keyring, _ file: SessionKeyFile) async throws(SessionFault) -> SecretStore {
    guard let secret = SessionSecret.make() else { throw .file(.other(code: 5)) }
    do throws(SessionFault) {
      try await keyring.store(secret)
      return .keyring
    } catch {
      switch error {
      // The user said no, or is asked again: a file behind their back is not what they want.
      case .keyringLocked, .cancelled, .file: throw error
      case .keyringUnavailable, .timedOut: break
      }
    }
    try fileFaulting { () throws(FileFault) in try file.store(secret) }
    return .file
  }

  private static func fileFaulting(_ body: () throws(FileFault) -> Void) throws(SessionFault) {
    do throws(FileFault) {
      try body()
    } catch {
      throw .file(error)
    }
  }

  /// The user's real name, or the login name where the user database has none.
  private static func userName() -> String {
    let real = g_get_real_name().map { String(cString: $0) } ?? ""
    // GLib's word for no name at all.
    if !real.isEmpty, real != "Unknown" { return real }
    return g_get_user_name().map { String(cString: $0) } ?? ""
  }
}
