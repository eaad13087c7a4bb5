extension PreferenceKey where Value == Int {
  /// How many actions were recorded since the last prompt.
  public static var ratingActions: Self { Self("ratingActions", fallback: 0) }
}

extension PreferenceKey where Value == [Int64] {
  /// When the last prompts were shown, in seconds since 1970, the oldest first.
  public static var ratingPromptDates: Self { Self("ratingPromptDates", fallback: []) }
  /// Dates that lay in the future when they were repaired, in seconds since 1970: they count again once they have come.
  public static var ratingDatesAhead: Self { Self("ratingDatesAhead", fallback: []) }
}

extension PreferenceKey where Value == String {
  /// The version for which a prompt was shown last.
  public static var ratingPromptVersion: Self { Self("ratingPromptVersion", fallback: "") }
}

extension PreferenceKey where Value == Bool {
  /// The user never wants to be asked.
  public static var ratingDeclined: Self { Self("ratingDeclined", fallback: false) }
}

/// The ways out of the prompt for a review.
public enum RatingAnswer: Hashable, Sendable {
  /// To the store.
  case rate
  /// To the form for feedback.
  case feedback
  /// Another time.
  case notNow
  /// Not at any time.
  case never
}

/// Says when to ask for a review.
///
/// It is no gate. Main thread.
@MainActor
public final class RatingController {
  /// Tells that the moment has come; it passes where nothing can be shown now.
  public let wantsPrompt = Listeners<Void>()
  private let preferences: AppPreferences
  private let version: AppVersion?
  private let clock: Clock
  private var isShowing = false

  /// Takes the running version; without one it never asks.
  public init(preferences: AppPreferences, version: AppVersion?, clock: Clock) {
    self.preferences = preferences
    self.version = version
    self.clock = clock
  }

  /// Records something that went well, and asks where the rules allow it.
  public func recordAction() {
    let (actions, overflow) = preferences[.ratingActions].addingReportingOverflow(1)
    preferences.set(.ratingActions, to: overflow ? Int.max : max(actions, 1))
    repairDates()
    guard !isShowing, !preferences[.ratingDeclined] else { return }
    if RatingController.mayAsk(
      actions: preferences[.ratingActions], promptDates: preferences[.ratingPromptDates],
      promptVersion: AppVersion(preferences[.ratingPromptVersion]), running: version, now: clock.wall())
    {
      wantsPrompt.notify(())
    }
  }

  /// Records that the prompt is on the screen: it counts from now on, whatever is answered.
  public func promptShown() {
    isShowing = true
    repairDates()
    let dates = preferences[.ratingPromptDates] + [clock.wall()]
    preferences.set(many: [
      PreferenceChange(.ratingPromptDates, Array(dates.suffix(RatingController.promptsAYear))),
      PreferenceChange(.ratingPromptVersion, version?.description ?? ""),
      PreferenceChange(.ratingActions, 0),
    ])
  }

  /// Records the answer; each way out of the prompt leads here.
  public func answered(_ answer: RatingAnswer) {
    isShowing = false
    if answer == .never { preferences.set(.ratingDeclined, to: true) }
  }

  /// Brings dates that lie in the future back to now, and saves that.
  ///
  /// Either the clock was ahead when they were written, or it is behind now. The first would keep the prompt away for
  /// years; after the second the repaired date is too old as soon as the clock is right again. So the date as it was is
  /// kept as well, and counts once it has come: at worst there is a prompt less than there might have been.
  private func repairDates() {
    let now = clock.wall()
    let dates = preferences[.ratingPromptDates]
    let ahead = preferences[.ratingDatesAhead]
    let repaired = (dates.map { min($0, now) } + ahead.filter { $0 <= now }).sorted()
    let still = (ahead + dates).filter { $0 > now }.sorted()
    guard repaired != dates || still != ahead else { return }
    preferences.set(many: [
      PreferenceChange(.ratingPromptDates, Array(repaired.suffix(RatingController.promptsAYear))),
      PreferenceChange(.ratingDatesAhead, Array(still.suffix(RatingController.promptsAYear))),
    ])
  }
}

extension RatingController {
  /// How many actions there must have been since the last prompt.
  public nonisolated static let actionsNeeded = 3
  /// How long after a prompt the next one may come: 90 days, in seconds.
  public nonisolated static let interval: Int64 = 90 * 24 * 60 * 60
  /// How many prompts there may be within 365 days.
  public nonisolated static let promptsAYear = 3
  /// Those 365 days, in seconds.
  public nonisolated static let year: Int64 = 365 * 24 * 60 * 60

  /// Whether the rules allow to ask now.
  ///
  /// Pure.
  ///
  /// A first prompt needs no interval: no date means never, not the day of the installation.
  public nonisolated static func mayAsk(
    actions: Int, promptDates: [Int64], promptVersion: AppVersion?, running: AppVersion?, now: Int64
  ) -> Bool {
    guard actions >= actionsNeeded, let running, promptVersion != running else { return false }
    // Dates may be any number in a file written by hand: what overflows is long ago, or far ahead.
    let ages = promptDates.map { date in
      let (age, overflow) = now.subtractingReportingOverflow(date)
      return overflow ? (date < 0 ? Int64.max : Int64.min) : age
    }
    guard ages.allSatisfy({ $0 >= interval }) else { return false }
    return ages.count { $0 < year } < promptsAYear
  }
}
