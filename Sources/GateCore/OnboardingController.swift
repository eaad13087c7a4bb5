extension PreferenceKey where Value == Bool {
  /// The first-run slides were seen or skipped.
  public static var onboardingCompleted: Self { Self("onboardingCompleted", fallback: false) }
}

extension PreferenceKey where Value == Int {
  /// The slide that was shown last, counted from 0.
  public static var onboardingPage: Self { Self("onboardingPage", fallback: 0) }
}

/// Leads through the first-run slides, and remembers where the user is.
///
/// Main thread.
@MainActor
public final class OnboardingController {
  /// How many slides there are.
  public static let slideCount = 4

  /// Tells that the slide has changed or that the gate has opened.
  public let changed = Listeners<Void>()
  private let preferences: AppPreferences
  private let rating: RatingController
  private let analytics: AnalyticsController

  /// Begins at the slide where the user was last.
  public init(preferences: AppPreferences, rating: RatingController, analytics: AnalyticsController) {
    self.preferences = preferences
    self.rating = rating
    self.analytics = analytics
  }

  /// Whether the slides are behind the user.
  public var isOpen: Bool { preferences[.onboardingCompleted] }

  /// The slide, counted from 0.
  public var page: Int { min(max(preferences[.onboardingPage], 0), OnboardingController.slideCount - 1) }

  /// Goes one slide on; from the last one, finishes.
  public func next() {
    if page + 1 < OnboardingController.slideCount { arrive(at: page + 1) } else { finish() }
  }

  /// Goes one slide back; stays at the first.
  public func previous() { arrive(at: page - 1) }

  /// Goes to a slide, as after a swipe; there is none before the first and none after the last.
  public func arrive(at slide: Int) {
    let slide = min(max(slide, 0), OnboardingController.slideCount - 1)
    guard !isOpen, slide != page else { return }
    preferences.set(.onboardingPage, to: slide)
    changed.notify(())
  }

  /// Leaves out the rest, which is as good as having seen it.
  public func skip() { finish() }

  /// Opens the gate, once: records a rating action and the event.
  public func finish() {
    guard !isOpen else { return }
    preferences.set(.onboardingCompleted, to: true)
    rating.recordAction()
    analytics.track(.onboardingCompleted)
    changed.notify(())
  }
}
