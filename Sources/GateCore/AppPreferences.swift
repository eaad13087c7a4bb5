/// What the user has chosen, and what the gates remember; each change is saved at once.
///
/// Main thread.
///
/// Changes that others make to the file while the app runs are taken over, as far as `OutsideRule` lets them: they may
/// lock, never unlock.
@MainActor
public final class AppPreferences {
  /// Tells the name of each key whose value has changed, whoever changed it.
  public let changed = Listeners<String>()
  /// How the file was found last.
  public private(set) var state: PreferencesState
  /// Where the file is, with `~` for the home folder.
  public let path: String
  /// False where the file could not be read at launch: the lock is then on, and consent has not been given.
  ///
  /// It stays so for this run. A file that becomes unreadable later takes nothing away: what was read is in memory.
  public let isTrusted: Bool

  private let client: PreferencesClient
  private let bus: AppErrorBus
  private let outsideRules: [String: OutsideRule]
  private var values: [String: String]
  /// What could not be saved.
  ///
  /// It is tried again with the next change, and the file does not overrule it.
  private var unsaved: [String: String] = [:]
  /// The file is gone or was begun afresh: the next change writes all that is in memory.
  private var mustWriteAll = false
  /// Of which keys the user was told that they cannot be saved, and why.
  private var told: [String: FileFault] = [:]
  private var watching: AnyObject?

  /// Reads the file, posts what is wrong with it, and follows it from then on.
  public init(
    client: PreferencesClient, bus: AppErrorBus, outsideRules: [OutsideRule] = BiometricController.outsideRules
  ) {
    self.client = client
    self.bus = bus
    self.outsideRules = Dictionary(outsideRules.map { ($0.name, $0) }) { $1 }
    let snapshot = client.load()
    state = snapshot.state
    path = snapshot.path
    switch snapshot.state {
    case .unreadable(let fault):
      values = [:]
      isTrusted = false
      bus.post(.preferencesUnreadable(path: snapshot.path, fault))
    case .repaired(let copy):
      values = snapshot.values
      isTrusted = true
      bus.post(.preferencesDamaged(copy: copy))
    case .absent, .sound:
      values = snapshot.values
      isTrusted = true
    }
    watching = client.watch { [weak self] in self?.takeOver($0) }
  }

  /// The value in force.
  public subscript<Value>(_ key: PreferenceKey<Value>) -> Value { key.value(of: values[key.name]) }

  /// Sets one preference; see `set(many:)`.
  public func set<Value>(_ key: PreferenceKey<Value>, to value: Value) {
    set(many: [PreferenceChange(key, value)])
  }

  /// Sets preferences that belong together, in one write.
  ///
  /// Where they cannot be saved, they hold for this run and `preferencesNotSaved` is posted: once for each key, until
  /// a save succeeds or the cause changes, so that a counter does not bring the message back again and again.
  public func set(many changes: [PreferenceChange]) {
    var pending: [String: String] = [:]
    var names: [String] = []
    for change in changes where values[change.name] != change.text || unsaved[change.name] != nil {
      if values[change.name] != change.text { names.append(change.name) }
      values[change.name] = change.text
      pending[change.name] = change.text
    }
    guard !pending.isEmpty else { return }
    save(pending)
    for name in names { changed.notify(name) }
  }

  /// Whether what is in force is in the file too, as far as is known.
  public func isSaved<Value>(_ key: PreferenceKey<Value>) -> Bool { unsaved[key.name] == nil }

  private func save(_ changes: [String: String]) {
    let pending = mustWriteAll ? values : unsaved.merging(changes) { $1 }
    do throws(FileFault) {
      try client.save(pending)
      unsaved = [:]
      told = [:]
      mustWriteAll = false
      if state == .absent { state = .sound }
    } catch {
      unsaved.merge(changes) { $1 }
      let isNews = changes.keys.contains { told[$0] != error }
      for name in changes.keys { told[name] = error }
      if isNews { bus.post(.preferencesNotSaved(path: path, error)) }
    }
  }

  /// Takes over what others have made of the file.
  private func takeOver(_ snapshot: PreferencesSnapshot) {
    // Nothing that comes later can make good a launch without preferences: that takes a new start.
    guard isTrusted else { return }
    state = snapshot.state
    switch snapshot.state {
    case .sound:
      mustWriteAll = false
      merge(snapshot.values)
    case .absent:
      // Deleted, or between the two halves of an editor's save: what was read is still true.
      mustWriteAll = true
    case .unreadable:
      break
    case .repaired(let copy):
      bus.post(.preferencesDamaged(copy: copy))
      // Only the lock comes from the fresh file; the rest is still in memory, and goes back into it.
      let lock = PreferenceKey<Bool>.biometricEnabled.name
      mustWriteAll = true
      merge(values.merging([lock: snapshot.values[lock] ?? "true"]) { $1 }, overruling: true)
      save(values)
    }
  }

  private func merge(_ found: [String: String], overruling: Bool = false) {
    var names: [String] = []
    for name in Set(values.keys).union(found.keys).sorted() where values[name] != found[name] {
      guard overruling || unsaved[name] == nil else { continue }
      if let rule = outsideRules[name], !rule.allows(values[name], found[name]) { continue }
      values[name] = found[name]
      unsaved[name] = nil
      names.append(name)
    }
    for name in names { changed.notify(name) }
  }
}
