import CGtk
import GLibKit
import GateCore
import GtkKit

@MainActor
let secretEntryTests = Suite(
  "SecretEntry",
  [
    Test("mirrors what is typed, and shows bullets only", typed),
    Test("mirrors edits in the middle of text of many bytes", editsInTheMiddle),
    Test("mirrors a selection that is typed over, and the keys that delete", selections),
    Test("gives nothing to the clipboard", copiesNothing),
    Test("does not take its own bullets back by undo", undo),
    Test("hands the bytes over once, then wipes them", takes),
    Test("refuses what is too long as a whole", tooLong),
    Test("shows an answer that is no secret, and wipes at the change", openAnswer),
    Test("equals a model over random edits", randomEdits),
    Test("goes while it has the keyboard", goesInFocus),
    Test("no handler that comes later sees the clear text", nothingLeaks),
  ])

private let bullet: Unicode.Scalar = "\u{25CF}"

@MainActor
private func withField(_ body: (SecretEntry, OpaquePointer) -> Void) {
  let before = Census()
  do {
    guard let field = need(SecretEntry(label: "Password"), "memory for the field") else { return }
    body(field, gk_editable(field.widget))
  }
  expect(Census(), is: before, "the census afterwards")
}

@MainActor
func insert(_ text: String, at place: Int, _ editable: OpaquePointer) {
  var position = gint(place)
  gtk_editable_insert_text(editable, text, -1, &position)
}

@MainActor
func shown(_ editable: OpaquePointer) -> String { String(cString: gtk_editable_get_text(editable)) }

@MainActor
func bytes(_ field: SecretEntry) -> String {
  var text = ""
  field.take { text = String(decoding: $0, as: UTF8.self) }
  return text
}

@MainActor
private func hasOnlyBullets(_ editable: OpaquePointer) -> Bool {
  shown(editable).unicodeScalars.allSatisfy { $0 == bullet }
}

/// The part of the field that takes the keys.
@MainActor
func inner(_ field: SecretEntry) -> GtkPointer? { Tree.find("GtkText", in: field.widget).first }

@MainActor
private func typed() {
  withField { field, editable in
    expect(field.isEmpty, "an empty field")
    for (place, letter) in ["h", "u", "n", "t", "é", "r", "2"].enumerated() { insert(letter, at: place, editable) }
    expect(shown(editable), is: "●●●●●●●", "what GTK holds")
    expect(Int(gtk_editable_get_position(editable)) <= 7, "a cursor within the text")
    expect(!field.isEmpty, "a field that is not empty")
    expect(bytes(field), is: "huntér2", "the secret")
  }
}

@MainActor
private func editsInTheMiddle() {
  withField { field, editable in
    insert("añ€🔑z", at: 0, editable)
    insert("日本", at: 2, editable)
    gtk_editable_delete_text(editable, 1, 3)
    insert("ß", at: 1, editable)
    gtk_editable_delete_text(editable, 4, 5)
    expect(shown(editable), is: "●●●●●", "what GTK holds")
    expect(bytes(field), is: "aß本€z", "the secret")
    insert("🔑🔑🔑", at: 0, editable)
    gtk_editable_delete_text(editable, 1, -1)
    expect(bytes(field), is: "🔑", "the secret after a deletion to the end")
  }
}

@MainActor
private func selections() {
  withField { field, editable in
    guard let text = need(inner(field), "the inner text") else { return }
    insert("één twee drie", at: 0, editable)
    gtk_editable_select_region(editable, 4, 8)
    gtk_editable_delete_selection(editable)
    insert("2", at: Int(gtk_editable_get_position(editable)), editable)
    gtk_editable_set_position(editable, 1)
    Tree.emit("backspace", of: text)
    gtk_editable_set_position(editable, -1)
    Tree.emit("backspace", of: text)
    expect(hasOnlyBullets(editable), "bullets only")
    expect(bytes(field), is: "én 2 dri", "the secret")
  }
}

@MainActor
private func copiesNothing() {
  withField { field, editable in
    guard let text = need(inner(field), "the inner text") else { return }
    let clipboard = gtk_widget_get_clipboard(field.widget)
    gdk_clipboard_set_text(clipboard, "before")
    let content = gdk_clipboard_get_content(clipboard)
    insert("hunter2", at: 0, editable)
    gtk_editable_select_region(editable, 0, -1)
    Tree.emit("copy-clipboard", of: text)
    Tree.emit("cut-clipboard", of: text)
    expect(gdk_clipboard_get_content(clipboard) == content, "the clipboard as it was")
    expect(bytes(field), is: "hunter2", "the secret")
  }
}

@MainActor
private func undo() {
  withField { field, editable in
    guard let text = need(inner(field), "the inner text") else { return }
    insert("hunter2", at: 0, editable)
    gtk_editable_delete_text(editable, 2, 5)
    for _ in 0..<3 { gk_activate_action(text, "text.undo") }
    for _ in 0..<2 { gk_activate_action(text, "text.redo") }
    let count = shown(editable).unicodeScalars.count
    let secret = bytes(field)
    expect(!secret.unicodeScalars.contains(bullet), "no bullet in the secret")
    expect(secret.unicodeScalars.count, is: count, "the length of the secret beside what GTK holds")
  }
}

