/// Does what the end of a session asks for: its secret is removed, and its provider told to forget it.
///
/// Main thread. Nobody waits for the provider, but whoever deletes everything.
@MainActor
final class SessionEnd {
  private let client: SessionClient
  private let services: SignInServices?
  private let queue: SecretQueue
  private let leftover: SessionLeftover
  private let bus: AppErrorBus
  private let revocations = OpenIDRevocations()
  /// Whether everything is to be deleted, and the tokens of the secret that was removed for that.
  private var isErasing = false
  private var erased: OpenIDTokens?
  /// The limit of the provider's answer to that.
  private var limit: AnyObject?

  /// Takes what is asked, and the queue of what is done with the secret.
  init(
    client: SessionClient, services: SignInServices?, queue: SecretQueue, leftover: SessionLeftover, bus: AppErrorBus
  ) {
    self.client = client
    self.services = services
    self.queue = queue
    self.leftover = leftover
    self.bus = bus
  }

  /// Removes the secret of a session that was signed out of, and tells its provider, in the background.
  ///
  /// `tokens` are those of the secret, where they are known already. `notTold` says why the provider could not be told;
  /// nothing, where there were no tokens to tell it with.
  func signOut(
    of session: Session, with tokens: OpenIDTokens?, notTold: @escaping @MainActor (OpenIDFault?) -> Void
  ) {
    // The click is what permits it, now and not when the keyring has answered.
    let permission = WebPermission.click()
    queue.add(asks: true) { [client, bus, leftover, weak self] in
      var last = tokens
      do throws(SessionFault) {
        if last == nil { last = try await SessionEnd.tokens(of: session, client) }
        // The one that is on record may ask; what the other may have is removed without a word.
        if session.store == .keyring { try await client.remove(.keyring) }
        if let fault = await leftover.look() { throw fault }
      } catch {
        bus.post(.sessionNotRemoved(error))
      }
      if let last {
        self?.revoke(last, with: permission, notTold: notTold)
      } else if session.account != .local {
        notTold(nil)
      }
    }
  }

  /// The tokens in a session's store, before they are removed from it; the user is asked to unlock it where need be.
  private static func tokens(of session: Session, _ client: SessionClient) async throws(SessionFault) -> OpenIDTokens? {
    guard session.account != .local else { return nil }
    var reading = await client.read(session.store)
    // Asked for at the removal anyway, and the provider is to forget what is behind it.
    if reading == .locked {
      try await client.unlock()
      reading = await client.read(session.store)
    }
    guard case .present(let secret) = reading else { return nil }
    return OpenIDTokens(secret)
  }

  /// Tells the provider to forget tokens; `notTold` says why that failed.
  func revoke(
    _ tokens: OpenIDTokens, with permission: WebPermission, notTold: @escaping @MainActor (OpenIDFault) -> Void
  ) {
    guard let services, let provider = services.provider, tokens.isOf(provider) else { return }
    revocations.send(tokens, with: permission, through: services) { fault in
      if let fault { notTold(fault) }
    }
  }

  // MARK: Where everything is deleted

  /// Keeps the tokens of a session whose secret is about to be removed; `tokens` are those that are known already.
  ///
  /// Throws where the user does not unlock the store, which the removal would ask for once more.
  func prepareErasing(of session: Session?, with tokens: OpenIDTokens?) async throws(SessionFault) {
    isErasing = true
    guard let session, tokens == nil else { return }
    // At a second try the secret may have gone already, and what it held is still to be told.
    if let found = try await SessionEnd.tokens(of: session, client) { erased = found }
  }

  /// The secret could not be removed, and the session goes on; or another has begun since.
  func callOffErasing() {
    isErasing = false
    erased = nil
  }

  /// Tells the provider to forget a session whose secret was removed; calls `done` when it has answered, after five
  /// seconds without an answer, or at once where there is nothing to tell.
  func revokeErased(with tokens: OpenIDTokens?, _ done: @escaping @MainActor () -> Void) {
    guard isErasing, let tokens = tokens ?? erased, let services, let provider = services.provider,
      tokens.isOf(provider), tokens.revocationRequest != nil
    else { return done() }
    var isOver = false
    let end: @MainActor () -> Void = { [weak self] in
      guard !isOver else { return }
      isOver = true
      self?.limit = nil
      done()
    }
    limit = services.client.schedule(5000, end)
    revocations.send(tokens, with: .click(), through: services) { _ in end() }
  }
}
