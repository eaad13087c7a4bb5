/// What a sign-in with a provider asks of the system, besides the web.
///
/// Main thread.
public struct OpenIDClient {
  /// Hashes, randomness, and the reading of what is in a token.
  public var tools: OpenIDTools
  /// Waits on a free port of 127.0.0.1 for the browser to come back, ten minutes at most.
  ///
  /// What is said of it comes in later turns of the main loop; the returned closure ends it, and nothing is heard then.
  public var listen: @MainActor (RedirectRequest, @escaping @MainActor (RedirectEvent) -> Void) -> WebCancel
  /// Hands an address to the system's browser, and says once whether that went well.
  public var open: @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void
  /// Calls a body after so many milliseconds, for as long as what is returned is kept.
  public var schedule: @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject
  /// Writes a line to the log; it never holds a token, a code or a name.
  public var log: @MainActor (String) -> Void

  /// Takes all five.
  public init(
    tools: OpenIDTools,
    listen: @escaping @MainActor (RedirectRequest, @escaping @MainActor (RedirectEvent) -> Void) -> WebCancel,
    open: @escaping @MainActor (String, @escaping @MainActor (StoreFault?) -> Void) -> Void,
    schedule: @escaping @MainActor (_ afterMs: Int64, @escaping @MainActor () -> Void) -> AnyObject,
    log: @escaping @MainActor (String) -> Void = { _ in }
  ) {
    self.tools = tools
    self.listen = listen
    self.open = open
    self.schedule = schedule
    self.log = log
  }
}

/// What is waited for, and what the browser then shows.
public struct RedirectRequest: Hashable, Sendable {
  /// The path that the browser comes back to.
  public let path: String
  /// The word that its query must hold as `state`.
  public let state: String
  /// The words of the pages.
  public let pages: RedirectPages

  /// Puts the three together.
  public init(path: String, state: String, pages: RedirectPages) {
    self.path = path
    self.state = state
    self.pages = pages
  }
}

/// The words that the browser shows, as plain text.
public struct RedirectPages: Hashable, Sendable {
  /// A heading, and a sentence below it.
  public struct Page: Hashable, Sendable {
    /// The heading.
    public let title: String
    /// The sentence.
    public let text: String

    /// Puts the two together.
    public init(_ title: String, _ text: String) {
      self.title = title
      self.text = text
    }
  }

  /// The language of the words, such as `de`.
  public let language: String
  /// Whether they are read from right to left.
  public let isRightToLeft: Bool
  /// The browser has come back with a code.
  public let done: Page
  /// It has come back without one.
  public let refused: Page
  /// It has come with something that does not belong to this sign-in.
  public let foreign: Page
  /// It asks for what is not there.
  public let missing: Page

  /// Puts them together.
  public init(language: String, isRightToLeft: Bool, done: Page, refused: Page, foreign: Page, missing: Page) {
    self.language = language
    self.isRightToLeft = isRightToLeft
    self.done = done
    self.refused = refused
    self.foreign = foreign
    self.missing = missing
  }
}

/// What is heard of a redirect that is waited for.
public enum RedirectEvent: Hashable, Sendable {
  /// It is waited for on this port.
  case listening(port: UInt16)
  /// The browser has come, with this query and the right state; nothing more is heard.
  case arrived(query: String)
  /// Nobody waits any more; nothing more is heard.
  case failed(RedirectFault)
}
