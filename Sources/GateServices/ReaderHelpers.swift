import GateCore

/// The helpers at the fingerprint reader, which stand still while the computer sleeps.
///
/// Main thread. At the word that the computer is about to sleep fprintd cancels what goes on, and a reader that is let
/// go of from then on, by a helper that ends or is killed, stays open in fprintd for ever: nobody can claim it after the
/// sleep. So the helpers are stopped at that word, before anything else, and killed once the computer is awake.
@MainActor
final class ReaderHelpers {
  private struct Begun {
    weak var conversation: HelperConversation?
  }

  private var begun: [Begun] = []
  private var halted: [HelperConversation] = []
  private var listening: Listening?

  /// Listens to the desktop's session; whoever began to listen earlier hears earlier.
  init(_ events: Listeners<DesktopEvent>) {
    listening = events.listen { [weak self] event in
      switch event {
      case .goingToSleep: self?.halt()
      case .awake: self?.wake()
      default: break
      }
    }
  }

  /// Takes one that has just begun.
  func add(_ conversation: HelperConversation) {
    begun.removeAll { $0.conversation == nil }
    begun.append(Begun(conversation: conversation))
  }

  private func halt() {
    let conversations = begun.compactMap(\.conversation)
    begun = []
    halted += conversations
    for conversation in conversations { conversation.halt() }
  }

  private func wake() {
    let woken = halted
    halted = []
    for conversation in woken { conversation.wake() }
  }
}
