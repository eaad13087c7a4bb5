import CSecret
import GLibKit
import GateCore

/// The session's secret in the Secret Service.
///
/// Whether it is locked or holds our secret is asked over D-Bus, where "locked" and "absent" are told apart; writing
/// and removing goes through libsecret, which encrypts on the way and puts up the keyring's own prompt. Main thread
/// only, and never blocks it.
@MainActor
struct Keyring {
  static let service = "org.freedesktop.secrets"
  private static let root = "/org/freedesktop/secrets"
  private static let schemaName = "io.github.appgates.Session"

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
    let answer = try await ask("ReadAlias", Variant(tuple: [Variant("default")]))
    guard let path = answer[0]?.text, path != "/" else { return .none }
    return try await isLocked(path) ? .locked : .open
  }

  /// Looks for our secret.
  ///
  /// Absent is said only where all keyrings are open and none has it.
  func check() async -> SecretPresence {
    do throws(SessionFault) {
      guard let attributes = Variant(parsing: "{'app': 'app-gates', 'xdg:schema': '\(Self.schemaName)'}") else {
        return .unavailable
      }
      let found = try await ask("SearchItems", Variant(tuple: [attributes]))
      if found[0]?.children.isEmpty == false { return .present }
      if found[1]?.children.isEmpty == false { return .locked }
      for keyring in try await keyrings() where try await isLocked(keyring) { return .locked }
      return .absent
    } catch {
      return .unavailable
    }
  }

  /// Stores the secret in the default keyring, in place of an older one; prompts where that is locked.
  ///
  /// Throws `.keyringLocked` where the user leaves it locked, `.keyringUnavailable` where there is no keyring and none
  /// is made, `.timedOut` where an open one does not answer.
  func store(_ secret: String) async throws(SessionFault) {
    let standing = try await standing()
    let box = SecretBox(secret)
    do throws(SessionFault) {
      let stored = try await libsecret(standing == .open ? deadline : promptDeadline) { identity, call in
        secret_service_store(
          nil, identity.schema, identity.attributes, SECRET_COLLECTION_DEFAULT, tr("App Gates session"), box.raw,
          call.cancellable, call.ready, call.box)
      } finish: { (result) throws(GLibError) in
        try GLibError.check { secret_service_store_finish(nil, result, $0) } != 0
      }
      if !stored { throw .keyringUnavailable }
    } catch {
      if Task.isCancelled { throw .cancelled }
      switch standing {
      case .open: throw error
      // A prompt that was turned down comes as one of several errors.
      case .locked: throw .keyringLocked
      case .none: throw .keyringUnavailable
      }
    }
  }

  /// Removes the secret; none there is no error.
  ///
  /// Prompts where the keyring that holds it is locked.
  func remove() async throws(SessionFault) {
    let presence = await check()
    switch presence {
    case .absent: return
    case .unavailable: throw .keyringUnavailable
    case .present, .locked: break
    }
    _ = try await libsecret(presence == .locked ? promptDeadline : deadline) { identity, call in
      secret_service_clear(nil, identity.schema, identity.attributes, call.cancellable, call.ready, call.box)
    } finish: { (result) throws(GLibError) in
      try GLibError.check { secret_service_clear_finish(nil, result, $0) } != 0
    }
    // libsecret passes over what is still locked, and calls that success.
    switch await check() {
    case .absent: return
    case .present, .locked: throw .keyringLocked
    case .unavailable: throw .keyringUnavailable
    }
  }

  private func keyrings() async throws(SessionFault) -> [String] {
    let answer = try await property("org.freedesktop.Secret.Service", "Collections", of: Self.root)
    return answer.children.compactMap(\.text)
  }

  private func isLocked(_ keyring: String) async throws(SessionFault) -> Bool {
    try await property("org.freedesktop.Secret.Collection", "Locked", of: keyring).bool ?? true
  }

  private func property(_ interface: String, _ name: String, of path: String) async throws(SessionFault) -> Variant {
    let arguments = Variant(tuple: [Variant(interface), Variant(name)])
    let answer = try await ask("Get", arguments, on: path, "org.freedesktop.DBus.Properties")
    guard let value = answer[0]?[0] else { throw .keyringUnavailable }
    return value
  }

  private func ask(
    _ method: String, _ arguments: Variant, on path: String = Keyring.root,
    _ interface: String = "org.freedesktop.Secret.Service"
  ) async throws(SessionFault) -> Variant {
    let call = DBusCall(
      .session, service: Self.service, path: path, interface: interface, method: method, arguments: arguments)
    do throws(CallFault) {
      return try await call.send(atMost: deadline)
    } catch {
      throw SessionFault(error)
    }
  }

  private typealias Call = (
    cancellable: UnsafeMutablePointer<GCancellable>, ready: GAsyncReadyCallback, box: UnsafeMutableRawPointer
  )

  private func libsecret(
    _ limit: Int64, _ begin: (SecretIdentity, Call) -> Void, finish: @escaping AsyncCall<Bool>.Finish
  ) async throws(SessionFault) -> Bool {
    let identity = SecretIdentity(schema: Self.schemaName, attribute: ("app", "app-gates"))
    do throws(CallFault) {
      return try await AsyncCall<Bool>.run(atMost: limit, { begin(identity, ($0, $1, $2)) }, finish: finish)
    } catch {
      throw SessionFault(error)
    }
  }
}

extension SessionFault {
  /// The fault behind a call to the Secret Service.
  init(_ fault: CallFault) {
    switch fault {
    case .timedOut: self = .timedOut
    case .cancelled: self = .cancelled
    case .failed(let error):
      let locked = error.matches(secret_error_get_quark(), Int32(bitPattern: SECRET_ERROR_IS_LOCKED.rawValue))
      self = locked ? .keyringLocked : .keyringUnavailable
    }
  }
}
