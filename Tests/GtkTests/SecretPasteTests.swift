import CGtk
import GLibKit
import GateCore
import GtkKit

@MainActor
let secretPasteTests = Suite(
  "SecretPaste",
  [
    Test("takes what is pasted", pasted),
    Test("refuses a paste that is no password, says why, and loses nothing", pasteRefused),
    Test("puts a paste in the place of what is selected, or leaves that as it is", pasteOverSelection),
    Test("says so where nothing was copied", pasteOfNothing),
  ])

@MainActor
private func pasted() {
  let window = Window(Stage.application, title: "Paste")
  guard let field = need(SecretEntry(label: "Password"), "memory for the field"), let text = need(inner(field), "text")
  else { return }
  window.content = field
  window.present()
  Stage.until("the field on the screen") { gtk_widget_get_mapped(field.widget) != 0 }
  field.grabFocus()
  gdk_clipboard_set_text(gtk_widget_get_clipboard(field.widget), "pässwörd 日本")
  Tree.emit("paste-clipboard", of: text)
  Stage.until("the paste") { !field.isEmpty }
  let editable: OpaquePointer = gk_editable(field.widget)
  expect(shown(editable), is: "●●●●●●●●●●●", "what GTK holds")
  expect(bytes(field), is: "pässwörd 日本", "the secret")
  window.destroy()
  Stage.drain()
}

/// A field in a window in front, and what it said of each text.
@MainActor
private func withPaste(_ body: (SecretEntry, GtkPointer, _ paste: (_ bytes: [UInt8]) -> SecretRefusal?) -> Void) {
  let window = Window(Stage.application, title: "Paste")
  guard let field = need(SecretEntry(label: "Password"), "memory for the field"), let text = need(inner(field), "text")
  else { return }
  window.content = field
  window.present()
  Stage.until("the field on the screen") { gtk_widget_get_mapped(field.widget) != 0 }
  field.grabFocus()
  var told: [SecretRefusal?] = []
  field.onRefusal { told.append($0) }
  body(field, text) { bytes in
    told = []
    let content = g_bytes_new(bytes, gsize(bytes.count))
    let provider = gdk_content_provider_new_for_bytes("text/plain;charset=utf-8", content)
    gdk_clipboard_set_content(gtk_widget_get_clipboard(field.widget), provider)
    Tree.emit("paste-clipboard", of: text)
    Stage.until("the field's answer") { !told.isEmpty }
    g_object_unref(UnsafeMutableRawPointer(provider))
    g_bytes_unref(content)
    return told.last ?? nil
  }
  window.destroy()
  Stage.drain()
}

@MainActor
private func pasteRefused() {
  withPaste { field, _, paste in
    expect(paste(Array("before ".utf8)), is: nil, "the answer to a good text")
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: BadInput.longest - 7)
    for (name, bytes, reason) in [
      ("a NUL", Array("hunter2\0".utf8), .noText), ("a NUL in front", Array("\0hunter2".utf8), .noText),
      ("no UTF-8", [0x68, 0xFF, 0x69], .noText), ("half a letter", [0x68, 0xC3], .noText),
      ("a line's end", Array("hunter2\n".utf8), .severalLines), ("a return", Array("a\rb".utf8), .severalLines),
      ("a byte too many", long + [UInt8(ascii: "x")], .tooLong),
      ("a megabyte", [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20), .tooLong),
    ] as [(String, [UInt8], SecretRefusal)] {
      expect(paste(bytes), is: reason, "the answer to \(name)")
    }
    expect(paste(long), is: nil, "the answer to what just fits")
    expect(bytes(field), is: "before " + String(decoding: long, as: UTF8.self), "the secret")
  }
}

@MainActor
private func pasteOverSelection() {
  withPaste { field, text, paste in
    let editable: OpaquePointer = gk_editable(field.widget)
    insert("één twee drie", at: 0, editable)
    gtk_editable_select_region(editable, 4, 8)
    expect(paste(Array("a\nb".utf8)), is: .severalLines, "the answer to two lines")
    expect(paste([UInt8](repeating: UInt8(ascii: "x"), count: 501)), is: .tooLong, "the answer to a byte too many")
    expect(paste(Array("2日".utf8)), is: nil, "the answer to a good text")
    expect(gtk_editable_get_position(editable), is: 6, "the cursor, behind what was pasted")
    expect(shown(editable), is: "●●●●●●●●●●●", "what GTK holds")
    expect(bytes(field), is: "één 2日 drie", "the secret")
    insert("één twee drie", at: 0, editable)
    gtk_editable_select_region(editable, 0, -1)
    expect(
      paste([UInt8](repeating: UInt8(ascii: "x"), count: BadInput.longest)), is: nil, "the answer to what just fits")
    expect(bytes(field).utf8.count, is: BadInput.longest, "the length of the secret")
  }
}

@MainActor
private func pasteOfNothing() {
  let window = Window(Stage.application, title: "Paste")
  guard let field = need(SecretEntry(label: "Password"), "memory for the field"), let text = need(inner(field), "text")
  else { return }
  window.content = field
  window.present()
  Stage.until("the field on the screen") { gtk_widget_get_mapped(field.widget) != 0 }
  var told: [SecretRefusal?] = []
  field.onRefusal { told.append($0) }
  insert("before", at: 0, gk_editable(field.widget))
  told = []
  gdk_clipboard_set_content(gtk_widget_get_clipboard(field.widget), nil)
  Tree.emit("paste-clipboard", of: text)
  Stage.until("the field's answer") { !told.isEmpty }
  expect(told, is: [.nothingThere], "the answer where nothing was copied")
  expect(bytes(field), is: "before", "the secret")
  window.destroy()
  Stage.drain()
}
