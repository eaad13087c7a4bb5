/// What a notification on the desktop says.
public enum Notice: Hashable, Sendable {
  /// That something needs the user, and not what: the app is locked.
  case bare
  /// What is wrong.
  case fault(AppError)

  /// Whether it is about the list, which the user may want to go on with.
  public var isAboutTodos: Bool {
    switch self {
    case .fault(.todosNotSaved), .fault(.todosUnreadable): true
    default: false
    }
  }
}

/// Decides when a fault is told outside of the app's window, and how much of it.
///
/// Main thread.
///
/// A fault that comes while no window of the app is active would wait unseen on the error card: a notification says so
/// until the user comes. While the app is locked it has no content, and one with content becomes bare in the same call
/// that locks. Several faults are one notification, which tells the newest.
@MainActor
public final class NoticeController {
  /// What the desktop is to show now; nothing for no notification.
  public private(set) var notice: Notice?
  /// Tells that this has changed.
  public let changed = Listeners<Void>()

  private var isActive: Bool
  private var isLocked: Bool
  private var seen: [PostedError] = []
  /// The newest fault since the user left.
  private var fault: AppError?

  /// Begins with where the user is, and with the lock; say that it is locked where that is not known.
  public init(isActive: Bool, isLocked: Bool) {
    self.isActive = isActive
    self.isLocked = isLocked
  }

  /// Hears what is on the error bus, after each post and each clear.
  public func look(at posted: [PostedError]) {
    let news = posted.last { !seen.contains($0) }
    seen = posted
    if let fault, !posted.contains(where: { $0.error == fault }) { self.fault = nil }
    if let news, !isActive { fault = news.error }
    settle()
  }

  /// Hears whether any window of the app is active: the user then sees the card itself.
  public func setActive(_ isActive: Bool) {
    self.isActive = isActive
    if isActive { fault = nil }
    settle()
  }

  /// Hears whether the app is locked.
  public func setLocked(_ isLocked: Bool) {
    self.isLocked = isLocked
    settle()
  }

  private func settle() {
    let notice = fault.map { isLocked ? .bare : Notice.fault($0) }
    guard notice != self.notice else { return }
    self.notice = notice
    changed.notify(())
  }
}
