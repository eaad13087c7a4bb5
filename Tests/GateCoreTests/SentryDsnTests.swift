import Testing

@testable import GateCore

struct SentryDsnTests {
  @Test(arguments: [
    ("https://key@sentry.example.org/42", "https://sentry.example.org/api/42/envelope/"),
    ("https://key:secret@sentry.example.org/42", "https://sentry.example.org/api/42/envelope/"),
    ("https://key@sentry.example.org:9000/2", "https://sentry.example.org:9000/api/2/envelope/"),
    // sentry-python#87, #212: a doubled slash, and a server below a path.
    ("https://key@sentry.example.org:9000//2", "https://sentry.example.org:9000/api/2/envelope/"),
    ("https://key@example.org/tools/sentry/7", "https://example.org/tools/sentry/api/7/envelope/"),
    ("https://key@example.org/tools/sentry/7/", "https://example.org/tools/sentry/api/7/envelope/"),
    ("https://key@example.org/a-project", "https://example.org/api/a-project/envelope/"),
    ("https://key@[2001:db8::1]:9000/42", "https://[2001:db8::1]:9000/api/42/envelope/"),
    ("https://key@[2001:db8::1]/42", "https://[2001:db8::1]/api/42/envelope/"),
    ("  https://key@sentry.example.org/42\n", "https://sentry.example.org/api/42/envelope/"),
    ("https://key@sentry.example.org/42?a=b#c", "https://sentry.example.org/api/42/envelope/"),
    ("http://key@127.0.0.1:8000/1", "http://127.0.0.1:8000/api/1/envelope/"),
    ("http://key@[::1]:8000/1", "http://[::1]:8000/api/1/envelope/"),
    ("http://key@localhost/1", "http://localhost/api/1/envelope/"),
  ])
  func addresses(_ text: String, _ address: String) throws {
    let dsn = try #require(SentryDsn(text))
    #expect(dsn.envelopeAddress == address)
    #expect(dsn.publicKey == "key")
  }

  @Test(arguments: [
    "", " ", "sentry.example.org/42", "https://sentry.example.org/42", "https://@sentry.example.org/42",
    "https://:secret@sentry.example.org/42", "https://key@sentry.example.org", "https://key@sentry.example.org/",
    "https://key@sentry.example.org/?42", "https://key@/42", "http://key@sentry.example.org/42",
    "http://key@127.0.0.1.example.org/42", "ftp://key@sentry.example.org/42", "https:/key@sentry.example.org/42",
    "https://key@sentry.example.org:port/42", "https://key@[2001:db8::1/42", "https://ke y@sentry.example.org/42",
    "https://key\r\nEvil: 1@sentry.example.org/42", "https://key,b@sentry.example.org/42",
    "https://key@sentry.example.org/../42", "https://key@sentry.example.org/4 2", "https://a@b@sentry.example.org/42",
    "https://key@sentry.exämple.org/42", "https://key@sentry.example.org/%34",
  ])
  func refused(_ text: String) { #expect(SentryDsn(text) == nil) }

  @Test func headers() throws {
    let dsn = try #require(SentryDsn("https://key:secret@sentry.example.org/42"))
    let headers = dsn.headers(version: "1.2.0")
    #expect(
      headers.map { $0.name + ": " + $0.value } == [
        "Content-Type: application/x-sentry-envelope",
        "X-Sentry-Auth: Sentry sentry_version=7, sentry_client=app-gates/1.2.0, sentry_key=key",
      ])
    #expect(!headers.contains { $0.value.contains("secret") })
  }

  @Test func asASetting() {
    let good = AppSecrets(sources: [SecretSource(path: "~/c", values: ["SENTRY_DSN": "https://k@example.org/1"])])
    #expect(good.reportDsn?.publicKey == "k" && good.problems.isEmpty)
    let bad = AppSecrets(sources: [SecretSource(path: "~/c", values: ["SENTRY_DSN": "http://k@example.org/1"])])
    #expect(bad.reportDsn == nil && bad.problems.map(\.key) == ["SENTRY_DSN"])
  }
}
