import CGtk
import GLibKit

/// A key that screens ask for by name.
public enum Key: Equatable {
  case left, right, up, down, home, end, pageUp, pageDown, enter, escape, delete, space, f2
  case letter(Character)

  init?(_ value: UInt32) {
    switch Int32(bitPattern: value) {
    case GDK_KEY_Left, GDK_KEY_KP_Left: self = .left
    case GDK_KEY_Right, GDK_KEY_KP_Right: self = .right
    case GDK_KEY_Up, GDK_KEY_KP_Up: self = .up
    case GDK_KEY_Down, GDK_KEY_KP_Down: self = .down
    case GDK_KEY_Home, GDK_KEY_KP_Home: self = .home
    case GDK_KEY_End, GDK_KEY_KP_End: self = .end
    case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: self = .pageUp
    case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: self = .pageDown
    case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: self = .enter
    case GDK_KEY_Escape: self = .escape
    case GDK_KEY_Delete, GDK_KEY_KP_Delete: self = .delete
    case GDK_KEY_space: self = .space
    case GDK_KEY_F2: self = .f2
    default:
      guard let scalar = Unicode.Scalar(gdk_keyval_to_unicode(value)), scalar.value != 0 else { return nil }
      self = .letter(Character(scalar))
    }
  }
}

extension Widget {
  /// Runs the body for keys pressed in the widget or below it, before the widget in focus sees them where `first`.
  ///
  /// The body says whether it took the key; keys held together with Control or Alt are not offered.
  public func onKey(first: Bool = false, _ body: @escaping @MainActor (Key) -> Bool) {
    let keys = Object(borrowing: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
    gtk_event_controller_set_propagation_phase(keys.opaque, first ? GTK_PHASE_CAPTURE : GTK_PHASE_BUBBLE)
    keys.on("key-pressed") { arguments in
      let held = arguments.flags(3) & (GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue)
      guard held == 0, let key = Key(arguments.uint(1)) else { return arguments.answer(false) }
      arguments.answer(body(key))
    }
    // The widget takes over the reference that the controller was made with.
    gtk_widget_add_controller(widget, keys.opaque)
  }

  /// Offers Control and a letter, pressed in the widget or below it, before the widget in focus sees them.
  ///
  /// The body says whether it took them.
  public func onControl(_ letter: Character, _ body: @escaping @MainActor () -> Bool) {
    let keys = Object(borrowing: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
    // A text field takes Control and Z even where it has nothing to undo.
    gtk_event_controller_set_propagation_phase(keys.opaque, GTK_PHASE_CAPTURE)
    keys.on("key-pressed") { arguments in
      let modifiers = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
      guard arguments.flags(3) & (modifiers | GDK_SHIFT_MASK.rawValue) == GDK_CONTROL_MASK.rawValue,
        case .letter(let pressed)? = Key(gdk_keyval_to_lower(arguments.uint(1))), pressed == letter
      else { return arguments.answer(false) }
      arguments.answer(body())
    }
    gtk_widget_add_controller(widget, keys.opaque)
  }

  /// Runs the body for every key pressed or released in the widget or below it, modifiers too, with GDK's own event.
  ///
  /// It sees them before the widget in focus and takes none.
  func onKeyEvent(_ body: @escaping @MainActor (OpaquePointer) -> Void) {
    let keys = Object(borrowing: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
    gtk_event_controller_set_propagation_phase(keys.opaque, GTK_PHASE_CAPTURE)
    for signal in ["key-pressed", "key-released"] {
      // The instance of the emission is the controller: a capture of it would keep it for ever.
      keys.on(signal) { arguments in
        guard let raw = arguments.object(0), let event = gtk_event_controller_get_current_event(OpaquePointer(raw))
        else { return }
        body(event)
      }
    }
    gtk_widget_add_controller(widget, keys.opaque)
  }

  /// Offers a click with the middle button, before the widget below the pointer sees it.
  ///
  /// The body says whether it took it.
  func onMiddleClick(_ body: @escaping @MainActor () -> Bool) {
    let clicks = Object(borrowing: UnsafeMutableRawPointer(gtk_gesture_click_new()))
    gtk_gesture_single_set_button(clicks.opaque, guint(GDK_BUTTON_MIDDLE))
    gtk_event_controller_set_propagation_phase(clicks.opaque, GTK_PHASE_CAPTURE)
    clicks.on("pressed") { arguments in
      if body(), let raw = arguments.object(0) {
        gtk_gesture_set_state(OpaquePointer(raw), GTK_EVENT_SEQUENCE_CLAIMED)
      }
    }
    gtk_widget_add_controller(widget, clicks.opaque)
  }

  /// Runs the body on a click with the main button, or a tap.
  public func onTap(_ body: @escaping @MainActor () -> Void) {
    let clicks = Object(borrowing: UnsafeMutableRawPointer(gtk_gesture_click_new()))
    clicks.on("released") { _ in body() }
    gtk_widget_add_controller(widget, clicks.opaque)
  }

  /// Runs the body when the keyboard comes to the widget or to a part of it, and when it comes back from a part.
  func onFocus(_ body: @escaping @MainActor () -> Void) {
    let focus = Object(borrowing: UnsafeMutableRawPointer(gtk_event_controller_focus_new()))
    focus.on("enter") { _ in body() }
    let raw = focus.opaque
    focus.onChange(of: "is-focus") {
      if gtk_event_controller_focus_is_focus(raw) != 0 { body() }
    }
    gtk_widget_add_controller(widget, focus.opaque)
  }

  /// Runs the body once, when the widget has come on the screen for the first time.
  public func onFirstMap(_ body: @escaping @MainActor () -> Void) {
    var isDone = false
    on("map") { _ in
      guard !isDone else { return }
      isDone = true
      body()
    }
  }
}
