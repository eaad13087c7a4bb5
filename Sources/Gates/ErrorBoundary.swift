import GateCore
import GLibKit
import GtkKit

/// Shows "Something went wrong" over whatever is below, when anything posts to the error bus from any thread.
///
/// The card takes the child's place, so nothing of it can be seen or read meanwhile; *Try again* clears the bus and
/// brings back what was there, drafts included. One card stands however many errors come.
public struct ErrorBoundary: Gate {
  /// What shows while nothing is wrong.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the boundary.
  public func mount(in context: GateContext) -> Mount {
    let bus = context.bus
    let watch = ErrorWatch(bus)
    let returns = ErrorReturns(clock: context.clock)
    let gate = GateMount<ErrorFace>(
      child: child, in: context, passage: { bus.current.isEmpty ? .open : .interrupt(.card) },
      face: { _ in ErrorCard(watch, returns, in: context).mount() })
    return gate.mount(changed: watch.changed, keeping: watch)
  }
}

/// What the boundary itself shows: there is but one card, which follows the bus by itself.
enum ErrorFace { case card }

/// Looks at the bus for the boundary: at once when it was empty, and then a few times a second at most.
@MainActor
final class ErrorWatch {
  /// The least time between two looks while the card stands, in milliseconds: a storm of posts costs no more than this.
  static let pause: Int64 = 100

  let bus: AppErrorBus
  /// Told after each look.
  let changed = Listeners<Void>()
  private let gathering = Gathering()
  private var subscription: BusSubscription?
  private var rest: Timer?

  init(_ bus: AppErrorBus) {
    self.bus = bus
    let gathering = gathering
    subscription = bus.subscribe { [weak self] in
      if gathering.wish() { MainLoop.wake { [weak self] in self?.look() } }
    }
  }

  /// Forgets what was posted, and what was below comes back in this same turn.
  func clear() {
    rest = nil
    bus.clear()
    look()
  }

  private func look() {
    if bus.current.isEmpty {
      // What was below is about to show: the next error must not wait.
      rest = nil
      gathering.begin()
    } else if rest == nil {
      rest = MainLoop.after(ErrorWatch.pause) { [weak self] in self?.rested() }
    }
    changed.notify(())
  }

  private func rested() {
    rest = nil
    // What came during the pause has woken nobody.
    if gathering.goesOn() { look() }
  }
}
