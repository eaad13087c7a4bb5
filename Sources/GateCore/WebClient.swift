/// Calls off a request that is under way; nothing is heard of it then.
///
/// Harmless afterwards.
public typealias WebCancel = @MainActor () -> Void

/// The one way to a server.
///
/// Main thread.
///
/// The transport is not to be had without a permission: `send` is all that there is, and it asks first.
@MainActor
public struct WebClient {
  /// Sends a request that may be sent, and says once what came of it.
  public typealias Transport =
    @MainActor (_ request: WebRequest, _ done: @escaping @MainActor (Result<WebAnswer, WebFault>) -> Void) -> WebCancel

  private let transport: Transport

  /// Takes a transport, which is called with permission only; it says `done` in a later turn of the main loop.
  public init(transport: @escaping Transport) { self.transport = transport }

  /// Sends nothing: each request ends with `.notInstalled`.
  public static var none: WebClient {
    WebClient { _, done in
      done(.failure(.notInstalled))
      return {}
    }
  }

  /// Sends the request where the permission holds at this moment.
  ///
  /// `done` runs once: before this returns with `.notPermitted` or `.refusedAddress`, otherwise in a later turn of the
  /// main loop. After the returned closure was called it runs no more, and the request's process has been ended.
  @discardableResult
  public func send(
    _ request: WebRequest, with permission: WebPermission,
    done: @escaping @MainActor (Result<WebAnswer, WebFault>) -> Void
  ) -> WebCancel {
    guard permission.allows() else {
      done(.failure(.notPermitted))
      return {}
    }
    guard Address.isService(request.address) else {
      done(.failure(.refusedAddress))
      return {}
    }
    return transport(request, done)
  }
}
