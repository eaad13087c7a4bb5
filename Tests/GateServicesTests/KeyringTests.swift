import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

/// The session's secret in a real gnome-keyring on the private bus, and in the file where there is none.
extension SessionBusTests {
  private var key: String { scratch.paths.sessionKey }

  /// Deadlines that a busy machine keeps.
  private var patient: Keyring { Keyring(deadline: 20_000, promptDeadline: 20_000) }
  /// Deadlines short enough to wait for.
  private var hasty: Keyring { Keyring(deadline: 700, promptDeadline: 1_500) }

  private func client(_ keyring: Keyring?) -> SessionClient { .live(scratch.paths, keyring: keyring ?? patient) }

  /// Makes a secret and stores it.
  private func create(with keyring: Keyring? = nil) async throws -> Result<SecretStore, SessionFault> {
    let client = client(keyring)
    let secret = try #require(client.makeSecret())
    return try await pumping {
      do throws(SessionFault) {
        return .success(try await client.store(secret))
      } catch {
        return .failure(error)
      }
    }
  }

  private func remove(_ store: SecretStore, with keyring: Keyring? = nil) async throws -> SessionFault? {
    let client = client(keyring)
    return try await pumping {
      do throws(SessionFault) {
        try await client.remove(store)
        return nil
      } catch {
        return error
      }
    }
  }

  private func read(_ store: SecretStore, with keyring: Keyring? = nil) async throws -> SecretReading {
    let client = client(keyring)
    return try await pumping { await client.read(store) }
  }

  @Test func intoTheKeyringAndOut() async throws {
    try await bus.startKeyring()
    #expect(try await read(.keyring) == .absent)
    #expect(try await create() == .success(.keyring))
    #expect(try await read(.keyring).isPresent)
    let secret = try #require(try bus.storedSecret())
    #expect(secret.wholeMatch(of: /[0-9a-f]{64}/) != nil, "one line of 64 digits, and one item")
    #expect(!FileManager.default.fileExists(atPath: key))
    #expect(try await create() == .success(.keyring))
    #expect(try bus.storedSecret() != secret, "a new one in place of the old")
    #expect(try await remove(.keyring) == nil)
    #expect(try await read(.keyring) == .absent)
    #expect(try bus.storedSecret() == nil)
    #expect(try await remove(.keyring) == nil, "none there is no error")
  }

  @Test func aLockedKeyringIsNeverEmpty() async throws {
    try await bus.startKeyring()
    #expect(try await create() == .success(.keyring))
    try await bus.lockKeyring()
    #expect(try await read(.keyring) == .locked)
    // Nobody is there to answer the keyring's prompt.
    #expect(try await create() == .failure(.keyringLocked))
    #expect(!FileManager.default.fileExists(atPath: key), "no file behind the user's back")
    #expect(try await remove(.keyring) == .keyringLocked)
    // Ended and started anew, it is open again, and has all that it had.
    try await bus.stopKeyring()
    try await bus.startKeyring()
    #expect(try await read(.keyring).isPresent)
    #expect(try await remove(.keyring) == nil)
  }

  @Test func aLockedKeyringWithNothingOfOursIsNotEmptyEither() async throws {
    try await bus.startKeyring()
    #expect(try await read(.keyring) == .absent)
    try await bus.lockKeyring()
    #expect(try await read(.keyring) == .locked)
    try await bus.stopKeyring()
  }

