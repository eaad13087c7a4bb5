import AuthWire
import CGLib
import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// What goes over the session bus, one after the other on the one private bus.
@MainActor
@Suite(.serialized)
struct SessionBusTests {
  let bus = PrivateBus.shared
  let scratch = Scratch()
  private var key: String { scratch.paths.sessionKey }

  /// Deadlines that a busy machine keeps.
  private let patient = Keyring(deadline: 20_000, promptDeadline: 20_000)
  /// Deadlines short enough to wait for.
  private let hasty = Keyring(deadline: 700, promptDeadline: 1_500)

  private func create(with keyring: Keyring? = nil) async throws -> Result<SecretStore, SessionFault> {
    let client = SessionClient.live(scratch.paths, keyring: keyring ?? patient)
    return try await pumping {
      do throws(SessionFault) {
        return .success(try await client.create())
      } catch {
        return .failure(error)
      }
    }
  }

  private func remove(_ store: SecretStore, with keyring: Keyring? = nil) async throws -> SessionFault? {
    let client = SessionClient.live(scratch.paths, keyring: keyring ?? patient)
    return try await pumping {
      do throws(SessionFault) {
        try await client.remove(store)
        return nil
      } catch {
        return error
      }
    }
  }

  private func check(_ store: SecretStore, with keyring: Keyring? = nil) async throws -> SecretPresence {
    let client = SessionClient.live(scratch.paths, keyring: keyring ?? patient)
    return try await pumping { await client.check(store) }
  }

  @Test func noBus() async throws {
    try await bus.start()
    #expect(bus.withoutBus?.lock == .noBus)
    #expect(bus.withoutBus?.secret == .unavailable)
  }

  @Test func intoTheKeyringAndOut() async throws {
    try await bus.startKeyring()
    #expect(try await check(.keyring) == .absent)
    #expect(try await create() == .success(.keyring))
    #expect(try await check(.keyring) == .present)
    let secret = try #require(try bus.storedSecret())
    #expect(SessionSecret.isSound(secret), "one line of 64 digits, and one item")
    #expect(!FileManager.default.fileExists(atPath: key))
    #expect(try await create() == .success(.keyring))
    #expect(try bus.storedSecret() != secret, "a new one in place of the old")
    #expect(try await remove(.keyring) == nil)
    #expect(try await check(.keyring) == .absent)
    #expect(try bus.storedSecret() == nil)
    #expect(try await remove(.keyring) == nil, "none there is no error")
  }

  @Test func aLockedKeyringIsNeverEmpty() async throws {
    try await bus.startKeyring()
    #expect(try await create() == .success(.keyring))
    try await bus.lockKeyring()
    #expect(try await check(.keyring) == .locked)
    // Nobody is there to answer the keyring's prompt.
    #expect(try await create() == .failure(.keyringLocked))
    #expect(!FileManager.default.fileExists(atPath: key), "no file behind the user's back")
    #expect(try await remove(.keyring) == .keyringLocked)
    // Ended and started anew, it is open again, and has all that it had.
    try await bus.stopKeyring()
    try await bus.startKeyring()
    #expect(try await check(.keyring) == .present)
    #expect(try await remove(.keyring) == nil)
  }

  @Test func aLockedKeyringWithNothingOfOursIsNotEmptyEither() async throws {
    try await bus.startKeyring()
    #expect(try await check(.keyring) == .absent)
    try await bus.lockKeyring()
    #expect(try await check(.keyring) == .locked)
    try await bus.stopKeyring()
  }

