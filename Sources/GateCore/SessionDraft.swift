/// A session that is being made.
@MainActor
struct SessionDraft {
  let account: Account
  let name: String
  var tokens: OpenIDTokens?
  let secret: @MainActor () -> SessionSecret?

  init(account: Account, name: String, tokens: OpenIDTokens? = nil, secret: @escaping @MainActor () -> SessionSecret?) {
    self.account = account
    self.name = name
    self.tokens = tokens
    self.secret = secret
  }
}
