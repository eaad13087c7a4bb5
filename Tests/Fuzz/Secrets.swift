import GateCore
import GateServices

extension FuzzTarget {
  /// A packager's settings: what comes through is what each key may be, and what does not is told, once a key.
  static let secrets = FuzzTarget(name: "secrets") { bytes in
    guard let path = Places.paths.secrets.first else { return }
    Places.put(bytes, at: path)
    let secrets = AppSecrets(sources: SecretsLoader.load(Places.paths))
    claim(secrets.storeAddress.map(Address.isStore) ?? true, "not a store: \(secrets.storeAddress ?? "")")
    for page in [secrets.termsAddress, secrets.privacyAddress, secrets.eulaAddress] {
      claim(page.map(Address.isPage) ?? true, "not a page: \(page ?? "")")
    }
    claim(secrets.analyticsAddress.map(Address.isService) ?? true, "not a service: \(secrets.analyticsAddress ?? "")")
    let told = secrets.problems.compactMap(\.key)
    claim(Set(told).count == told.count, "told twice: \(told)")
    claim(secrets.problems.allSatisfy { !$0.expected.isEmpty }, "a problem does not say what is expected")
    if let minimum = secrets.minimumVersion, let latest = secrets.latestVersion, minimum > latest {
      claim(told.contains("MIN_APP_VERSION"), "a minimum above the latest is not told")
    }
  }
}
