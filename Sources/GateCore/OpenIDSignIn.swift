/// Where a sign-in with a provider stands.
public enum OpenIDPhase: Hashable, Sendable {
  /// The provider is asked what it can do.
  case asking
  /// The user goes on in the browser, at this address; `trouble` is why none may have opened.
  case inBrowser(address: String, trouble: StoreFault?)
  /// The browser has come back, and the provider is asked for the tokens.
  case redeeming
}

/// One sign-in with a provider, from the click to the tokens.
///
/// Main thread. RFC 8252: the provider's metadata, a listener on this computer, the browser, the code, the tokens. It ends
/// once: with `done`, or with `cancel`, after which nothing is heard and nothing is left of it.
@MainActor
final class OpenIDSignIn {
  /// The tokens, and a name to show where the provider tells one.
  typealias Done = @MainActor (Result<(tokens: OpenIDTokens, name: String?), OpenIDFault>) -> Void

  private(set) var phase = OpenIDPhase.asking
  /// Tokens that were given out, and are of no use since what came with them does not hold.
  private(set) var dropped: OpenIDTokens?

  private let provider: OpenIDProvider
  private let client: OpenIDClient
  private let web: WebClient
  private let clock: Clock
  private let pages: RedirectPages
  private let changed: @MainActor () -> Void
  private var done: Done?
  /// Made at the click, which is what permits the second request too.
  private let exchange = WebPermission.click()
  private var cancelWeb: WebCancel?
  private var cancelListening: WebCancel?
  /// Rises with each time that the browser is asked: the answer to an earlier time says nothing.
  private var openings = 0

  /// Begins; `changed` tells of a new phase, `done` once of the end, neither before this returns.
  init(
    _ provider: OpenIDProvider, client: OpenIDClient, web: WebClient, clock: Clock, pages: RedirectPages,
    changed: @escaping @MainActor () -> Void, done: @escaping Done
  ) {
    self.provider = provider
    self.client = client
    self.web = web
    self.clock = clock
    self.pages = pages
    self.changed = changed
    self.done = done
  }

  isolated deinit { release() }

  /// Asks the provider what it can do, on the user's click.
  func begin() {
    let request = WebRequest(
      .get, provider.metadata, headers: [.init("Accept", "application/json")], limit: 1 << 18)
    send(request, with: .click()) { signIn, result in
      do throws(OpenIDFault) {
        signIn.listen(
          try OpenIDSignIn.metadata(result, of: signIn.provider, now: signIn.clock.wall(), signIn.client.tools))
      } catch {
        signIn.end(.failure(error))
      }
    }
  }

  /// Gives up; nothing is heard any more.
  func cancel() {
    done = nil
    release()
  }

  /// Hands the address to the browser, once more where it was before.
  func open() {
    guard case .inBrowser(let address, _) = phase else { return }
    openings += 1
    set(.inBrowser(address: address, trouble: nil))
    client.open(address) { [weak self, openings] trouble in
      guard let self, openings == self.openings, case .inBrowser(address, _) = self.phase else { return }
      self.set(.inBrowser(address: address, trouble: trouble))
    }
  }

  /// The metadata in an answer.
  static func metadata(
    _ result: Result<WebAnswer, WebFault>, of provider: OpenIDProvider, now: Int64, _ tools: OpenIDTools
  ) throws(OpenIDFault) -> OpenIDMetadata {
    switch result {
    case .failure(let fault): throw .web(fault)
    case .success(let answer):
      switch answer.status {
      case 200: return try OpenIDMetadata(tools.json(answer.body), of: provider)
      case 429, 503: throw .busy(seconds: answer.retryAfter(now: now))
      default: throw .answered(status: answer.status)
      }
    }
  }

  private func listen(_ metadata: OpenIDMetadata) {
    guard let request = OpenIDRequest(client.tools) else { return end(.failure(.noRandomness)) }
    let waiting = RedirectRequest(path: OpenIDRequest.path, state: request.state, pages: pages)
    var redirect = ""
    cancelListening = client.listen(waiting) { [weak self] event in
      guard let self else { return }
      switch event {
      case .listening(let port):
        redirect = OpenIDRequest.redirect(port: port)
        phase = .inBrowser(address: request.address(metadata, provider, redirect: redirect), trouble: nil)
        open()
      case .arrived(let query):
        cancelListening = nil
        returned(query, redirect, request, metadata)
      case .failed(let fault):
        cancelListening = nil
        end(.failure(.listener(fault)))
      }
    }
  }

  private func returned(_ query: String, _ redirect: String, _ request: OpenIDRequest, _ metadata: OpenIDMetadata) {
    do throws(OpenIDFault) {
      let code = try request.code(in: query, metadata, provider)
      send(request.exchange(code, metadata, provider, redirect: redirect), with: exchange) { signIn, result in
        do throws(OpenIDFault) {
          signIn.end(.success(try signIn.redeem(result, request, metadata)))
        } catch {
          signIn.end(.failure(error))
        }
      }
      set(.redeeming)
    } catch {
      end(.failure(error))
    }
  }

  private func redeem(
    _ result: Result<WebAnswer, WebFault>, _ request: OpenIDRequest, _ metadata: OpenIDMetadata
  ) throws(OpenIDFault) -> (tokens: OpenIDTokens, name: String?) {
    switch TokenAnswer(result, now: clock.wall(), client.tools) {
    case .grantRefused, .bareRefusal: throw .codeRefused
    case .fault(let fault): throw fault
    case .tokens(let json):
      let token: IDToken
      do throws(IDTokenFault) {
        token = try IDToken(
          json["id_token"]?.text, of: provider, nonce: request.nonce, now: clock.wall(), client.tools)
      } catch {
        // Whose they are is not known; to take them back, that is not needed.
        let nobody = OpenIDAccount(issuer: provider.issuer, subject: "")
        dropped = try? OpenIDTokens(json, of: nobody, provider, metadata, now: clock.wall())
        throw .idToken(error)
      }
      let account = OpenIDAccount(issuer: provider.issuer, subject: token.subject)
      return (try OpenIDTokens(json, of: account, provider, metadata, now: clock.wall()), token.name)
    }
  }

  private func send(
    _ request: WebRequest, with permission: WebPermission,
    _ then: @escaping @MainActor (OpenIDSignIn, Result<WebAnswer, WebFault>) -> Void
  ) {
    var isOver = false
    let cancel = web.send(request, with: permission) { [weak self] result in
      isOver = true
      guard let self, done != nil else { return }
      cancelWeb = nil
      then(self, result)
    }
    if !isOver { cancelWeb = cancel }
  }

  private func set(_ phase: OpenIDPhase) {
    self.phase = phase
    changed()
  }

  private func end(_ result: Result<(tokens: OpenIDTokens, name: String?), OpenIDFault>) {
    let done = self.done
    cancel()
    done?(result)
  }

  private func release() {
    cancelWeb?()
    cancelWeb = nil
    cancelListening?()
    cancelListening = nil
  }
}
