import AuthWire
import GLibKit
import GateCore

/// The fingerprint reader as fprintd tells of it: words for a screen, no part of any verdict.
///
/// Main thread. Never blocks; fprintd may be started by being asked.
@MainActor
public struct FingerprintReader {
  static let service = "net.reactivated.Fprint"

  /// How long fprintd may take for each question, in milliseconds.
  public var deadline: Int64 = 2_000

  /// Makes one.
  public init() {}

  /// Looks at the reader.
  ///
  /// Over a connection of its own: to fprintd whoever has asked for the fingers is a client until their connection is
  /// closed, and with no client left it ends after 30 seconds, which is the way out for a reader that it has got stuck.
  public func look() async -> ReaderState {
    do throws(CallFault) {
      let connection = try await DBusConnection.own(atMost: deadline)
      let manager = call("/net/reactivated/Fprint/Manager", "Manager", "GetDefaultDevice")
      guard let reader = try await manager.send(over: connection, atMost: deadline)[0]?.text else { return .noReader }
      // The empty name stands for whoever asks.
      let list = call(reader, "Device", "ListEnrolledFingers", Variant(tuple: [Variant("")]))
      let count = try await list.send(over: connection, atMost: deadline)[0]?.children.count ?? 0
      guard count > 0 else { return .noneEnrolled }
      guard aw_has_service_file(AW_SERVICE_FINGERPRINT) else { return .notSetUp }
      return await isHeld(reader, connection) ? .inUse : .ready(fingers: count)
    } catch {
      return Self.state(of: error)
    }
  }

  /// Whether somebody holds the reader.
  ///
  /// fprintd has no property for it. It refuses to let go on behalf of a stranger, with one error where somebody holds
  /// the reader and another where nobody does, and nothing else comes of it.
  private func isHeld(_ reader: String, _ connection: DBusConnection) async -> Bool {
    do throws(CallFault) {
      _ = try await call(reader, "Device", "Release").send(over: connection, atMost: deadline)
      return false
    } catch {
      return Self.name(of: error) == Self.service + ".Error.AlreadyInUse"
    }
  }

  private func call(_ path: String, _ interface: String, _ method: String, _ arguments: Variant? = nil) -> DBusCall {
    DBusCall(
      .system, service: Self.service, path: path, interface: "\(Self.service).\(interface)", method: method,
      arguments: arguments)
  }

  private static func name(of fault: CallFault) -> String? {
    if case .failed(let error) = fault { DBusCall.remoteName(of: error) } else { nil }
  }

  private static func state(of fault: CallFault) -> ReaderState {
    if case .timedOut = fault { return .noAnswer }
    return switch name(of: fault) {
    case service + ".Error.NoSuchDevice": .noReader
    case service + ".Error.NoEnrolledPrints": .noneEnrolled
    case service + ".Error.PermissionDenied": .denied
    default: .noService
    }
  }
}
