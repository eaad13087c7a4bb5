import Testing

@testable import GateCore

struct AppSecretsTests {
  private func secrets(_ values: [String: String]...) -> AppSecrets {
    AppSecrets(sources: values.enumerated().map { SecretSource(path: "/\($0)", values: $1) })
  }

  @Test func theFirstThatSetsAKeyWins() {
    let found = secrets(
      ["TERMS_URL": "https://a.example/"], ["TERMS_URL": "https://b.example/", "EULA_URL": "http://e"])
    #expect(found.termsAddress == "https://a.example/")
    #expect(found.eulaAddress == "http://e")
    #expect(found.problems.isEmpty)
  }

  @Test func anEmptyValueMeansUnsetAndEndsTheSearch() {
    let found = secrets(["MIN_APP_VERSION": ""], ["MIN_APP_VERSION": "9"])
    #expect(found.minimumVersion == nil)
    #expect(found.problems.isEmpty)
  }

  @Test func whatDoesNotParseIsAProblemAndCountsAsUnset() {
    let found = secrets([:], ["MIN_APP_VERSION": "Varies with device"], ["MIN_APP_VERSION": "9"])
    #expect(found.minimumVersion == nil)
    #expect(found.problems.map(\.path) == ["/1"])
    #expect(found.problems.map(\.key) == ["MIN_APP_VERSION"])
    #expect(found.problems.map(\.expected) == ["a version such as 1.2.0"])
  }

  @Test func aMinimumAboveTheLatestIsAProblem() {
    let found = secrets(["MIN_APP_VERSION": "3"], ["LATEST_APP_VERSION": "2"])
    #expect(found.problems.map(\.key) == ["MIN_APP_VERSION"])
    #expect(secrets(["MIN_APP_VERSION": "2", "LATEST_APP_VERSION": "2.0"]).problems.isEmpty)
  }

  @Test func aFileThatCannotBeReadIsAProblemOnce() {
    let found = AppSecrets(sources: [
      SecretSource(path: "~/a", values: [:], fault: .damaged), SecretSource(path: "/b", values: [:], fault: .missing),
      SecretSource(path: "/c", values: ["ANALYTICS_DEFAULT": "true"]),
    ])
    #expect(found.problems.map(\.path) == ["~/a"])
    #expect(found.problems.map(\.fault) == [.damaged])
    #expect(found.analyticsDefault)
  }

  @Test(arguments: ["1", "on", "yes", "TRUE", "perhaps"])
  func aTickedBoxIsNoConsent(_ text: String) {
    let found = secrets(["ANALYTICS_DEFAULT": text])
    #expect(!found.analyticsDefault)
    #expect(found.problems.count == 1)
  }

  @Test func everyKeyIsRead() {
    let found = secrets([
      "MIN_APP_VERSION": "1", "LATEST_APP_VERSION": "2", "APP_STORE_URL": "appstream:io.x", "TERMS_URL": "https://t",
      "PRIVACY_URL": "https://p", "EULA_URL": "https://e", "ANALYTICS_URL": "https://a", "ANALYTICS_KEY": "k",
      "ANALYTICS_DEFAULT": "true",
    ])
    #expect(found.problems.isEmpty)
    #expect(found.minimumVersion == AppVersion("1") && found.latestVersion == AppVersion("2"))
    #expect(found.storeAddress == "appstream:io.x")
    #expect([found.termsAddress, found.privacyAddress, found.eulaAddress] == ["https://t", "https://p", "https://e"])
    #expect(found.analyticsAddress == "https://a" && found.analyticsKey == "k" && found.analyticsDefault)
  }
}
