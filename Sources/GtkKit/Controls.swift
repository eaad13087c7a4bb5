import CGtk
import GLibKit

/// A button.
public final class Button: Widget {
  /// Makes a button with words; `_` before a letter makes it the mnemonic.
  public init(_ words: String) {
    super.init(sinking: gtk_button_new_with_mnemonic(words))
    nameOnly(withoutMnemonic(words))
  }

  /// Makes a button with an icon, and the words that a screen reader and the tooltip say.
  public init(icon: String, label: String) {
    super.init(sinking: gtk_button_new_from_icon_name(icon))
    tooltip(label)
    accessibleLabel(label)
  }

  /// The words on it.
  public var words: String {
    get { gtk_button_get_label(cast()).map { String(cString: $0) } ?? "" }
    set {
      gtk_button_set_label(cast(), newValue)
      gtk_button_set_use_underline(cast(), 1)
      nameOnly(withoutMnemonic(newValue))
    }
  }

  /// Runs the body at each click.
  @discardableResult
  public func onClick(_ body: @escaping @MainActor () -> Void) -> Self {
    on("clicked") { _ in body() }
    return self
  }
}

/// A box to tick.
public final class CheckButton: Widget {
  /// Makes a box with the words that a screen reader says for it.
  public init(label: String) {
    super.init(sinking: gtk_check_button_new())
    accessibleLabel(label)
  }

  /// Whether it is ticked.
  public var isActive: Bool {
    get { gtk_check_button_get_active(cast()) != 0 }
    set { gtk_check_button_set_active(cast(), newValue ? 1 : 0) }
  }
}

/// A button that stays down, for a choice of one among several.
public final class ToggleButton: Widget {
  /// Makes a toggle; those that share a group release each other.
  public init(_ words: String, group: ToggleButton? = nil) {
    super.init(sinking: gtk_toggle_button_new_with_mnemonic(words))
    nameOnly(withoutMnemonic(words))
    if let group { gtk_toggle_button_set_group(cast(), group.cast()) }
  }

  /// Whether it is down.
  public var isActive: Bool {
    get { gtk_toggle_button_get_active(cast()) != 0 }
    set { gtk_toggle_button_set_active(cast(), newValue ? 1 : 0) }
  }

  /// Runs the body when it goes down.
  @discardableResult
  public func onChoose(_ body: @escaping @MainActor () -> Void) -> Self {
    // The button asks itself: it lives on in its row when nobody keeps this wrapper.
    on("notify::active") { arguments in
      if let button = arguments.object(0), Object(borrowing: button).bool("active") { body() }
    }
    return self
  }
}

/// A switch whose state follows the program's answer, not the click.
public final class Switch: Widget {
  private var isApplying = false

  /// Makes a switch with the words that a screen reader says for it.
  public init(label: String) {
    super.init(sinking: gtk_switch_new())
    accessibleLabel(label)
    align(vertical: .center)
  }

  /// Whether it is on.
  ///
  /// Setting it does not call `onToggle`.
  public var isOn: Bool {
    get { gtk_switch_get_active(opaque) != 0 }
    set {
      isApplying = true
      gtk_switch_set_active(opaque, newValue ? 1 : 0)
      gtk_switch_set_state(opaque, newValue ? 1 : 0)
      isApplying = false
    }
  }

  /// Runs the body with what the user asks for; it then sets `isOn` to what has become of it.
  @discardableResult
  public func onToggle(_ body: @escaping @MainActor (Bool) -> Void) -> Self {
    on("state-set") { [weak self] arguments in
      guard let self, !self.isApplying else { return }
      body(arguments.bool(1))
      arguments.answer(true)
      // GTK 4.8 tells assistive technologies afterwards what was asked for, not what has become of it.
      MainLoop.wake { [weak self] in self.map { gk_accessible_checked($0.widget, $0.isOn ? 1 : 0) } }
    }
    return self
  }
}

/// A turning wheel for work whose length is not known.
public final class Spinner: Widget {
  /// Makes a wheel at rest.
  public init() {
    super.init(sinking: gtk_spinner_new())
    align(horizontal: .center, vertical: .center)
  }

  /// Whether it turns; at rest it costs nothing.
  public var isSpinning: Bool {
    get { gtk_spinner_get_spinning(opaque) != 0 }
    set { gtk_spinner_set_spinning(opaque, newValue ? 1 : 0) }
  }
}

/// A button that opens a menu.
public final class MenuButton: Widget {
  /// Makes a button with an icon and the words that a screen reader says for it.
  public init(icon: String, label: String, menu: Menu) {
    super.init(sinking: gtk_menu_button_new())
    gtk_menu_button_set_icon_name(opaque, icon)
    gtk_menu_button_set_menu_model(opaque, menu.cast())
    gtk_menu_button_set_primary(opaque, 1)
    tooltip(label)
    accessibleLabel(label)
  }
}

/// The entries of a menu: words and the action each runs.
public final class Menu: Object {
  /// Makes a menu.
  public init(_ entries: [(words: String, action: String)]) {
    super.init(owning: UnsafeMutableRawPointer(g_menu_new()))
    for entry in entries { g_menu_append(opaque, entry.words, entry.action) }
  }
}

extension Widget {
  /// Names a button by these words alone: GTK 4.8 reads them out twice where the label within names it as well.
  fileprivate func nameOnly(_ words: String) {
    accessibleLabel(words)
    gtk_accessible_reset_relation(opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
  }
}

/// The words as they are read aloud: GTK 4.8 hands the underscore of a mnemonic on to screen readers.
func withoutMnemonic(_ words: String) -> String {
  var read = ""
  var isMark = false
  for character in words {
    if character == "_", !isMark {
      isMark = true
    } else {
      read.append(character)
      isMark = false
    }
  }
  return read
}
