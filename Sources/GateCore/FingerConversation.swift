/// One conversation with the fingerprint service.
@MainActor
final class FingerConversation {
  /// Ends when the password's prompt is there; what it says counts for nothing.
  let holdsOnly: Bool
  let began: Int64
  /// PAM has asked for a finger and heard of none since.
  var isWaiting = false
  private(set) var hasSpoken = false
  private(set) var isFinished = false
  /// PAM's wish for a pause, in milliseconds.
  private(set) var delay: Int64 = 0
  private var conversation: (any PamConversation)?
  private let onEvent: @MainActor (PamEvent, FingerConversation) -> Void

  init(holdsOnly: Bool, began: Int64, onEvent: @escaping @MainActor (PamEvent, FingerConversation) -> Void) {
    self.holdsOnly = holdsOnly
    self.began = began
    self.onEvent = onEvent
  }

  /// It has neither spoken nor ended: the reader is being claimed.
  var isOnItsWay: Bool { !hasSpoken && !isFinished }

  func begin(_ client: FingerprintClient) {
    let conversation = client.begin { self.take($0) }
    if isFinished { conversation.cancel() } else { self.conversation = conversation }
  }

  func cancel() {
    isFinished = true
    conversation?.cancel()
    conversation = nil
  }

  private func take(_ event: PamEvent) {
    guard !isFinished else { return }
    switch event {
    case .info, .error: hasSpoken = true
    case .delay(let milliseconds): delay = max(delay, milliseconds)
    case .prompt: break
    case .finished:
      isFinished = true
      conversation = nil
    }
    onEvent(event, self)
  }
}
