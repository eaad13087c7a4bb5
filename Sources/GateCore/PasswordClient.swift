/// Why a password could not be verified.
public enum VerifyFault: Error, Hashable, Sendable {
  /// It was the wrong one.
  case wrong
  /// The account has expired.
  case accountExpired
  /// The system does not let the account in.
  case accountRefused
  /// The PAM service file is missing.
  case serviceMissing
  /// The process may gain no rights, so PAM cannot look the password up.
  case noNewPrivileges
  /// The app runs as root, for whom nothing is verified.
  case runsAsRoot
  /// The user on whose behalf the app runs is not the one who runs it.
  case notSelf
  /// The helper program is missing.
  case helperMissing
  /// The helper ended before its time, or broke the protocol.
  case helperFailed
  /// The helper is of another version than the app.
  case versionMismatch
  /// There was no verdict in time.
  case noAnswer
  /// PAM takes no more tries for now.
  case tooManyTries
  /// PAM cannot tell, for another cause.
  case unavailable
  /// What was typed was not given to PAM.
  case badInput(BadInput)
}

/// Why an input is no password.
public enum BadInput: Hashable, Sendable {
  /// There is none.
  case empty
  /// It has more than 511 bytes, PAM's own limit.
  case tooLong
  /// It holds a zero byte, which would end it early.
  case containsNUL

  /// The longest input that PAM takes, in bytes.
  public static let longest = 511

  /// What is wrong with an input; nothing where PAM may see it.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      self = .empty
    } else if bytes.count > BadInput.longest {
      self = .tooLong
    } else if bytes.contains(0) {
      self = .containsNUL
    } else {
      return nil
    }
  }
}

/// What happens in a PAM conversation, in its order.
public enum PamEvent: Sendable {
  /// PAM asks for something.
  case prompt(text: String, hidden: Bool)
  /// PAM says something.
  case info(String)
  /// PAM says that something is wrong.
  case error(String)
  /// PAM wants the next try to wait this long after the verdict.
  case delay(milliseconds: Int64)
  /// The verdict: exactly once, and last.
  case finished(Result<VerifiedBy, VerifyFault>)
}

/// What a success rests on.
public struct VerifiedBy: Hashable, Sendable {
  /// A hidden prompt was answered: without that, a success is no password.
  public let hiddenAnswered: Bool
  /// The system wants a new password soon.
  public let newPasswordRequired: Bool
  /// Whether the account may be used could not be checked.
  public let accountUnchecked: Bool

  /// Puts the three together.
  public init(hiddenAnswered: Bool, newPasswordRequired: Bool = false, accountUnchecked: Bool = false) {
    self.hiddenAnswered = hiddenAnswered
    self.newPasswordRequired = newPasswordRequired
    self.accountUnchecked = accountUnchecked
  }
}

/// Something that PAM has said.
public struct PamMessage: Hashable, Sendable {
  /// PAM's own words.
  public let text: String
  /// Whether it says that something is wrong.
  public let isError: Bool

  /// Puts the two together.
  public init(_ text: String, isError: Bool) {
    self.text = text
    self.isError = isError
  }
}

/// A PAM conversation that is going on.
///
/// Main thread.
@MainActor
public protocol PamConversation: AnyObject {
  /// Gives 1 to 511 bytes without NUL to the prompt; they are sent when this returns, and nowhere kept.
  func answer(_ bytes: UnsafeRawBufferPointer)
  /// Ends the helper; no event follows.
  func cancel()
}

/// Checks the password of the desktop user.
///
/// Main thread.
public struct PasswordClient: Sendable {
  /// Begins a conversation in a fresh helper; its events come on the main thread until `finished` or `cancel`.
  public var begin: @MainActor (_ onEvent: @escaping @MainActor (PamEvent) -> Void) -> any PamConversation
  /// What would keep a password from being checked, as far as can be told without asking PAM.
  public var obstacle: @MainActor () -> VerifyFault?
  /// When the next try may be made; shared by all who use this client.
  public let turn: VerifyTurn

  /// Takes the way to begin a conversation, and where it is known when the next try may be made.
  @MainActor
  public init(
    turn: VerifyTurn = VerifyTurn(), obstacle: @escaping @MainActor () -> VerifyFault? = { nil },
    begin: @escaping @MainActor (_ onEvent: @escaping @MainActor (PamEvent) -> Void) -> any PamConversation
  ) {
    self.turn = turn
    self.obstacle = obstacle
    self.begin = begin
  }
}
