import GateCore

extension FuzzTarget {
  /// Up to three lines, each a version or none: what is read is written and read again as the same, and the order is
  /// total.
  static let versions = FuzzTarget(name: "versions") { bytes in
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    let versions = lines.compactMap { AppVersion(String(decoding: $0, as: UTF8.self)) }
    for one in versions {
      claim(AppVersion(one.description) == one, "\(one) is another version when it is read again")
      for other in versions {
        let ways = [one < other, one == other, one > other].filter(\.self).count
        claim(ways == 1, "\(one) and \(other) are in \(ways) orders")
        claim(one != other || one.hashValue == other.hashValue, "\(one) and \(other) have two hashes")
        for third in versions where one < other && other < third {
          claim(one < third, "\(one) < \(other) < \(third), and yet not \(one) < \(third)")
        }
      }
    }
  }
}
