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

  /// Removes what lies open under a schema.
  ///
  /// One item after the other: `secret_service_clear` answers twice where one of its calls fails (libsecret 0.20.5).
  func clear(_ schema: String) async throws(SessionFault) {
    for item in try await found(schema) where !item.isLocked {
      _ = try await libsecret(deadline) { call in
        secret_item_delete(item.object.cast(), call.cancellable, call.ready, call.box)
      } finish: { (result) throws(GLibError) in
        try GLibError.check { secret_item_delete_finish(item.object.cast(), result, $0) } != 0
      }
    }
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
