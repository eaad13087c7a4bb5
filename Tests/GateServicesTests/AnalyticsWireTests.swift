import Foundation
import GateCore
import Testing

@testable import GateServices

struct AnalyticsWireTests {
  @Test(
    arguments: [
      ("https://e.example", "https://e.example/batch/"), ("https://e.example/", "https://e.example/batch/"),
      ("https://e.example/a//", "https://e.example/a/batch/"), ("https://e.example/batch", "https://e.example/batch/"),
      ("https://e.example/batch/", "https://e.example/batch/"), ("http://127.0.0.1:9", "http://127.0.0.1:9/batch/"),
    ])
  func addresses(_ configured: String, _ address: String) {
    #expect(AnalyticsWire.address(configured) == address)
  }

  @Test(arguments: ["key", "", "k\"e\\y", nil] as [String?])
  func theBodyIsACaptureBatch(_ key: String?) throws {
    let batch = AnalyticsBatch([#"{"uuid":"1","event":"a b"}"#, #"{"uuid":"2"}"#])
    let data = Data(AnalyticsWire.body(batch, key: key))
    let body = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(Set(body.keys) == ["api_key", "batch"])
    #expect(body["api_key"] as? String == key ?? "")
    #expect((body["batch"] as? [[String: String]])?.map { $0["uuid"] } == ["1", "2"])
  }

  @Test(
    arguments: [
      ("", true), ("{\"status\": 1}", true), (" {}\n", true), ("1", true), ("OK\n", true), ("<html>", false),
      ("{\"status\":", false), ("okay", false), ("[1]", false), ("\u{1}\u{2}", false),
    ])
  func receipts(_ body: String, _ isReceipt: Bool) {
    #expect(AnalyticsWire.isReceipt([UInt8](body.utf8)) == isReceipt)
  }

  @Test func answers() {
    let now: Int64 = 1_800_000_000
    func answer(_ status: Int, _ headers: [String: String] = [:], _ body: String = "{}") -> AnalyticsAnswer {
      AnalyticsWire.answer(.success(WebAnswer(status: status, headers: headers, body: [UInt8](body.utf8))), now: now)
    }
    #expect(answer(200) == .answered(status: 200, isReceipt: true, retryAfter: nil))
    #expect(answer(200, [:], "<p>") == .answered(status: 200, isReceipt: false, retryAfter: nil))
    #expect(answer(429, ["retry-after": "7"]) == .answered(status: 429, isReceipt: true, retryAfter: 7))
    #expect(
      answer(503, ["retry-after": "Fri, 15 Jan 2027 08:01:00 GMT"])
        == .answered(status: 503, isReceipt: true, retryAfter: 60))
    #expect(answer(429, ["retry-after": "soon"]) == .answered(status: 429, isReceipt: true, retryAfter: nil))
    #expect(AnalyticsWire.answer(.failure(.notPermitted), now: now) == .refused)
    for fault in [WebFault.unreachable, .timedOut, .truncated, .tooLarge, .redirected(to: "x"), .crashed] {
      guard case .failed(let words) = AnalyticsWire.answer(.failure(fault), now: now) else {
        Issue.record("\(fault)")
        continue
      }
      #expect(!words.isEmpty)
    }
  }
}
