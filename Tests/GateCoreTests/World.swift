import Synchronization

@testable import GateCore

/// Both clocks, moved by hand.
final class HandClock: Sendable {
  private struct Times {
    var wall: Int64 = 1_800_000_000
    var boot: Int64 = 5_000_000
  }
  private let times = Mutex(Times())

  var clock: Clock {
    Clock(wall: { self.wall }, boot: { self.boot })
  }
  var wall: Int64 {
    get { times.withLock { $0.wall } }
    set { times.withLock { $0.wall = newValue } }
  }
  var boot: Int64 {
    get { times.withLock { $0.boot } }
    set { times.withLock { $0.boot = newValue } }
  }
}

/// A preferences file in memory, with others who write to it.
@MainActor
final class MemoryFile {
  var values: [String: String] = [:]
  var state = PreferencesState.sound
  var saveFault: FileFault?
  private(set) var writes: [[String: String]] = []
  private var watchers = Listeners<PreferencesSnapshot>()

  init(_ values: [String: String] = [:], state: PreferencesState = .sound) {
    self.values = values
    self.state = state
  }

  var snapshot: PreferencesSnapshot { PreferencesSnapshot(values: values, state: state, path: "~/p.ini") }

  var client: PreferencesClient {
    PreferencesClient(
      load: { self.snapshot },
      save: { (changes) throws(FileFault) in
        if let fault = self.saveFault { throw fault }
        self.writes.append(changes)
        self.values.merge(changes) { $1 }
        self.state = .sound
      },
      watch: { self.watchers.listen($0) })
  }

  /// Somebody else changes the file.
  func change(_ values: [String: String], state: PreferencesState = .sound) {
    self.values = values
    self.state = state
    watchers.notify(snapshot)
  }

  func change(_ key: String, to text: String?) {
    var values = values
    values[key] = text
    change(values)
  }
}

/// Remembers what a list has told, for as long as it is kept.
@MainActor
final class Heard<Value> {
  private(set) var values: [Value] = []
  private var listening: Listening?

  init(_ listeners: Listeners<Value>) {
    listening = listeners.listen { [weak self] in self?.values.append($0) }
  }

  var count: Int { values.count }
}

/// What most controllers need.
@MainActor
struct World {
  let hands = HandClock()
  let bus = AppErrorBus()
  let file: MemoryFile
  let preferences: AppPreferences

  init(_ values: [String: String] = [:], state: PreferencesState = .sound) {
    file = MemoryFile(values, state: state)
    preferences = AppPreferences(client: file.client, bus: bus)
  }

  var clock: Clock { hands.clock }
  var errors: [AppError] { bus.current.map(\.error) }

  func rating(_ version: String = "1.0") -> RatingController {
    RatingController(preferences: preferences, version: AppVersion(version), clock: clock)
  }
}

/// Calls that are due later, made by hand.
@MainActor
final class HandTimer {
  private final class Token {}
  private struct Call {
    weak var token: Token?
    let at: Int64
    let body: @MainActor () -> Void
  }
  private let hands: HandClock
  private var calls: [Call] = []

  init(_ hands: HandClock) { self.hands = hands }

  var schedule: @MainActor (Int64, @escaping @MainActor () -> Void) -> AnyObject {
    { [self] delay, body in
      let token = Token()
      calls.append(Call(token: token, at: hands.boot + delay, body: body))
      return token
    }
  }

  /// How many calls are due at some time.
  var pending: Int { calls.count { $0.token != nil } }

  /// Lets time pass, and makes each call when it is due.
  func advance(_ milliseconds: Int64) {
    let end = hands.boot + milliseconds
    while let next = calls.filter({ $0.token != nil && $0.at <= end }).min(by: { $0.at < $1.at }) {
      hands.boot = max(hands.boot, next.at)
      calls.removeAll { $0.token == nil || $0.token === next.token }
      next.body()
    }
    hands.boot = end
  }
}

/// Numbers that are the same at each run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
