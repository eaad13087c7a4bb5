/// On whose word something may be sent.
///
/// There is none that always says yes: each of those below names what the user has done. It is asked at the moment of
/// sending, so that consent taken back a moment before counts. Main thread.
@MainActor
public struct WebPermission {
  private let ask: @MainActor () -> Bool

  private init(_ ask: @escaping @MainActor () -> Bool) { self.ask = ask }

  /// The user's consent to the present legal texts, as it is on record at the moment of sending.
  public static func consent(in preferences: AppPreferences) -> WebPermission {
    WebPermission { ConsentController.isGiven(in: preferences) }
  }

  /// Consent, and besides it a switch of the user's own, such as that for analytics.
  public static func consent(in preferences: AppPreferences, and isOn: @escaping @MainActor () -> Bool) -> WebPermission
  {
    WebPermission { ConsentController.isGiven(in: preferences) && isOn() }
  }

  /// A click that asks for just this: good for one request, and for no more.
  public static func click() -> WebPermission {
    var isLeft = true
    return WebPermission {
      defer { isLeft = false }
      return isLeft
    }
  }

  /// A report that the user told the app to send: good until it has arrived, tries later on included, unless the user
  /// takes it back first.
  public static func report(isStillWanted: @escaping @MainActor () -> Bool) -> WebPermission {
    WebPermission(isStillWanted)
  }

  /// Whether it may be sent now; asking uses up what is good for once.
  func allows() -> Bool { ask() }
}
