import CGLib
import CGtk
import GLibKit
import GLibShim

/// A field for a secret whose clear text GTK never sees.
///
/// GTK 4.8 hands each key of its own password entry to accessibility clients in the clear. Here what is typed or
/// pasted goes into locked, undumped pages, and the entry itself holds bullets only. Role, name and state of the
/// field stay readable. An answer that PAM asks for in the open is taken by the same field with `isHidden` off;
/// that one is no secret and shows as it is.
public final class SecretEntry: Widget {
  private let secret: OpaquePointer
  private let delegate: Object
  private var isMirroring = false
  private var keyboard: Connected?
  private var told: @MainActor (SecretRefusal?) -> Void = { _ in }

  /// Makes an empty field, or nothing where the machine has no page left for it.
  public init?(label: String) {
    var isLocked: Int32 = 0
    guard let secret = gs_secret_new(&isLocked) else { return nil }
    if isLocked == 0 { Log.warning("The password field's memory could not be locked; it may reach the swap space.") }
    self.secret = secret
    guard let entry = gtk_password_entry_new() else { return nil }
    delegate = Object(borrowing: UnsafeMutableRawPointer(gtk_editable_get_delegate(gk_editable(entry))))
    super.init(sinking: UnsafeMutableRawPointer(entry))
    accessibleLabel(label)
    style("secret")
    gk_secret_text(delegate.cast())
    delegate.on("insert-text") { [weak self] in self?.inserting($0) }
    delegate.on("delete-text") { [weak self] in self?.deleting($0) }
    delegate.on("paste-clipboard") { [weak self] _ in self?.pasting() }
    onMiddleClick { [weak self] in self?.pastePrimary() ?? false }
    // A window may keep the inner text in focus until its next frame, and so longer than the entry around it lives.
    // The entry's own handlers MUST be off by then: GTK 4.8 leaves them on, and they would run with freed memory.
    on("destroy") { [delegate, raw] _ in
      g_signal_handlers_disconnect_matched(delegate.raw, G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, raw)
    }
  }

  isolated deinit { gs_secret_free(secret) }

  /// Whether what is typed is a secret; switching empties the field.
  public var isHidden = true {
    didSet {
      guard oldValue != isHidden else { return }
      clear()
      gtk_text_set_visibility(delegate.cast(), isHidden ? 0 : 1)
    }
  }

  /// Whether it takes what is typed.
  ///
  /// Where not, it keeps the keyboard, so that Escape and Tab still lead somewhere.
  public var isEditable: Bool {
    get { gtk_editable_get_editable(gk_editable(widget)) != 0 }
    set {
      gtk_editable_set_editable(gk_editable(widget), newValue ? 1 : 0)
      setStyle("dim-label", !newValue)
    }
  }

  /// Whether nothing has been typed.
  public var isEmpty: Bool { gtk_editable_get_text(gk_editable(widget)).pointee == 0 }

  /// Wipes what was typed.
  public func clear() {
    gs_secret_clear(secret)
    isMirroring = true
    gtk_editable_set_text(gk_editable(widget), "")
    isMirroring = false
  }

  /// Hands the bytes to the body, then wipes them and empties the field.
  public func take(_ body: (UnsafeRawBufferPointer) -> Void) {
    var length = 0
    let bytes = gs_secret_bytes(secret, &length)
    body(UnsafeRawBufferPointer(start: bytes, count: length))
    clear()
  }

  /// Runs the body on Enter.
  @discardableResult
  public func onEnter(_ body: @escaping @MainActor () -> Void) -> Self {
    on("activate") { _ in body() }
    return self
  }

  /// Runs the body whenever the text changes.
  @discardableResult
  public func onEdit(_ body: @escaping @MainActor () -> Void) -> Self {
    on("changed") { _ in body() }
    return self
  }

  /// Runs the body now and whenever Caps Lock goes on or off, as far as the desktop tells.
  public func onCapsLock(_ body: @escaping @MainActor (Bool) -> Void) {
    onFirstMap { [weak self] in
      guard let self, let seat = gdk_display_get_default_seat(gtk_widget_get_display(self.widget)),
        let device = gdk_seat_get_keyboard(seat)
      else { return }
      let keyboard = Object(borrowing: UnsafeMutableRawPointer(device))
      self.keyboard = Connected(
        keyboard.onChange(of: "caps-lock-state") { body(keyboard.bool("caps-lock-state")) }, of: keyboard)
      body(keyboard.bool("caps-lock-state"))
    }
  }

