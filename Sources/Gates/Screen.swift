import GateCore
import GtkKit

/// Something that can be shown: an inert value until it is mounted.
///
/// A gate is a screen around a screen. Building the value costs nothing and touches no display, so the whole nesting
/// can be read (`outline`) by programs that have none.
public protocol Screen {
  /// Builds the widgets and starts the work; both end with the mount. Main thread.
  @MainActor func mount(in context: GateContext) -> Mount

  /// The names of the gates from here inwards, outermost first.
  var outline: [String] { get }
}

extension Screen {
  /// A screen that is no gate adds no name.
  public var outline: [String] { [] }
}

/// A gate: it shows its child, or a screen of its own instead.
public protocol Gate: Screen {
  /// What it guards.
  var child: any Screen { get }
}

extension Gate {
  /// The gate's type name, then its child's gates.
  public var outline: [String] { [String(describing: Self.self)] + child.outline }
}

/// What a gate has decided.
public enum Passage<Face: Equatable>: Equatable {
  /// The child shows.
  case open
  /// A screen of the gate's own shows; the child, where there is one, is parked with its state kept.
  case interrupt(Face)
  /// A screen of the gate's own shows; the child, where there is one, is dropped.
  case end(Face)
}
