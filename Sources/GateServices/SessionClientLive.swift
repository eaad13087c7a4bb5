import CGLib
import GLibKit
import GateCore

extension SessionClient {
  /// Sessions whose secret is in the Secret Service, or, where there is none, in a file.
  @MainActor
  public static func live(_ paths: AppPaths) -> SessionClient { live(paths, keyring: Keyring()) }

  @MainActor
  static func live(_ paths: AppPaths, keyring: Keyring) -> SessionClient {
    let file = SessionKeyFile(path: paths.sessionKey)
    return SessionClient(
      userName: { userName() },
      makeSecret: { Random.hex(32).flatMap(SessionSecret.init(line:)) },
      store: { (secret) async throws(SessionFault) in
        try await orInFile(secret, file) { () async throws(SessionFault) in try await keyring.store(secret) }
      },
      read: { store in
        switch store {
        case .keyring: await keyring.read()
        case .file: file.read()
        }
      },
      unlock: { () async throws(SessionFault) in try await keyring.unlock() },
      replace: { (secret, store) async throws(SessionFault) in
        try await orInFile(secret, file) { () async throws(SessionFault) in
          if store == .file { throw .keyringUnavailable }
          try await keyring.storeSilently(secret)
        }
      },
      remove: { (store) async throws(SessionFault) in
        switch store {
        case .keyring: try await keyring.remove()
        case .file: try fileFaulting { () throws(FileFault) in try file.remove() }
        }
      },
      moveToKeyring: { () async throws(SessionFault) in
        guard case .present(let secret) = file.read() else { return false }
        do throws(SessionFault) {
          try await keyring.storeSilently(secret)
          return true
        } catch {
          if error == .keyringUnavailable || error == .keyringLocked { return false }
          throw error
        }
      },
      follow: { changed in
        // That something in a keyring changed is no news; a lock is.
        DBusWatch(
          .session, service: Keyring.service,
          [
            DBusMatch(
              interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
              firstArgument: Keyring.collection)
          ],
          present: { _ in changed() },
          heard: { if $0.arguments[1]?.value(of: "Locked") != nil { changed() } })
      })
  }

  /// Stores a secret in the file where the bus says that there is no Secret Service, and only then.
  ///
  /// One that is locked, refuses or is frozen has to be dealt with: a file behind the user's back is not what they want.
  @MainActor
  private static func orInFile(
    _ secret: SessionSecret, _ file: SessionKeyFile,
    _ inKeyring: @MainActor () async throws(SessionFault) -> Void
  ) async throws(SessionFault) -> SecretStore {
    do throws(SessionFault) {
      try await inKeyring()
      return .keyring
    } catch {
      guard error == .keyringUnavailable else { throw error }
    }
    if Task.isCancelled { throw .cancelled }
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
