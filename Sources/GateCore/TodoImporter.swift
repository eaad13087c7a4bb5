/// One import, from the choice of a file to the end: read, looked at, and then done or not.
///
/// Main thread. Nothing is changed before `confirm`; from then on it goes through to its end, locked or not.
@MainActor
public final class TodoImporter {
  /// How far it is.
  public enum Stage {
    /// The file is being read; the part that is done, from 0 to 1.
    case reading(Double)
    /// What it would bring, for the user to look at.
    case preview(TodoImport)
    /// It is being added.
    case adding(TodoImport)
    /// It could not be added, and nothing was changed; `confirm` tries again.
    case notAdded(TodoImport, FileFault)
    /// It is done; these are new.
    case added([Todo])
    /// The file brings nothing.
    case failed(TodoImportFault)
  }

  /// How far it is.
  public private(set) var stage = Stage.reading(0)
  /// Tells of each stage.
  public let changed = Listeners<Stage>()
  /// Runs after each try to add, with or without success, though nobody listens any more.
  public var ended: @MainActor (TodoImporter) -> Void = { _ in }

  private let client: TodoFileClient
  private let items: @MainActor () -> [Todo]
  private let reload: @MainActor () -> Void
  private var task: Task<Void, Never>?

  /// Takes the client, the todos that are here, and what reads the list anew after a change.
  public init(
    _ client: TodoFileClient, items: @escaping @MainActor () -> [Todo], reload: @escaping @MainActor () -> Void
  ) {
    self.client = client
    self.items = items
    self.reload = reload
  }

  /// Reads a file.
  public func open(_ path: String) {
    task?.cancel()
    move(.reading(0))
    task = Task { [weak self, client, items] in
      let stage: Stage
      do throws(TodoImportFault) {
        stage = .preview(
          try await client.read(path, items()) { [weak self] part in
            if case .reading = self?.stage { self?.move(.reading(part)) }
          })
      } catch {
        stage = .failed(error)
      }
      // Called off, or another file was chosen meanwhile.
      if !Task.isCancelled { self?.move(stage) }
    }
  }

  /// Adds what the preview shows.
  public func confirm() {
    let found: TodoImport
    switch stage {
    case .preview(let shown), .notAdded(let shown, _): found = shown
    default: return
    }
    guard !found.new.isEmpty else { return }
    move(.adding(found))
    // Held until it is through: the page may be left meanwhile.
    Task {
      do throws(FileFault) {
        let added = try await client.add(found.new)
        reload()
        move(.added(added))
      } catch {
        move(.notAdded(found, error))
      }
      ended(self)
    }
  }

  /// Ends the reading of the file; what is being added goes on.
  public func cancel() {
    task?.cancel()
    task = nil
  }

  /// Takes back what was added; nil where that could be done.
  public func undo() async -> FileFault? {
    guard case .added(let added) = stage else { return nil }
    do throws(FileFault) {
      try await client.takeBack(added)
      reload()
      return nil
    } catch {
      return error
    }
  }

  private func move(_ stage: Stage) {
    self.stage = stage
    changed.notify(stage)
  }
}
