import Testing

@testable import GateCore

struct PreferenceKeyTests {
  @Test(arguments: ["", "TRUE", "1", "yes", " false", "false ", "False", "0"])
  func whatIsNotPlainlyFalseMeansThatTheLockIsOn(_ text: String) {
    #expect(PreferenceKey.biometricEnabled.value(of: text) == true)
  }

  @Test func theLockIsOffWhereTheFileSaysSoOrNothing() {
    #expect(PreferenceKey.biometricEnabled.value(of: "false") == false)
    #expect(PreferenceKey.biometricEnabled.value(of: nil) == false)
    #expect(PreferenceKey.biometricEnabled.value(of: "true") == true)
  }

  @Test(arguments: [nil, "", "0", "-1", "2", "61", "999999999999999999999", "1.5", "60s"])
  func aGraceThatIsNoneIsTheShortest(_ text: String?) {
    #expect(PreferenceKey.lockAfterSeconds.value(of: text) == 1)
  }

  @Test(arguments: [1, 15, 60, 300])
  func aGraceThatCanBeChosenHolds(_ seconds: Int) {
    #expect(PreferenceKey.lockAfterSeconds.value(of: String(seconds)) == seconds)
  }

  @Test(arguments: [nil, "", "yes", "FALSE"])
  func theContentIsHiddenUnlessSwitchedOff(_ text: String?) {
    #expect(PreferenceKey.hideContent.value(of: text) == true)
  }

  @Test func whatIsUnclearIsTheFallback() {
    #expect(PreferenceKey.onboardingCompleted.value(of: "1") == false)
    #expect(PreferenceKey.ratingPromptDates.value(of: "1;x;") == [])
    #expect(PreferenceKey.updateLaterAt.value(of: "9223372036854775808") == 0)
  }

  @Test(arguments: [
    [], [""], ["a"], ["a", "b"], ["a;b", "c\\"], ["", "", "x"], [";"], ["\\;"], ["e\u{301}", ";\u{301}", "ä;"],
  ])
  func textListsComeBackAsTheyWere(_ list: [String]) {
    #expect([String](preferenceText: list.preferenceText) == list)
  }

  @Test func listsAreWrittenAsTheFileHasThem() {
    #expect(["a;b", "c\\"].preferenceText == "a\\;b;c\\\\;")
    #expect([Int64(-1), 2].preferenceText == "-1;2;")
    #expect([Int64](preferenceText: "1;2") == [1, 2])
    #expect([Int64](preferenceText: "") == [])
    #expect([Int64](preferenceText: "1;;2;") == nil)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
  func numbersComeBackAsTheyWere(_ number: Int64) {
    #expect(Int64(preferenceText: number.preferenceText) == number)
    #expect([Int64](preferenceText: [number].preferenceText) == [number])
  }
}