  @Test func noService() async throws {
    try await bus.stopKeyring()
    #expect(try await check(.keyring) == .unavailable)
    #expect(try await remove(.keyring) == .keyringUnavailable)
    #expect(try await create() == .success(.file))
    #expect(scratch.mode(key) == 0o600)
    let lines = try scratch.read(key).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines[0].count == 64 && lines[1].isEmpty)
    #expect(try await check(.file) == .present)
    #expect(try await remove(.file) == nil)
    #expect(try await check(.file) == .absent)
  }

  @Test func frozenService() async throws {
    try await bus.startKeyring()
    bus.freeze(true)
    defer { bus.freeze(false) }
    #expect(try await check(.keyring, with: hasty) == .unavailable)
    #expect(try await remove(.keyring, with: hasty) == .keyringUnavailable)
    #expect(try await create(with: hasty) == .success(.file))
    bus.freeze(false)
    #expect(try await check(.keyring) == .absent)
  }

  @Test func cancelledWhileItWaits() async throws {
    try await bus.startKeyring()
    bus.freeze(true)
    defer { bus.freeze(false) }
    let client = SessionClient.live(scratch.paths, keyring: patient)
    let fault = try await pumping { () -> SessionFault? in
      let task = Task { @MainActor () -> SessionFault? in
        do throws(SessionFault) {
          _ = try await client.create()
          return nil
        } catch {
          return error
        }
      }
      await Task.yield()
      task.cancel()
      return await task.value
    }
    #expect(fault == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: key))
  }

  @Test func keyFilesThatAreNoUse() async throws {
    try scratch.write("not a secret", to: key)
    #expect(try await check(.file) == .unavailable)
    try scratch.write("", to: key)
    #expect(try await check(.file) == .unavailable)
    try await bus.stopKeyring()
    chmod(key, 0o400)
    #expect(try await create() == .failure(.file(.readOnly)))
    if isRoot {
      chown(key, 12_345, 12_345)
      #expect(try await check(.file) == .unavailable)
    }
  }

  @Test func lockOutcomes() async throws {
    try await bus.start()
    #expect(RunningInstance.lock() == .notRunning)
    let instance = try StandIn()
    // Started without a window: on the bus, and without the action.
    #expect(RunningInstance.lock() == .notRunning)
    instance.addAction()
    #expect(RunningInstance.lock() == .lockIsOff)
    #expect(instance.locks == 0)
    instance.setEnabled(true)
    #expect(RunningInstance.lock() == .locked)
    MainLoop.run(atMost: 5_000) { instance.locks > 0 }
    #expect(instance.locks == 1)
    instance.end()
    #expect(RunningInstance.lock() == .notRunning)
  }

  @Test(arguments: [
    ("no-reader", ReaderState.noReader), ("none-enrolled", .noneEnrolled), ("broken", .noService),
    ("enrolled", FingersTest.enrolled(2)), ("held", FingersTest.held), ("silent", .noAnswer),
  ])
  func fingers(_ state: String, _ expected: ReaderState) async throws {
    try await bus.start()
    let before = try await pumping { await FingerprintReader().look() }
    #expect(before == .noService)
    let service = Process()
    let tests = ((#filePath as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
    service.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    service.arguments = [tests + "/Fakes/fake_fprintd.py", state]
    let output = Pipe()
    service.standardOutput = output
    try service.run()
    defer {
      // SIGTERM is blocked in what is started from here.
      kill(service.processIdentifier, SIGKILL)
      service.waitUntilExit()
    }
    try #require(!output.fileHandleForReading.availableData.isEmpty, "the stand-in for fprintd is ready")
    var reader = FingerprintReader()
    reader.deadline = state == "silent" ? 500 : 20_000
    let asked = reader
    let found = try await pumping { await asked.look() }
    #expect(found == expected)
  }
}

/// What can be seen of fingers depends on whether this machine has the PAM service installed.
private enum FingersTest {
  static let isSetUp = aw_has_service_file(AW_SERVICE_FINGERPRINT)
  static func enrolled(_ count: Int) -> ReaderState { isSetUp ? .ready(fingers: count) : .notSetUp }
  static var held: ReaderState { isSetUp ? .inUse : .notSetUp }
}

/// Stands on the bus as the running app would: its name, and its action "lock".
@MainActor
private final class StandIn {
  private let connection: Object
  private let action = Object(owning: UnsafeMutableRawPointer(g_simple_action_new("lock", nil)))
  private let group = Object(owning: UnsafeMutableRawPointer(g_simple_action_group_new()))
  private var name: guint = 0
  private var export: guint = 0
  var locks = 0

  init() throws {
    connection = Object(owning: UnsafeMutableRawPointer(try #require(g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil))))
    setEnabled(false)
    let path = "/io/github/appgates/AppGates"
    export = g_dbus_connection_export_action_group(connection.opaque, path, group.opaque, nil)
    name = g_bus_own_name_on_connection(
      connection.opaque, "io.github.appgates.AppGates", G_BUS_NAME_OWNER_FLAGS_NONE, nil, nil, nil, nil)
    action.on("activate") { [weak self] _ in self?.locks += 1 }
    // The name was asked for on the same connection, in order.
    _ = try GLibError.check {
      g_dbus_connection_call_sync(
        connection.opaque, "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId", nil, nil,
        G_DBUS_CALL_FLAGS_NONE, 5_000, nil, $0)
    }
  }

  func addAction() { g_action_map_add_action(group.opaque, action.opaque) }

  func setEnabled(_ isEnabled: Bool) { g_simple_action_set_enabled(action.opaque, isEnabled ? 1 : 0) }

  func end() {
    g_bus_unown_name(name)
    g_dbus_connection_unexport_action_group(connection.opaque, export)
  }
}
