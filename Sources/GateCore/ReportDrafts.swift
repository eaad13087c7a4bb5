/// What is half-written in the form, for as long as the program runs.
///
/// What was written while the app was open is never shown above the lock, and the other way about.
@MainActor
public final class ReportDrafts {
  /// Where a form stands.
  public enum Place: Hashable, Sendable {
    /// Within the app.
    case me
    /// On a card above the gates, with the app unlocked or locked.
    case card(isLocked: Bool)
  }

  /// What is in the form's fields.
  public struct Draft: Hashable, Sendable {
    /// What happened.
    public var message = ""
    /// Who says so.
    public var name = "", email = ""

    /// An empty one.
    public init() {}
  }

  private var drafts: [Place: Draft] = [:]

  /// Forgets what was written on a card while the app was locked: whoever wrote it may be another than who comes now.
  public func forgetLocked() { drafts[.card(isLocked: true)] = nil }

  /// The draft of a form.
  public subscript(_ place: Place) -> Draft {
    get { drafts[place] ?? Draft() }
    set { drafts[place] = newValue == Draft() ? nil : newValue }
  }
}
