import AuthWire
import GLibKit
import GateCore

extension FingerprintClient {
  /// Asks PAM in a helper process for each conversation, and fprintd on the system bus.
  ///
  /// The process's first thread only. To be made before anybody else listens to the session: see `ReaderHelpers`.
  @MainActor
  public static func live(
    _ helper: HelperProgram, in desktop: DesktopSession, deadlines: HelperDeadlines = .fingerprint
  ) -> FingerprintClient {
    let helpers = ReaderHelpers(desktop.events)
    return FingerprintClient(
      begin: { onEvent in
        let conversation = HelperConversation(
          helper, service: AW_SERVICE_FINGERPRINT, deadlines: deadlines, onEvent: onEvent)
        helpers.add(conversation)
        return conversation
      },
      look: { done in Look(done) },
      watch: { body in
        let readers = ["InterfacesAdded", "InterfacesRemoved"].map {
          DBusMatch(interface: "org.freedesktop.DBus.ObjectManager", member: $0)
        }
        return DBusWatch(
          .system, service: FingerprintReader.service, readers, present: body,
          heard: { body($0.member == "InterfacesAdded") })
      })
  }
}

extension HelperDeadlines {
  /// The time-out in the service's file, 30 seconds for a try, and then some: where fprintd hangs in the midst of a try,
  /// pam_fprintd waits for ever.
  public static var fingerprint: HelperDeadlines { HelperDeadlines(progress: 40_000) }
}

/// A look that is called off when this is dropped.
@MainActor
private final class Look {
  private var task: Task<Void, Never>?

  init(_ done: @escaping @MainActor (ReaderState) -> Void) {
    task = Task {
      let state = await FingerprintReader().look()
      if !Task.isCancelled { done(state) }
    }
  }

  isolated deinit { task?.cancel() }
}
