import GateCore
import GtkKit

/// Shows the first-run slides until they have been seen or skipped.
public struct OnboardingGate: Gate {
  /// What shows from then on.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the gate.
  public func mount(in context: GateContext) -> Mount {
    let onboarding = OnboardingController(
      preferences: context.preferences, rating: context.rating, analytics: context.analytics)
    let gate = GateMount<Bool>(
      child: child, in: context,
      passage: { onboarding.isOpen ? .open : .interrupt(true) },
      face: { _ in OnboardingView(onboarding, host: context.host).mount() })
    return gate.mount(changed: onboarding.changed, keeping: onboarding)
  }
}
