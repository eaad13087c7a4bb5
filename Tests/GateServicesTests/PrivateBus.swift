import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// A session bus of the tests' own, on which nothing is started by itself, and a real gnome-keyring on it.
///
/// One for the whole run, since GIO keeps the first connection of a process; it ends with the process, whose end closes
/// the pipe that a small shell holds on to. Before it starts, the absence of a bus is asked for.
@MainActor
final class PrivateBus {
  static let shared = PrivateBus()

  /// What was found while there was no bus.
  private(set) var withoutBus: (lock: RunningInstance.LockOutcome, secret: SecretReading)?
  private let scratch = Scratch()
  private let keeper = Process()
  private let lifeline = Pipe()
  private var keyring: Process?

  private init() {
    // An address that leads nowhere yet; the bus stands for that of the system as well.
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(scratch.path)/bus", 1)
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(scratch.path)/bus", 1)
  }

  /// Starts the bus, once.
  func start() async throws {
    guard withoutBus == nil else { return }
    let lock = RunningInstance.lock()
    let secret = try await pumping { await Keyring(deadline: 60_000).read() }
    withoutBus = (lock, secret)
    let configuration = scratch.path + "/bus.conf"
    try scratch.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(scratch.path)/bus</listen>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy>
      </busconfig>
      """, to: configuration)
    keeper.executableURL = URL(fileURLWithPath: "/bin/sh")
    keeper.arguments = [
      "-c",
      // A signal to all of the tests' processes leaves the shell to clear up. The threads that start processes here
      // have signals blocked, and dbus-daemon inherits that: only SIGKILL ends it.
      "trap '' TERM INT HUP; dbus-daemon --nofork --nopidfile --print-address=1 --config-file=\"$1\" <&- & "
        + "exec >&-; cat >/dev/null; kill -9 $!; rm -rf \"$2\"",
      "sh", configuration, scratch.path,
    ]
    keeper.standardInput = lifeline
    let address = Pipe()
    keeper.standardOutput = address
    try keeper.run()
    // The address is printed once the bus listens.
    #expect(!address.fileHandleForReading.availableData.isEmpty)
  }

  /// Starts gnome-keyring with an open keyring, where none runs, and returns when it bears its name.
  func startKeyring() async throws {
    try await start()
    guard keyring == nil else { return }
    let daemon = Process()
    daemon.executableURL = URL(fileURLWithPath: "/usr/bin/gnome-keyring-daemon")
    daemon.arguments = [
      "--unlock", "--components=secrets", "--foreground", "--control-directory=" + scratch.path + "/keyring",
    ]
    daemon.environment = [
      "HOME": scratch.path, "XDG_RUNTIME_DIR": scratch.path, "XDG_DATA_HOME": scratch.path + "/data",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(scratch.path)/bus", "PATH": "/usr/bin:/bin",
    ]
    let password = Pipe()
    daemon.standardInput = password
    daemon.standardOutput = FileHandle.nullDevice
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    try password.fileHandleForWriting.write(contentsOf: Data("pw".utf8))
    try password.fileHandleForWriting.close()
    keyring = daemon
    try await waitForName(true)
  }

  /// Starts the Secret Service that shows nothing (`closed_keyring.py`), in its place.
  func startClosedKeyring(_ kind: String) async throws {
    try await stopKeyring()
    let service = Process()
    let tests = ((#filePath as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
    service.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    service.arguments = [tests + "/Fakes/closed_keyring.py", kind]
    try service.run()
    keyring = service
    try await waitForName(true)
  }

  /// Ends gnome-keyring, or what stands in its place, where it runs.
  func stopKeyring() async throws {
    try await start()
    guard let daemon = keyring else { return }
    keyring = nil
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
    try await waitForName(false)
  }

  /// Stops the daemon in its tracks, or lets it go on.
  func freeze(_ isFrozen: Bool) { if let keyring { kill(keyring.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) } }

  /// Locks the keyring that new secrets go into.
  func lockKeyring() async throws {
    let service = "org.freedesktop.Secret.Service"
    let call = DBusCall(
      .session, service: Keyring.service, path: "/org/freedesktop/secrets", interface: service, method: "Lock",
      arguments: Variant(parsing: "([objectpath '/org/freedesktop/secrets/aliases/default'],)"))
    _ = try await pumping { try await call.send(atMost: 5_000) }
  }

  /// What `secret-tool` would find: the value of our secret.
  func storedSecret() throws -> String? {
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    tool.arguments = [
      "-c",
      """
      import gi
      gi.require_version("Secret", "1")
      from gi.repository import Secret
      schema = Secret.Schema.new("io.github.appgates.AppGates.Session", 0, {"app": Secret.SchemaAttributeType.STRING})
      found = Secret.password_search_sync(schema, {"app": "app-gates"}, Secret.SearchFlags.ALL, None)
      values = [item.retrieve_secret_sync(None).get_text() for item in found]
      print("\\n".join(values), end="")
      """,
    ]
    let output = Pipe()
    tool.standardOutput = output
    try tool.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    tool.waitUntilExit()
    try #require(tool.terminationStatus == 0)
    return data.isEmpty ? nil : String(decoding: data, as: UTF8.self)
  }

  private func waitForName(_ wanted: Bool) async throws {
    let call = DBusCall(
      .session, service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      method: "NameHasOwner", arguments: Variant(tuple: [Variant(Keyring.service)]))
    // Asked again until it is so: each question waits for its answer.
    for _ in 0..<10_000 where try await pumping({ try await call.send(atMost: 5_000) })[0]?.bool == wanted { return }
    Issue.record("gnome-keyring did not \(wanted ? "come" : "go")")
  }
}
