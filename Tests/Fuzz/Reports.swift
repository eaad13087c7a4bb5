import GateCore

extension FuzzTarget {
  /// The address of reports, and a server's limits: nothing leads to a place that the app may not talk to, nobody is
  /// silenced for longer than a day, and nothing of a server's fills the memory.
  static let reports = FuzzTarget(name: "reports") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let dsn = SentryDsn(text) {
      claim(Address.isService(dsn.envelopeAddress), "not a service: \(dsn.envelopeAddress)")
      claim(dsn.envelopeAddress.hasSuffix("/envelope/"), "not an envelope's place: \(dsn.envelopeAddress)")
      for header in dsn.headers(version: "1") {
        claim(header.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a header of its own: \(header.value)")
      }
    }
    let now: Int64 = 1_800_000_000_000
    var limits = RateLimits()
    for status in [200, 429] {
      let before = limits
      for header in ["x-sentry-rate-limits", "retry-after"] {
        limits.hear(WebAnswer(status: status, headers: [header: text]), now: now)
      }
      claim(limits.ends.count <= 32, "\(limits.ends.count) categories")
      for (category, end) in limits.ends {
        claim(end > now && end - now <= RateLimits.longest, "\(category) until \(end)")
        claim(end >= before.ends[category] ?? 0, "\(category) ends earlier than before")
      }
    }
  }
}
