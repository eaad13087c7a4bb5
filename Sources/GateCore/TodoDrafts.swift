/// A text that is half-typed, and where its cursor stands.
public struct Draft: Hashable, Sendable {
  /// The text, as it stands in the field.
  public var text: String
  /// The place of the cursor, in characters from the start.
  public var cursor: Int

  /// Takes both.
  public init(_ text: String, cursor: Int) {
    self.text = text
    self.cursor = cursor
  }
}

/// The title of a todo that is being edited.
public struct TitleDraft: Hashable, Sendable {
  /// What is in the field.
  public var draft: Draft
  /// The title that the todo had meanwhile: it tells whether a number still means the same todo.
  public var was: String

  /// Takes both.
  public init(_ draft: Draft, was: String) {
    self.draft = draft
    self.was = was
  }
}

/// All that is half-typed in the list of todos.
///
/// Blank texts and titles that are as they were are not in it: nobody misses them.
public struct TodoDrafts: Hashable, Sendable {
  /// The todo that is to be added; nothing where none has been begun.
  public let new: Draft?
  /// The titles that are being edited, by the number of their todo.
  public let titles: [Int64: TitleDraft]
  /// The number of the todo whose title has the keyboard; nothing where the keyboard is elsewhere.
  public let focus: Int64?

  /// Takes what is in the fields, and leaves out what is not worth keeping.
  public init(new: Draft? = nil, titles: [Int64: TitleDraft] = [:], focus: Int64? = nil) {
    self.new = new.flatMap { Todo.title(from: $0.text) == nil ? nil : $0 }
    let changed = titles.filter { Todo.title(from: $1.draft.text) != nil && $1.draft.text != $1.was }
    self.titles = changed
    self.focus = focus.flatMap { changed[$0] == nil ? nil : $0 }
  }

  /// Whether nothing is half-typed.
  public var isEmpty: Bool { new == nil && titles.isEmpty }

  /// What of it has a place in this list.
  ///
  /// A title whose todo is there no more (a new list was begun, say) goes into the field for new ones where that is
  /// free: the oldest of them.
  public func fitting(_ items: [Todo]) -> TodoDrafts {
    let known = Dictionary(items.map { ($0.id, $0.title) }) { first, _ in first }
    let fits = titles.filter { known[$0] == $1.was }
    let left = titles.filter { fits[$0.key] == nil }.min { $0.key < $1.key }
    return TodoDrafts(new: new ?? left?.value.draft, titles: fits, focus: focus)
  }
}

/// How drafts are kept from one run to the next.
///
/// Main thread; each call may block on the disk for a few milliseconds.
public struct TodoDraftClient {
  /// What was kept; nothing half-typed where there is no file.
  public var load: @MainActor () throws(FileFault) -> TodoDrafts
  /// Keeps these in place of those before; none at all takes the file away.
  ///
  /// The disk is waited for where the second value says so; without, a power cut may take them.
  public var save: @MainActor (TodoDrafts, Bool) throws(FileFault) -> Void

  /// Takes the two ways.
  public init(
    load: @escaping @MainActor () throws(FileFault) -> TodoDrafts,
    save: @escaping @MainActor (TodoDrafts, Bool) throws(FileFault) -> Void
  ) {
    self.load = load
    self.save = save
  }
}
