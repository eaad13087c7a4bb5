/// Keeps a provider's session alive: gives its renewal the secret, and what is renewed back into the secret's store.
///
/// Main thread. A session of this computer needs none of it.
@MainActor
final class SessionUpkeep {
  /// The session of the moment.
  var session: @MainActor () -> Session? = { nil }
  /// Hears that the connection to the provider has changed.
  var changed: @MainActor () -> Void = {}
  /// Hears in which store the secret was put.
  var stored: @MainActor (SecretStore) -> Void = { _ in }
  /// Hears that the provider has ended the session.
  var ended: @MainActor (OpenIDFault, Session) -> Void = { _, _ in }

  private let client: SessionClient
  private let preferences: AppPreferences
  private let clock: Clock
  private let services: SignInServices?
  private let queue: SecretQueue
  private var renewal: OpenIDRenewal?
  private var isUnlocked = false
  /// While it is, nothing is renewed, and what was renewed is not stored.
  private var isHeld = false

  /// Takes what is asked, and the queue of what is done with the secret.
  init(
    client: SessionClient, preferences: AppPreferences, clock: Clock, services: SignInServices?, queue: SecretQueue
  ) {
    self.client = client
    self.preferences = preferences
    self.clock = clock
    self.services = services
    self.queue = queue
  }

  isolated deinit { renewal?.stop() }

  /// How the session stands towards its provider.
  var connection: SessionConnection { renewal?.connection ?? .none }

  /// The session's tokens, where this run knows them.
  var tokens: OpenIDTokens? { renewal?.tokens }

  /// Takes up a session, with tokens that are fresh or those of an earlier run, which are read when they are needed.
  func begin(_ session: Session, fresh tokens: OpenIDTokens?) {
    guard case .openID(let account) = session.account, let services else { return }
    let renewal = OpenIDRenewal(
      account, fresh: tokens, provider: services.provider, client: services.client, web: services.web,
      preferences: preferences, clock: clock, store: secret(of: session),
      changed: { [weak self] in self?.changed() }
    ) { [weak self] in self?.ended($0, session) }
    self.renewal = renewal
    permit()
  }

  /// The session is over: nothing is asked, and nothing is heard of what was.
  func stop() {
    renewal?.stop()
    renewal = nil
  }

  /// Hears whether the app is unlocked: tokens are renewed only while it is.
  func setUnlocked(_ isUnlocked: Bool) {
    self.isUnlocked = isUnlocked
    permit()
  }

  /// Renews nothing while the secret is being removed, and goes on where that was called off: what is renewed then
  /// would be written behind the removal.
  func hold(_ isHeld: Bool) {
    self.isHeld = isHeld
    permit()
  }

  /// What had to wait for the store goes on.
  func storeIsThere() { renewal?.storeIsThere() }

  /// Tries at once to renew the tokens, where that is due.
  func hurry() { renewal?.hurry() }

  /// Brings a renewal that is under way to its end and begins none any more; calls `done` then.
  func finish(_ done: @escaping @MainActor () -> Void) {
    guard let renewal else { return done() }
    renewal.finish(done)
  }

  private func permit() { renewal?.setUnlocked(isUnlocked && !isHeld) }

  private func secret(of session: Session) -> RenewalStore {
    RenewalStore(
      read: { [queue, client, weak self] in
        await queue.run { await client.read(self?.session()?.store ?? session.store) }
      },
      replace: { [queue, weak self] secret in await queue.run { await self?.replace(secret, of: session) ?? false } })
  }

  private func replace(_ secret: SessionSecret, of session: Session) async -> Bool {
    // Signed out meanwhile: a secret that was removed must not come back.
    guard !isHeld, let now = self.session(), now.account == session.account, now.started == session.started else {
      return false
    }
    do throws(SessionFault) {
      stored(try await client.replace(secret, now.store))
      return true
    } catch {
      return false
    }
  }
}
