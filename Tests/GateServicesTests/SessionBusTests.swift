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

  @Test func noBus() async throws {
    try await bus.start()
    #expect(bus.withoutBus?.lock == .noBus)
    #expect(bus.withoutBus?.secret == .noService)
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
