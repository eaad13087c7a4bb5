/// What follows from the running version and the packager's settings.
public enum UpdateDecision: Equatable, Sendable {
  /// The child shows.
  case idle(UpdateIdleReason)
  /// Only an update or Quit leads on.
  case forced(installed: AppVersion, needed: AppVersion, address: String?)
  /// An update is offered.
  case prompt(installed: AppVersion, latest: AppVersion, address: String?)
}

/// Why no update is asked for.
public enum UpdateIdleReason: Hashable, Sendable {
  /// The packager has set no version.
  case notConfigured
  /// The running version is new enough.
  case upToDate
  /// The running version's own name is no version.
  case versionUnknown
  /// The minimum is above the latest version, so that no update could ever satisfy it: it is not enforced.
  case minimumAboveLatest
  /// The user said Later; asked again at this time, in seconds since 1970.
  case resting(until: Int64)
  /// The user skips this version.
  case skipped
}

/// What the user has answered to earlier prompts.
public struct UpdateAnswers: Hashable, Sendable {
  /// The version to be skipped.
  public var skipped: AppVersion?
  /// The version for which the user said Later.
  public var later: AppVersion?
  /// When that was, in seconds since 1970.
  public var laterAt: Int64

  /// Puts the answers together; none is the default.
  public init(skipped: AppVersion? = nil, later: AppVersion? = nil, laterAt: Int64 = 0) {
    self.skipped = skipped
    self.later = later
    self.laterAt = laterAt
  }
}

/// The oldest version that one source lets be used.
struct PublishedMinimum {
  let version: AppVersion
  /// Whether it is above the latest version that the same source names, so that no update could ever satisfy it.
  let isTrap: Bool

  /// Nothing where the source names no minimum.
  init?(_ version: AppVersion?, below latest: AppVersion?) {
    guard let version else { return nil }
    self.version = version
    isTrap = if let latest { version > latest } else { false }
  }
}

extension UpdateController {
  /// How long Later rests: three days, in seconds.
  public nonisolated static let rest: Int64 = 3 * 24 * 60 * 60

  /// Decides by one source alone.
  ///
  /// Pure.
  public nonisolated static func decide(
    running: AppVersion?, minimum: AppVersion?, latest: AppVersion?, address: String?,
    answers: UpdateAnswers = UpdateAnswers(), now: Int64
  ) -> UpdateDecision {
    decide(
      running: running, minimums: [PublishedMinimum(minimum, below: latest)].compactMap(\.self), latest: latest,
      address: address, answers: answers, now: now)
  }

  /// Decides whether an update is demanded, offered, or neither.
  nonisolated static func decide(
    running: AppVersion?, minimums: [PublishedMinimum], latest: AppVersion?, address: String?, answers: UpdateAnswers,
    now: Int64
  ) -> UpdateDecision {
    guard !minimums.isEmpty || latest != nil else { return .idle(.notConfigured) }
    guard let running else { return .idle(.versionUnknown) }
    let minimum = minimums.filter { !$0.isTrap }.map(\.version).max()
    if let minimum, running < minimum { return .forced(installed: running, needed: minimum, address: address) }
    let isTrap = minimum == nil && !minimums.isEmpty
    guard let latest, running < latest else { return .idle(isTrap ? .minimumAboveLatest : .upToDate) }
    if let skipped = answers.skipped, latest <= skipped { return .idle(.skipped) }
    if answers.later == latest {
      // In both directions: a clock that was far ahead when the answer was given must not silence it for years.
      let (passed, overflow) = now.subtractingReportingOverflow(answers.laterAt)
      if !overflow, passed > -rest, passed < rest { return .idle(.resting(until: answers.laterAt + rest)) }
    }
    return .prompt(installed: running, latest: latest, address: address)
  }
}
