import GateCore
import GLibKit
import GtkKit

/// Shows the sign-in until there is a session, then the main shell.
public struct AuthGate: Gate {
  /// What a session opens.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the gate, and gives the session to the screens within as `AuthController`.
  public func mount(in context: GateContext) -> Mount {
    let services = context[OpenIDClient.self].map {
      SignInServices(provider: context.secrets.provider, client: $0, web: context.web)
    }
    let auth = AuthController(
      client: context.session, preferences: context.preferences, clock: context.clock, bus: context.bus,
      services: services)
    context[CurrentSession.self]?.auth = auth
    let gate = GateMount<Bool>(
      child: child, in: context.adding(auth),
      passage: {
        if case .signedIn = auth.state { .open } else { .end(true) }
      },
      face: { _ in SignInPage(auth).mount() })
    let mount = gate.mount(changed: auth.changed, keeping: auth)
    let host = context.host
    mount.keep(auth.returned.listen { [weak host] in host?.window?.present() })
    if let lock = context[BiometricController.self] {
      mount.keep(KeyringPatience(auth, lock)).keep(Renewing(auth, lock))
    } else {
      auth.setUnlocked(true)
    }
    auth.verify()
    return mount
  }
}

/// Puts the grace period off while the keyring may ask: its window takes the user away from ours, and a lock at each
/// question would be a loop of locking and asking.
@MainActor
private final class KeyringPatience {
  private var hold: GraceHold?
  private var listening: Listening?

  init(_ auth: AuthController, _ lock: BiometricController) {
    listening = auth.changed.listen { [weak self, weak auth, weak lock] in
      guard let self, let auth, let lock else { return }
      if !auth.mayBeAsking { hold = nil } else if hold == nil { hold = lock.holdGrace() }
    }
  }
}

/// Has tokens renewed only while the app is unlocked.
@MainActor
private final class Renewing {
  private var listening: Listening?

  init(_ auth: AuthController, _ lock: BiometricController) {
    auth.setUnlocked(!lock.isLocked)
    var wasLocked = lock.isLocked
    listening = lock.changed.listen { [weak auth, weak lock] in
      guard let auth, let lock, lock.isLocked != wasLocked else { return }
      wasLocked = lock.isLocked
      auth.setUnlocked(!wasLocked)
    }
  }
}
