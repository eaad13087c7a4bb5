import GateCore
import GLibKit
import GtkKit

/// Blocks until the current version of the legal texts has been accepted; nothing is counted before.
public struct ConsentGate: Gate {
  /// What shows once they are accepted.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the gate.
  public func mount(in context: GateContext) -> Mount {
    let consent = ConsentController(preferences: context.preferences, analytics: context.analytics)
    let gate = GateMount<Bool>(
      child: child, in: context,
      passage: { consent.isOpen ? .open : .interrupt(true) },
      face: { _ in ConsentPage(consent, in: context).mount() })
    return gate.mount(changed: consent.changed, keeping: consent)
  }
}
