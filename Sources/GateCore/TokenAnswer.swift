/// What a token endpoint has answered.
///
/// Any thread. RFC 6749, 5.1 and 5.2.
enum TokenAnswer: Hashable, Sendable {
  /// Tokens.
  case tokens(JsonValue)
  /// What was handed in, a code or a refresh token, does not hold, says the provider.
  case grantRefused
  /// A refusal without a word why: 400 or 401 with nothing after it, as some providers answer.
  case bareRefusal
  /// Anything else.
  case fault(OpenIDFault)

  /// Judges an answer; `now` is in seconds since 1970.
  init(_ result: Result<WebAnswer, WebFault>, now: Int64, _ tools: OpenIDTools) {
    switch result {
    case .failure(let fault): self = .fault(.web(fault))
    case .success(let answer): self = TokenAnswer.judge(answer, tools.json(answer.body), now)
    }
  }

  private static func judge(_ answer: WebAnswer, _ json: JsonValue?, _ now: Int64) -> TokenAnswer {
    switch answer.status {
    case 200: return json.map { .tokens($0) } ?? .fault(.garbage)
    case 429, 503: return .fault(.busy(seconds: answer.retryAfter(now: now)))
    case 400, 401, 403:
      switch json?["error"]?.text {
      // The second and third are words of providers that speak of the code or token itself, but not RFC 6749's.
      case "invalid_grant", "invalid_code", "invalid_token": return .grantRefused
      case "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
        return .fault(.appRefused)
      // A page is the word of a firewall or a hotel, and no issuer's.
      case nil where answer.body.isEmpty && answer.status != 403: return .bareRefusal
      default: return .fault(.answered(status: answer.status))
      }
    default: return .fault(.answered(status: answer.status))
    }
  }
}
