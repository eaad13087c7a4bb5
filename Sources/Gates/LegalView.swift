import GateCore
import GLibKit
import GtkKit

/// One of the bundled legal texts, readable inside the app, and to be saved as a file.
@MainActor
public final class LegalView {
  /// The page, with its own header bar.
  public let widget: Widget
  private let back: Button
  private weak var host: Host?
  private let document: LegalDocument
  private let text: String?
  /// What came of saving, or why an address did not open; it lives as long as this view, which whoever shows the page
  /// has to keep.
  private let note = Label.alert()

  /// Makes the page; `close` leaves it.
  public init(
    _ document: LegalDocument, host: Host, secrets: AppSecrets, close: @escaping @MainActor () -> Void
  ) {
    self.document = document
    self.host = host
    text = document.text(host)
    back = Button(icon: "go-previous-symbolic", label: tr("Back")).onClick(close)
    let header = HeaderBar(title: Label(document.title).oneLine().style("heading")).start(back)
    let column = Box(.vertical, spacing: 12).margin(18, vertical: 24)
    widget = Page.frame(Scrolled(Clamp(column, width: 640)), header: header)
    note.isVisible = false
    let open: @MainActor (String) -> Void = { [weak self, weak host] address in
      host?.open(address) { answer in self?.say(answer?.words ?? "", isFault: true) }
    }
    let buttons = Box(.horizontal, spacing: 12)
    if let address = document.address(in: secrets) {
      buttons.append(Button(tr("_View online")).tooltip(address).onClick { open(address) })
    }
    if text != nil { buttons.append(Button(tr("_Save as a File…")).onClick { [weak self] in self?.save() }) }
    column.append(buttons).append(note)
    guard let text else {
      column.append(Label(tr("This text is missing from the installation. Install the app’s package again.")).leading())
      return
    }
    for block in LegalText.widgets(LegalContent.parse(text), open: open) { column.append(block) }
  }

  /// Gives the keyboard to the page.
  public func grabFocus() { back.grabFocus() }

  private func save() {
    guard let text else { return }
    // The dialog itself asks before it lets a file be replaced.
    FileChooser.save(
      over: host?.window, title: tr("Save “%s”", document.title),
      name: "app-gates-\(document.fileName)-\(LegalContent.version).md"
    ) { [weak self] in if let path = $0 { self?.write(text, to: path) } }
  }

  private func write(_ text: String, to path: String) {
    do throws(SystemError) {
      try Files.write([UInt8](text.utf8), to: path, mode: 0o644)
      say(tr("Saved."), isFault: false)
    } catch {
      say(tr("It could not be saved: %s. Choose another place.", error.words), isFault: true)
    }
  }

  private func say(_ words: String, isFault: Bool) {
    note.text = words
    note.setStyle("error", isFault)
    note.isVisible = !words.isEmpty
  }
}