  /// Runs the body at the first key in the field, and then whenever the keyboard's layout is another: with a name such
  /// as "DE", or nothing where the desktop has no name for it and it is the only one.
  public func onLayout(_ body: @escaping @MainActor (String?) -> Void) {
    var last: KeyboardLayout?
    onKeyEvent { event in
      guard let now = KeyboardLayout(of: event), now != last else { return }
      last = now
      body(now.name)
    }
  }

  /// Runs the body with the reason whenever the field does not take a text, and with nothing at the next that it takes.
  public func onRefusal(_ body: @escaping @MainActor (SecretRefusal?) -> Void) { told = body }

  // MARK: What goes in

  private func inserting(_ arguments: SignalArguments) {
    guard !isMirroring, let text = arguments.bytes(1), let position = arguments.pointer(3) else { return }
    var length = arguments.int(2)
    if length < 0 { length = Int(strlen(text)) }
    // Nothing else may see the text: GTK's own handler and those after ours do not run.
    g_signal_stop_emission_by_name(delegate.raw, "insert-text")
    put(UnsafeRawBufferPointer(start: text, count: length), at: position.assumingMemoryBound(to: gint.self))
  }

  /// Puts bytes in and moves the place behind them, or tells why not.
  private func put(_ bytes: UnsafeRawBufferPointer, at place: UnsafeMutablePointer<gint>) {
    guard let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self), !bytes.isEmpty else { return }
    if let refusal = SecretRefusal(bytes) { return refuse(refusal) }
    let count = gs_secret_insert(secret, place.pointee, text, bytes.count)
    guard count > 0 else { return refuse(.tooLong) }
    isMirroring = true
    if isHidden {
      let bullets = String(repeating: "\u{25CF}", count: Int(count))
      gtk_editable_insert_text(delegate.opaque, bullets, -1, place)
    } else {
      gtk_editable_insert_text(delegate.opaque, text, gint(bytes.count), place)
    }
    isMirroring = false
    told(nil)
  }

  private func refuse(_ refusal: SecretRefusal) {
    gtk_widget_error_bell(widget)
    told(refusal)
  }

  // MARK: Paste

  /// In place of GTK's own paste; see `SecretPaste`.
  private func pasting() {
    g_signal_stop_emission_by_name(delegate.raw, "paste-clipboard")
    paste(gtk_widget_get_clipboard(widget))
  }

  private func pastePrimary() -> Bool {
    guard let settings = gtk_settings_get_default(),
      Object(borrowing: UnsafeMutableRawPointer(settings)).bool("gtk-enable-primary-paste")
    else { return false }
    grabFocus()
    paste(gtk_widget_get_primary_clipboard(widget))
    return true
  }

  private func paste(_ clipboard: OpaquePointer) {
    guard isEditable else { return gtk_widget_error_bell(widget) }
    // One byte more than fits, by which it shows that there is more.
    SecretPaste.read(clipboard, atMost: Int(GS_SECRET_LIMIT) + 1) { [weak self] bytes in
      guard let self, self.isEditable else { return }
      if let bytes { self.replaceSelection(with: bytes) } else { self.refuse(.nothingThere) }
    }
  }

  /// All or nothing: where the bytes do not go in, what was selected stays.
  private func replaceSelection(with bytes: UnsafeRawBufferPointer) {
    if let refusal = SecretRefusal(bytes) { return refuse(refusal) }
    var start: gint = 0
    var end: gint = 0
    gtk_editable_get_selection_bounds(delegate.opaque, &start, &end)
    let kept = gs_secret_length(secret, 0, -1) - gs_secret_length(secret, start, end)
    guard bytes.count <= Int(GS_SECRET_LIMIT - kept) else { return refuse(.tooLong) }
    gtk_editable_delete_selection(delegate.opaque)
    var place = gtk_editable_get_position(delegate.opaque)
    put(bytes, at: &place)
    gtk_editable_set_position(delegate.opaque, place)
  }

  private func deleting(_ arguments: SignalArguments) {
    guard !isMirroring else { return }
    gs_secret_delete(secret, Int32(arguments.int(1)), Int32(arguments.int(2)))
  }
}
