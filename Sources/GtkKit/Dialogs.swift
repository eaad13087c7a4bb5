import CGtk
import GLibKit

/// A question over the window.
public final class MessageDialog: Widget {
  /// How an answer looks.
  public enum Look { case plain, suggested, destructive }

  /// Makes a question; heading and body are plain text, Escape gives the first answer.
  public init(over parent: Window?, heading: String, body: String, child: Widget? = nil) {
    super.init(sinking: adw_message_dialog_new(parent?.cast(), heading, body))
    if let child { adw_message_dialog_set_extra_child(cast(), child.widget) }
    closeInspector()
  }

  /// Adds an answer.
  @discardableResult
  public func answer(_ id: String, _ words: String, _ look: Look = .plain) -> Self {
    gk_message_dialog_response(cast(), id, words)
    let appearance =
      switch look {
      case .plain: ADW_RESPONSE_DEFAULT
      case .suggested: ADW_RESPONSE_SUGGESTED
      case .destructive: ADW_RESPONSE_DESTRUCTIVE
      }
    adw_message_dialog_set_response_appearance(cast(), id, appearance)
    return self
  }

  /// The answer of Escape and of closing.
  @discardableResult
  public func closeAnswer(_ id: String) -> Self {
    adw_message_dialog_set_close_response(cast(), id)
    return self
  }

  /// The answer of Enter.
  @discardableResult
  public func defaultAnswer(_ id: String) -> Self {
    adw_message_dialog_set_default_response(cast(), id)
    return self
  }

  /// Whether an answer can be given now.
  public func enable(_ id: String, _ isEnabled: Bool) {
    adw_message_dialog_set_response_enabled(cast(), id, isEnabled ? 1 : 0)
  }

  /// Shows it, and runs the body once with the answer.
  public func ask(_ body: @escaping @MainActor (String) -> Void) {
    on("response") { body($0.string(1) ?? "") }
    gtk_window_present(cast())
  }

  /// Takes it away without an answer.
  public func dismiss() { gtk_window_destroy(cast()) }
}

/// A small window of the app's own over its main one; it stays until it is dismissed, Escape does so too.
public final class Sheet: Widget {
  /// Makes a sheet around its content.
  public init(over parent: Window?, title: String, _ content: Widget) {
    super.init(sinking: adw_window_new())
    gtk_window_set_title(cast(), title)
    gtk_window_set_modal(cast(), 1)
    gtk_window_set_transient_for(cast(), parent?.cast())
    gtk_window_set_default_size(cast(), 340, -1)
    gtk_window_set_resizable(cast(), 0)
    adw_window_set_content(cast(), content.widget)
    closeInspector()
    onKey { [weak self] in
      guard $0 == .escape else { return false }
      self?.close()
      return true
    }
  }

  /// Runs the body once, when the sheet is on its way out, however it is left.
  ///
  /// Not GTK's "destroy": that comes with the last reference, and whoever keeps the sheet until its end holds one.
  public func onEnd(_ body: @escaping @MainActor () -> Void) {
    end = body
    on("close-request") { [weak self] arguments in
      self?.finish()
      arguments.answer(false)
    }
  }

  private var end: (@MainActor () -> Void)?

  private func finish() {
    let end = end
    self.end = nil
    end?()
  }

  /// Shows it.
  public func show() { gtk_window_present(cast()) }

  /// Closes it, as its close button does.
  public func close() { gtk_window_close(cast()) }

  /// Takes it away.
  public func dismiss() {
    finish()
    gtk_window_destroy(cast())
  }
}