  private func unlock() async throws -> SessionFault? {
    let client = client(nil)
    return try await pumping {
      do throws(SessionFault) {
        try await client.unlock()
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func aServiceThatShowsNoKeyringIsNeverEmpty() async throws {
    // As a password manager before its file is opened: what it has is not known, and nothing is removed from it.
    try await bus.startClosedKeyring("closed")
    #expect(try await read(.keyring) == .locked)
    #expect(try await unlock() == .keyringLocked)
    #expect(try await remove(.keyring) == .keyringLocked)
    // Without the files of its keyrings the real one has only that of the session: nobody knows of a secret there.
    try await bus.startClosedKeyring("fileless")
    #expect(try await read(.keyring) == .locked)
    #expect(try await unlock() == .keyringLocked)
    #expect(try await remove(.keyring) == nil)
    try await bus.stopKeyring()
  }

  @Test func anAnswerThatIsNoneIsARefusal() async throws {
    try await bus.startClosedKeyring("senseless")
    #expect(try await read(.keyring) == .refused)
    #expect(try await unlock() == .keyringRefused)
    #expect(try await remove(.keyring) == .keyringRefused)
    #expect(try await create() == .failure(.keyringRefused))
    #expect(!FileManager.default.fileExists(atPath: key))
    try await bus.stopKeyring()
  }

  @Test func noService() async throws {
    try await bus.stopKeyring()
    #expect(try await read(.keyring) == .noService)
    #expect(try await remove(.keyring) == .keyringUnavailable)
    #expect(try await create() == .success(.file))
    #expect(scratch.mode(key) == 0o600)
    let lines = try scratch.read(key).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines[0].count == 64 && lines[1].isEmpty)
    #expect(try await read(.file).isPresent)
    #expect(try await remove(.file) == nil)
    #expect(try await read(.file) == .absent)
  }

  @Test func frozenService() async throws {
    try await bus.startKeyring()
    bus.freeze(true)
    defer { bus.freeze(false) }
    #expect(try await read(.keyring, with: hasty) == .frozen)
    #expect(try await remove(.keyring, with: hasty) == .timedOut)
    #expect(try await create(with: hasty) == .failure(.timedOut))
    bus.freeze(false)
    #expect(try await read(.keyring) == .absent)
  }

  @Test func cancelledWhileItWaits() async throws {
    try await bus.startKeyring()
    bus.freeze(true)
    defer { bus.freeze(false) }
    let client = client(nil)
    let secret = try #require(client.makeSecret())
    let fault = try await pumping { () -> SessionFault? in
      let task = Task { @MainActor () -> SessionFault? in
        do throws(SessionFault) {
          _ = try await client.store(secret)
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

  private func replace(_ line: String, in store: SecretStore) async throws -> Result<SecretStore, SessionFault> {
    let client = client(nil)
    let secret = try #require(SessionSecret(line: line))
    return try await pumping {
      do throws(SessionFault) {
        return .success(try await client.replace(secret, store))
      } catch {
        return .failure(error)
      }
    }
  }

  private func move() async throws -> Result<Bool, SessionFault> {
    let client = client(nil)
    return try await pumping {
      do throws(SessionFault) {
        return .success(try await client.moveToKeyring())
      } catch {
        return .failure(error)
      }
    }
  }

  @Test func replacingNeverPromptsAndTheFileStandsInWhereNothingElseIs() async throws {
    try await bus.startKeyring()
    #expect(try await create() == .success(.keyring))
    let longest = String(repeating: "~", count: SessionSecret.longest)
    #expect(try await replace(longest, in: .keyring) == .success(.keyring))
    #expect(try bus.storedSecret() == longest)
    #expect(try await read(.keyring) == SessionSecret(line: longest).map { .present($0) })
    try await bus.lockKeyring()
    #expect(try await replace("new", in: .keyring) == .failure(.keyringLocked))
    #expect(!FileManager.default.fileExists(atPath: key))
    try await bus.stopKeyring()
    #expect(try await replace("new", in: .keyring) == .success(.file))
    #expect(try scratch.read(key) == "new\n")
    #expect(try await replace("newer", in: .file) == .success(.file))
    #expect(try scratch.read(key) == "newer\n")
    // The keyring comes back with what is older; the file's is what counts, and moves over it.
    try await bus.startKeyring()
    #expect(try await move() == .success(true))
    #expect(try bus.storedSecret() == "newer")
    #expect(FileManager.default.fileExists(atPath: key), "the file goes only when the move is on record")
    #expect(try await remove(.keyring) == nil)
  }

  @Test func onlyAnOpenKeyringTakesTheFilesSecret() async throws {
    try await bus.stopKeyring()
    #expect(try await create() == .success(.file))
    #expect(try await move() == .success(false))
    try await bus.startKeyring()
    try await bus.lockKeyring()
    #expect(try await move() == .success(false))
    try await bus.stopKeyring()
    try scratch.write("two\nlines", to: key)
    try await bus.startKeyring()
    #expect(try await move() == .success(false))
    #expect(try bus.storedSecret() == nil)
  }

  @Test func keyFilesThatAreNoUse() async throws {
    try scratch.write("two\nlines", to: key)
    #expect(try await read(.file) == .unreadable)
    try scratch.write("", to: key)
    #expect(try await read(.file) == .unreadable)
    try await bus.stopKeyring()
    chmod(key, 0o400)
    #expect(try await create() == .failure(.file(.readOnly)))
    if isRoot {
      chown(key, 12_345, 12_345)
      #expect(try await read(.file) == .unreadable)
    }
  }
}

extension SecretReading {
  /// Whether the secret was read.
  var isPresent: Bool { if case .present = self { true } else { false } }
}
