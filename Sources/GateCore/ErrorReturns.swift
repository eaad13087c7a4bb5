/// Notices a fault that keeps coming back after *Try again*.
///
/// Main thread. The moments are milliseconds since boot, which nobody can set.
@MainActor
public final class ErrorReturns {
  /// A fault that is back within this many milliseconds after *Try again* has returned.
  public static let window: Int64 = 60_000
  /// From this return of the same fault on, trying again is no way out.
  public static let limit = 3

  private struct Fault {
    var triedAt: Int64?
    var returns = 0
  }

  private let clock: Clock
  private var faults: [AppError: Fault] = [:]

  /// Begins with no fault.
  public init(clock: Clock) { self.clock = clock }

  /// Whether one of these keeps coming back; hears of what is on the card at each look.
  public func isStubborn(_ errors: [AppError]) -> Bool {
    for error in errors {
      var fault = faults[error] ?? Fault()
      if let triedAt = fault.triedAt {
        fault.returns = clock.boot() - triedAt <= ErrorReturns.window ? fault.returns + 1 : 0
        fault.triedAt = nil
      }
      faults[error] = fault
    }
    return errors.contains { (faults[$0]?.returns ?? 0) >= ErrorReturns.limit }
  }

  /// Hears that the user tries again what failed with these.
  public func tryAgain(_ errors: [AppError]) {
    let now = clock.boot()
    // A fault that has stayed away for a minute begins anew, and takes no memory until then.
    faults = faults.filter { errors.contains($0.key) || now - ($0.value.triedAt ?? now) <= ErrorReturns.window }
    for error in errors { faults[error, default: Fault()].triedAt = now }
  }
}
