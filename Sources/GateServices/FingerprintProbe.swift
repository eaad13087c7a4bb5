import GLibKit

/// Whether this computer could unlock by finger: words for a page, no part of any verdict.
@MainActor
public struct FingerprintProbe {
  private static let service = "net.reactivated.Fprint"

  /// How long fprintd may take for each of the two questions, in milliseconds.
  public var deadline: Int64 = 2_000

  /// What was found.
  public enum Finding: Hashable, Sendable {
    /// fprintd is not installed, or does not answer.
    case noService
    case noReader
    case noneEnrolled
    /// So many fingers of this user's are enrolled.
    case enrolled(Int)
  }

  /// Makes a probe.
  public init() {}

  /// Asks fprintd; it may be started by this.
  ///
  /// Never blocks.
  public func find() async -> Finding {
    do throws(CallFault) {
      let manager = DBusCall(
        .system, service: Self.service, path: "/net/reactivated/Fprint/Manager", interface: Self.service + ".Manager",
        method: "GetDefaultDevice")
      guard let reader = try await manager.send(atMost: deadline)[0]?.text else { return .noReader }
      let device = DBusCall(
        .system, service: Self.service, path: reader, interface: Self.service + ".Device",
        method: "ListEnrolledFingers", arguments: Variant(tuple: [Variant("")]))
      let count = try await device.send(atMost: deadline)[0]?.children.count ?? 0
      return count == 0 ? .noneEnrolled : .enrolled(count)
    } catch {
      return Self.finding(of: error)
    }
  }

  private static func finding(of fault: CallFault) -> Finding {
    guard case .failed(let error) = fault else { return .noService }
    switch DBusCall.remoteName(of: error) {
    case service + ".Error.NoSuchDevice": return .noReader
    case service + ".Error.NoEnrolledPrints": return .noneEnrolled
    default: return .noService
    }
  }
}