@MainActor
private func takes() {
  withField { field, editable in
    insert("hunter2", at: 0, editable)
    var address: UnsafePointer<UInt8>?
    field.take { bytes in
      address = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      expect(bytes.count, is: 7, "the length")
    }
    guard let address = need(address, "an address") else { return }
    // The pages are the field's own for as long as it lives.
    let left = UnsafeBufferPointer(start: address, count: 7)
    expect(left.allSatisfy { $0 == 0 }, "the bytes wiped")
    expect(field.isEmpty && shown(editable).isEmpty, "an empty field")
    field.take { expect($0.count, is: 0, "the length after that") }
    insert("x", at: 0, editable)
    expect(bytes(field), is: "x", "the next secret")
    insert("secret", at: 0, editable)
    field.clear()
    expect(left.allSatisfy { $0 == 0 } && field.isEmpty, "nothing left after clear()")
    insert("abc", at: 0, editable)
    gtk_editable_delete_text(editable, 1, 3)
    expect(left[1] == 0 && left[2] == 0, "what was deleted wiped")
  }
}

@MainActor
private func tooLong() {
  withField { field, editable in
    var limit = 0
    while limit < 100_000 {
      insert("x", at: limit, editable)
      guard shown(editable).utf8.count / 3 > limit else { break }
      limit += 1
    }
    expect(limit, is: BadInput.longest, "the bytes that the field takes")
    expect(bytes(field), is: String(repeating: "x", count: limit), "the secret at its limit")
    insert(String(repeating: "y", count: limit - 4), at: 0, editable)
    insert("12345", at: 3, editable)
    expect(shown(editable).unicodeScalars.count, is: limit - 4, "what GTK holds after five bytes too many")
    insert("🔑", at: 3, editable)
    expect(
      bytes(field), is: "yyy🔑" + String(repeating: "y", count: limit - 7), "the secret, which took all or nothing")
  }
}

@MainActor
private func openAnswer() {
  withField { field, editable in
    insert("hunter2", at: 0, editable)
    field.isHidden = false
    expect(shown(editable), is: "", "what GTK holds after the change")
    insert("agnès", at: 0, editable)
    gtk_editable_delete_text(editable, 1, 2)
    expect(shown(editable), is: "anès", "what GTK holds of an open answer")
    expect(bytes(field), is: "anès", "the answer")
    insert("again", at: 0, editable)
    field.isHidden = true
    expect(shown(editable), is: "", "what GTK holds after the change back")
    insert("hunter2", at: 0, editable)
    expect(hasOnlyBullets(editable), "bullets only")
    expect(bytes(field), is: "hunter2", "the secret")
  }
}

@MainActor
private func randomEdits() {
  let alphabet = ["a", "Z", "7", " ", "é", "ß", "€", "日", "🔑", "e\u{301}", "\u{200D}", "ا", "●"]
  for seed in 1...40 as ClosedRange<UInt64> {
    var numbers = SeededNumbers(state: seed)
    withField { field, editable in
      var model: [Unicode.Scalar] = []
      for _ in 0..<60 {
        if model.isEmpty || Int.random(in: 0..<3, using: &numbers) > 0 {
          let place = Int.random(in: 0...model.count, using: &numbers)
          let text = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
            alphabet[Int.random(in: 0..<alphabet.count, using: &numbers)]
          }.joined()
          insert(text, at: place, editable)
          model.insert(contentsOf: Array(text.unicodeScalars), at: place)
        } else {
          let start = Int.random(in: 0..<model.count, using: &numbers)
          let end = Int.random(in: start...model.count, using: &numbers)
          gtk_editable_delete_text(editable, gint(start), gint(end))
          model.removeSubrange(start..<end)
        }
        guard
          expect(
            shown(editable), is: String(repeating: "●", count: model.count), "what GTK holds with seed \(seed)")
        else { return }
      }
      var wanted = String.UnicodeScalarView()
      wanted.append(contentsOf: model)
      let found = bytes(field)
      // As bytes: Swift takes texts for equal that are so by their meaning only.
      expect(Array(found.utf8), is: Array(String(wanted).utf8), "the secret with seed \(seed)")
    }
  }
}

/// The window holds what it has in focus until its next frame; a handler of GTK's own that ran then would warn.
@MainActor
private func goesInFocus() {
  let window = Window(Stage.application, title: "Gone")
  let place = Bin()
  window.content = place
  window.present()
  Stage.until("the window in front") { gtk_window_is_active(window.cast()) != 0 }
  do {
    guard let field = need(SecretEntry(label: "Password"), "memory for the field") else { return }
    place.child = Box(.vertical, [field])
    Stage.until("the field on the screen") { gtk_widget_get_mapped(field.widget) != 0 }
    field.grabFocus()
    // The wrapper goes before the field leaves the window, as when a page ends with its gate.
  }
  place.child = nil
  let held = gtk_window_get_focus(window.cast()).map { Tree.typeName($0) }
  expect(held, is: "GtkText", "what the window still holds, without which this test means nothing,")
  window.content = nil
  window.destroy()
  Stage.drain()
}

@MainActor
private func nothingLeaks() {
  withField { field, editable in
    guard let text = need(inner(field), "the inner text") else { return }
    var seen: [String] = []
    let watched = Object(borrowing: UnsafeMutableRawPointer(text))
    watched.on("insert-text") { seen.append($0.string(1) ?? "") }
    watched.onChange(of: "text") { seen.append(shown(editable)) }
    field.on("changed") { _ in seen.append(shown(editable)) }
    insert("hunter2", at: 0, editable)
    insert("日", at: 2, editable)
    expect(!seen.isEmpty, "handlers to have run")
    expect(seen.allSatisfy { $0.unicodeScalars.allSatisfy { $0 == bullet } }, "bullets only, not \(seen)")
    field.clear()
  }
}
