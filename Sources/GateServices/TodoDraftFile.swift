import GLibKit
import GateCore

/// What is half-typed, on disk: `todo-drafts.ini` beside the todos, readable by the user alone.
///
/// A file of its own and not a table of the database: a draft is wanted most where the list itself cannot be written,
/// and an older version of the app is to read the list still. Main thread only.
@MainActor
struct TodoDraftFile {
  private static let group = "drafts"

  let path: String
  let wall: () -> Int64

  /// Reads it; no file is nothing half-typed.
  ///
  /// Throws what is wrong with it; a damaged one is kept beside as `todo-drafts.ini.damaged-<time>`.
  func load() throws(FileFault) -> TodoDrafts {
    do throws(FileFault) {
      let file = try ConfigFile.read(path, group: Self.group) { $0 == FileFacts.ourUser }
      return TodoDrafts(keys: file.texts(of: Self.group))
    } catch {
      if error == .missing { return TodoDrafts() }
      if error == .damaged || error == .empty {
        try? Files.rename(path, to: Files.freeName(path + ".damaged-" + UtcTime.compact(wall())))
      }
      throw error
    }
  }

  /// Puts these in the place of what was there; with nothing half-typed the file goes.
  ///
  /// The disk may take far longer than a frame: without `durably` it is not waited for.
  func save(_ drafts: TodoDrafts, durably: Bool = true) throws(FileFault) {
    guard Files.isReplaceable(path) else { throw .readOnly }
    if drafts.isEmpty { return try remove(durably: durably) }
    let file = KeyFile()
    for (key, text) in drafts.keys.sorted(by: { $0.key < $1.key }) { file.set(key, in: Self.group, to: text) }
    try Files.faulting { () throws(SystemError) in
      try Files.makeFolder(Files.folder(of: path))
      try Files.write(file.content, to: path, isDurable: durably)
    }
  }

  private func remove(durably: Bool) throws(FileFault) {
    // One that went without waiting is waited for as well.
    guard Files.exists(path) || (durably && Files.exists(Files.folder(of: path))) else { return }
    try Files.faulting { () throws(SystemError) in
      if Files.exists(path) { try Files.remove(path) }
      // After a power cut it would be there again, beside the todo that was made of it.
      if durably { try Files.sync(folder: Files.folder(of: path)) }
    }
  }
}

extension TodoDraftClient {
  /// Drafts in the file beside a store's database.
  @MainActor
  public static func live(_ store: TodoStore) -> TodoDraftClient {
    let file = store.drafts
    return TodoDraftClient(
      load: { () throws(FileFault) in try file.load() },
      save: { (drafts, durably) throws(FileFault) in try file.save(drafts, durably: durably) })
  }
}

extension TodoDrafts {
  /// Reads `new` and `newCursor`; `title-N`, `titleWas-N` and `titleCursor-N` of todo N; and `focus`, such an N.
  ///
  /// What does not fit together is left out.
  fileprivate init(keys: [String: String]) {
    var titles: [Int64: TitleDraft] = [:]
    for (key, text) in keys where key.hasPrefix("title-") {
      let number = String(key.dropFirst(6))
      guard let id = Int64(number), let was = keys["titleWas-" + number] else { continue }
      titles[id] = TitleDraft(Draft(text, cursor: keys["titleCursor-" + number]), was: was)
    }
    self.init(
      new: keys["new"].map { Draft($0, cursor: keys["newCursor"]) }, titles: titles,
      focus: keys["focus"].flatMap { Int64($0) })
  }

  fileprivate var keys: [String: String] {
    var keys: [String: String] = [:]
    if let new {
      keys["new"] = new.text
      keys["newCursor"] = String(new.cursor)
    }
    for (id, title) in titles {
      keys["title-\(id)"] = title.draft.text
      keys["titleWas-\(id)"] = title.was
      keys["titleCursor-\(id)"] = String(title.draft.cursor)
    }
    if let focus { keys["focus"] = String(focus) }
    return keys
  }
}

extension Draft {
  /// A cursor that is no place in the text stands at its end.
  fileprivate init(_ text: String, cursor: String?) {
    let place = cursor.flatMap { Int($0) } ?? -1
    let count = text.unicodeScalars.count
    self.init(text, cursor: (0...count).contains(place) ? place : count)
  }
}
