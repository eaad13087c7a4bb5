import GateCore
import GateServices

/// What the shell asks of the desktop and of the program, besides what gates do.
struct ShellServices {
  let autostart: Autostart
  let erasure: Erasure
  /// Keeps the program running, with a window or without, for as long as what is returned is kept.
  let keepRunning: @MainActor () -> AnyObject?
  /// Ends the program and starts it anew.
  let startAfresh: @MainActor () -> Void
  /// What About offers to copy.
  let debugInformation: @MainActor (SecretStore?, SecretReading?) -> String
}
