/// Keeps what is half-typed over quits and crashes, and writes only what is new.
///
/// Main thread.
///
/// A draft that cannot be kept is no reason to stop anybody: the fault is handed back to be told, and the next call
/// tries again.
@MainActor
public final class TodoDraftKeeper {
  /// What lies on disk, as far as this run knows.
  public private(set) var kept = TodoDrafts()

  private let client: TodoDraftClient
  /// Before the file was looked at, nothing of this run may take its place.
  private var isLoaded = false
  /// Whether what was kept last would be there after a power cut.
  private var isDurable = true

  /// Takes the file; `load()` reads it.
  public init(_ client: TodoDraftClient) { self.client = client }

  /// Reads what was kept, once, and gives it a place among these todos; hands back why it cannot be read.
  ///
  /// Nothing at all after the first time.
  public func load(for items: [Todo]) -> (drafts: TodoDrafts, fault: FileFault?)? {
    guard !isLoaded else { return nil }
    isLoaded = true
    do throws(FileFault) {
      kept = try client.load()
      return (kept.fitting(items), nil)
    } catch {
      return (TodoDrafts(), error)
    }
  }

  /// Keeps these, where others are on disk; hands back why they cannot be kept.
  ///
  /// Without `durably` the disk is not waited for; the next call that waits writes them once more.
  public func keep(_ drafts: TodoDrafts, durably: Bool = true) -> FileFault? {
    guard isLoaded, drafts != kept || (durably && !isDurable) else { return nil }
    do throws(FileFault) {
      try client.save(drafts, durably)
      kept = drafts
      isDurable = durably
      return nil
    } catch {
      return error
    }
  }
}
