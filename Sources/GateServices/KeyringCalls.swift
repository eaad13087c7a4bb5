import CSecret
import GLibKit
import GateCore

/// The calls of libsecret, each with its deadline.
extension Keyring {
  /// An item that a search has found, with its secret where that could be read.
  struct Found: Sendable {
    /// The `SecretItem`.
    let object: Object
    let isLocked: Bool
    let modified: UInt64
    let value: [UInt8]?
  }

  /// What the secret under a schema says; where there are several, the one that was written last.
  func value(of schema: String) async throws(SessionFault) -> SecretReading {
    let all = try await found(schema)
    guard let item = all.filter({ !$0.isLocked }).max(by: { $0.modified < $1.modified }) else {
      return all.isEmpty ? .absent : .locked
    }
    guard let value = item.value, let secret = SessionSecret(line: String(decoding: value, as: UTF8.self)) else {
      return .unreadable
    }
    return .present(secret)
  }

  /// All items under a schema, with the secrets of those that are open; never prompts.
  func found(_ schema: String) async throws(SessionFault) -> [Found] {
    let identity = SecretIdentity(schema: schema)
    let flags = SecretSearchFlags(SECRET_SEARCH_ALL.rawValue | SECRET_SEARCH_LOAD_SECRETS.rawValue)
    return try await libsecret(deadline) { call in
      secret_service_search(
        nil, identity.schema, identity.attributes, flags, call.cancellable, call.ready, call.box)
    } finish: { (result) throws(GLibError) in
      let list = try GLibError.check { secret_service_search_finish(nil, result, $0) }
      return taken(list).map { Found($0) }
    }
  }

  /// Writes a secret into the default keyring, in place of an older one.
  func write(_ secret: SessionSecret, _ limit: Int64) async throws(SessionFault) {
    let identity = SecretIdentity(schema: Keyring.schema)
    let box = SecretBox(secret.line)
    let isStored = try await libsecret(limit) { call in
      secret_service_store(
        nil, identity.schema, identity.attributes, SECRET_COLLECTION_DEFAULT, tr("App Gates session"), box.raw,
        call.cancellable, call.ready, call.box)
    } finish: { (result) throws(GLibError) in
      try GLibError.check { secret_service_store_finish(nil, result, $0) } != 0
    }
    if !isStored { throw .keyringRefused }
  }

  /// Removes what lies under a schema, as far as it is open or the user opens it.
  func clear(_ schema: String, _ limit: Int64) async throws(SessionFault) {
    let identity = SecretIdentity(schema: schema)
    _ = try await libsecret(limit) { call in
      secret_service_clear(nil, identity.schema, identity.attributes, call.cancellable, call.ready, call.box)
    } finish: { (result) throws(GLibError) in
      try GLibError.check { secret_service_clear_finish(nil, result, $0) } != 0
    }
  }

  /// The keyrings with these paths, as libsecret's objects.
  func keyrings(at paths: [String]) async throws(SessionFault) -> [Object] {
    try await libsecret(deadline) { call in
      secret_service_get(SECRET_SERVICE_LOAD_COLLECTIONS, call.cancellable, call.ready, call.box)
    } finish: { (result) throws(GLibError) in
      let service = try GLibError.check { secret_service_get_finish(result, $0) }
      defer { g_object_unref(service) }
      return taken(secret_service_get_collections(service)).filter { keyring in
        let path = g_dbus_proxy_get_object_path(keyring.cast()).map { String(cString: $0) }
        return path.map(paths.contains) == true
      }
    }
  }

  /// Puts up the keyring's own prompt for items or keyrings; throws `.keyringLocked` where the user turns it down.
  func open(_ objects: [Object]) async throws(SessionFault) {
    guard !objects.isEmpty else { return }
    var list: UnsafeMutablePointer<GList>?
    for object in objects { list = g_list_prepend(list, object.raw) }
    defer { g_list_free(list) }
    let opened: Int
    do throws(SessionFault) {
      opened = try await libsecret(promptDeadline) { call in
        secret_service_unlock(nil, list, call.cancellable, call.ready, call.box)
      } finish: { (result) throws(GLibError) in
        Int(try GLibError.check { secret_service_unlock_finish(nil, result, nil, $0) })
      }
    } catch {
      if Task.isCancelled { throw .cancelled }
      throw error == .keyringRefused ? .keyringLocked : error
    }
    // The references MUST last as long as the list.
    let wanted = withExtendedLifetime(objects) { objects.count }
    if opened < wanted { throw .keyringLocked }
  }

  private typealias Call = (
    cancellable: UnsafeMutablePointer<GCancellable>, ready: GAsyncReadyCallback, box: UnsafeMutableRawPointer
  )

  private func libsecret<Value: Sendable>(
    _ limit: Int64, _ begin: (Call) -> Void, finish: @escaping AsyncCall<Value>.Finish
  ) async throws(SessionFault) -> Value {
    do throws(CallFault) {
      return try await AsyncCall<Value>.run(atMost: limit, { begin(($0, $1, $2)) }, finish: finish)
    } catch {
      throw SessionFault(error)
    }
  }
}

/// The objects of a list, which comes with its references.
@MainActor
private func taken(_ list: UnsafeMutablePointer<GList>?) -> [Object] {
  var objects: [Object] = []
  var link = list
  while let here = link {
    if let data = here.pointee.data { objects.append(Object(owning: data)) }
    link = here.pointee.next
  }
  g_list_free(list)
  return objects
}

extension Keyring.Found {
  @MainActor
  fileprivate init(_ item: Object) {
    object = item
    isLocked = secret_item_get_locked(item.cast()) != 0
    modified = UInt64(secret_item_get_modified(item.cast()))
    guard let secret = secret_item_get_secret(item.cast()) else {
      value = nil
      return
    }
    var count: gsize = 0
    let bytes = secret_value_get(secret, &count)
    value = bytes.map {
      $0.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
        [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count)))
      }
    }
    secret_value_unref(UnsafeMutableRawPointer(secret))
  }
}
