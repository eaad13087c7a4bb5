/// What a sign-in with the packager's provider needs, where one is set.
@MainActor
public struct SignInServices {
  /// The provider; nothing where none is set, and then there are sessions of this computer only.
  public var provider: OpenIDProvider?
  /// The system, as a sign-in uses it.
  public var client: OpenIDClient
  /// The way to the provider.
  public var web: WebClient

  /// Puts the three together.
  public init(provider: OpenIDProvider?, client: OpenIDClient, web: WebClient) {
    self.provider = provider
    self.client = client
    self.web = web
  }
}
