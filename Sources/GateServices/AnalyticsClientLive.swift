import GLibKit
import GateCore

extension AnalyticsClient {
  /// Events on disk, and the way to the packager's server in the PostHog capture format.
  ///
  /// `address` is the server's, as `ANALYTICS_URL` has it; nothing is sent where there is none. The body is
  /// `{"api_key": …, "batch": [event …]}`, posted to `/batch/`.
  @MainActor
  public static func live(
    _ outbox: AnalyticsOutbox, address: String?, key: String?, web: WebClient, preferences: AppPreferences, clock: Clock
  ) -> AnalyticsClient {
    AnalyticsClient(
      append: { (events) throws(FileFault) in try outbox.append(events) },
      next: { outbox.next($0) },
      settle: { (batch, wasDelivered) throws(FileFault) in try outbox.settle(batch, wasDelivered: wasDelivered) },
      history: { outbox.history($0) },
      eraseWaiting: { () throws(FileFault) in try outbox.eraseWaiting() },
      forget: { () throws(FileFault) in try outbox.forget(now: clock.wall()) },
      post: { batch, asked, done in
        guard let address else {
          done(.refused)
          return nil
        }
        let request = WebRequest(
          .post, AnalyticsWire.address(address), headers: [WebRequest.Header("Content-Type", "application/json")],
          body: AnalyticsWire.body(batch, key: key), limit: 1 << 16)
        let permission: WebPermission =
          asked ? .click() : .consent(in: preferences) { preferences[.analyticsEnabled] }
        let cancel = web.send(request, with: permission) { done(AnalyticsWire.answer($0, now: clock.wall())) }
        return CallOff(cancel)
      },
      log: { Log.warning($0) })
  }
}

/// Calls off a request when it is dropped.
@MainActor
private final class CallOff {
  private let cancel: WebCancel

  init(_ cancel: @escaping WebCancel) { self.cancel = cancel }

  isolated deinit { cancel() }
}

/// The capture format, as PostHog's documentation has it.
enum AnalyticsWire {
  /// Where batches go on a server; an address that names the place already stays as it is.
  static func address(_ server: String) -> String {
    var server = Substring(server)
    while server.last == "/" { server.removeLast() }
    return server.hasSuffix("/batch") ? server + "/" : server + "/batch/"
  }

  /// The events as one request; the key is empty where none is configured.
  static func body(_ batch: AnalyticsBatch, key: String?) -> [UInt8] {
    let key = Json.text(key ?? "").written(pretty: false)
    return [UInt8]("{\"api_key\":\(key),\"batch\":[\(batch.lines.joined(separator: ","))]}".utf8)
  }

  /// What came of a request, in the words of the rules.
  static func answer(_ result: Result<WebAnswer, WebFault>, now: Int64) -> AnalyticsAnswer {
    switch result {
    case .success(let answer):
      return .answered(
        status: answer.status, isReceipt: isReceipt(answer.body), retryAfter: answer.retryAfter(now: now))
    case .failure(.notPermitted): return .refused
    case .failure(let fault): return .failed(fault.reason)
    }
  }

  /// Whether a body is what a server that counts events answers with: nothing, an object, or a short word.
  ///
  /// The page that a network on the way puts in the server's place is none of these.
  static func isReceipt(_ body: [UInt8]) -> Bool {
    let text = String(decoding: body.prefix(1 << 16), as: UTF8.self).drop(while: \.isWhitespace)
    let words = text.reversed().drop(while: \.isWhitespace)
    if text.first == "{" { return words.first == "}" }
    return ["", "1", "ok"].contains(String(words.reversed()).lowercased())
  }
}

extension WebFault {
  /// The cause in a few words, fit for the middle of a sentence.
  fileprivate var reason: String {
    switch self {
    case .notPermitted: "consent is not given"
    case .refusedAddress: "the address is not one that is used"
    case .notInstalled: "the program that sends them is missing; install the app's package again"
    case .unreachable: "the server cannot be reached"
    case .timedOut: "the server did not answer in time"
    case .truncated: "the answer ended too early"
    case .tooLarge: "the answer is too long"
    case .malformed: "the answer makes no sense"
    case .redirected: "the server sends to another one, which is not followed"
    case .badCertificate: "the server's certificate is not trusted"
    case .crashed: "the program that sends them ended before its time"
    case .safeMode: "nothing is sent in safe mode"
    }
  }
}
