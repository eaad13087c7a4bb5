/// Password and finger side by side, on a screen that asks who is there.
///
/// Main thread. Neither waits for the other, and neither costs the other a try.
@MainActor
public final class UnlockController {
  /// How somebody was verified.
  public enum Method: Hashable, Sendable {
    case password(VerifiedBy)
    case fingerprint
  }

  /// The password.
  public let password: VerifyController
  /// The finger.
  public let finger: FingerprintController
  /// Called when somebody was verified; by then the record knows.
  public var onVerified: (@MainActor (Method) -> Void)?

  /// Takes the clients, and what is remembered from one run to the next; see `VerifyController` for `schedule`.
  public init(
    password: PasswordClient, fingerprint: FingerprintClient?, record: UnlockRecord, clock: Clock,
    schedule: @escaping @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  ) {
    self.schedule = schedule
    finger = FingerprintController(client: fingerprint, record: record, clock: clock, schedule: schedule)
    self.password = VerifyController(client: password, after: finger, clock: clock, schedule: schedule)
    self.password.onVerified = { [weak self] by in
      record.passwordVerified()
      self?.onVerified?(.password(by))
    }
    finger.onVerified = { [weak self] in self?.onVerified?(.fingerprint) }
  }

  /// So long a window may be inactive before the reader is let go of, in milliseconds.
  ///
  /// A key of a virtual keyboard takes the window's activity away for a moment, and the user is still there.
  public nonisolated static let blip: Int64 = 150

  /// Whether the user is in the app; the reader is held only then, since others may want it otherwise.
  public var isActive = true {
    didSet {
      guard isAsking, isActive != oldValue else { return }
      if isActive {
        leaving = nil
        comeBack()
      } else {
        leaving = schedule(UnlockController.blip) { [weak self] in self?.leave() }
      }
    }
  }

  private let schedule: @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  private var isAsking = false
  private var leaving: AnyObject?
  private var isPasswordPutOff = false

  /// Asks for both: the reader first, see `FingerprintController.clearTheWay`.
  public func begin() {
    isAsking = true
    if isActive { finger.begin() }
    finger.isResting = !isActive
    password.begin()
  }

  /// Asks for neither any more; see `VerifyController.cancel` for what that costs.
  public func cancel() {
    isAsking = false
    leaving = nil
    isPasswordPutOff = false
    finger.end()
    password.cancel()
  }

  /// Lets go of the reader now, without waiting whether it was a blip; until `isActive` is true again.
  public func leaveAtOnce() {
    guard isAsking else { return }
    isActive = false
    leave()
  }

  private func leave() {
    leaving = nil
    // A helper that has not asked yet may be about to take the reader.
    if password.phase == .starting {
      password.cancel()
      isPasswordPutOff = true
    }
    finger.isResting = true
    finger.end()
  }

  private func comeBack() {
    finger.begin()
    finger.isResting = false
    if isPasswordPutOff { password.begin() }
    isPasswordPutOff = false
  }
}
