import GLibKit
import GateCore
import Gates
import GtkKit

/// The app's notifications: what `NoticeController` decides, on the desktop.
@MainActor
final class Notices {
  private let controller: NoticeController
  private let notifier: Notifier
  private var kept: [Any] = []

  /// Begins to listen; what was posted before is the window's to show.
  init(_ application: Application, bus: AppErrorBus, host: Host) {
    notifier = Notifier(application)
    controller = NoticeController(isActive: host.isActive, isLocked: host.isLocked)
    controller.look(at: bus.current)
    let posted = Listeners<Void>()
    let gathering = Gathering()
    kept = [
      bus.subscribe {
        guard gathering.wish() else { return }
        MainLoop.wake {
          gathering.begin()
          posted.notify(())
        }
      },
      posted.listen { [weak self] in self?.controller.look(at: bus.current) },
      host.activity.listen { [weak self] in self?.controller.setActive($0) },
      host.locking.listen { [weak self] in self?.controller.setLocked($0) },
      controller.changed.listen { [weak self] in self?.apply() },
    ]
  }

  /// Takes away what is shown: without the app its buttons lead nowhere.
  func end() {
    kept = []
    for name in [Notices.fault, Notices.bare] { notifier.withdraw(name) }
  }

  // Two names: while the first is on its way to the desktop, it cannot be replaced, only withdrawn later.
  private static let fault = "fault"
  private static let bare = "attention"

  private func apply() {
    let show = (words: tr("Show"), action: "app." + App.show)
    switch controller.notice {
    case nil:
      notifier.withdraw(Notices.fault)
      notifier.withdraw(Notices.bare)
    case .bare?:
      notifier.withdraw(Notices.fault)
      notifier.show(
        Notices.bare,
        DesktopNotification(
          title: Host.productName, body: tr("Something needs your attention."), action: show.action, buttons: [show]))
    case .fault(let error)?:
      notifier.withdraw(Notices.bare)
      let newTodo = (words: tr("New Todo"), action: "app." + App.newTodo)
      notifier.show(
        Notices.fault,
        DesktopNotification(
          title: tr("Something went wrong"), body: error.words, action: show.action,
          buttons: controller.notice?.isAboutTodos == true ? [show, newTodo] : [show]))
    }
  }
}
