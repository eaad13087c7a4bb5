import CGLib
import CGtk
import GLibKit

/// Which of the desktop's keyboard layouts a key was typed with.
///
/// The desktop tells with each key, and not before.
@MainActor
struct KeyboardLayout: Equatable {
  /// A short name such as "DE", or "German" where the desktop gives no shorter one, or "Layout 2" where it gives none.
  ///
  /// Nothing where there is but one, without a name.
  let name: String?

  /// What an event of a key tells; nothing where the key is the same in all layouts, as Shift and the space bar are.
  init?(of event: OpaquePointer) {
    guard let display = gdk_event_get_display(event), let device = gdk_event_get_device(event) else { return nil }
    let place = Int(gdk_key_event_get_layout(event))
    let x11 = gk_x11_layouts(display)
    defer { g_free(x11) }
    let names = x11.map { KeyboardLayout.names(in: String(cString: $0)) }
    let count = names?.count ?? Int(gk_wayland_layout_count(device))
    // Such a key is said to be of the first layout, whichever is in use.
    if count > 1, KeyboardLayout.isAlike(gdk_key_event_get_keycode(event), display) { return nil }
    if let names {
      name = names.indices.contains(place) ? names[place] : KeyboardLayout.number(place)
    } else if let words = gk_wayland_layout_name(device, UInt32(clamping: place)), words.pointee != 0 {
      name = String(cString: words)
    } else {
      name = KeyboardLayout.number(place)
    }
  }

  private static func isAlike(_ keycode: UInt32, _ display: OpaquePointer) -> Bool {
    var keys: UnsafeMutablePointer<GdkKeymapKey>?
    var count: gint = 0
    guard gdk_display_map_keycode(display, keycode, &keys, nil, &count) != 0 else { return true }
    defer { g_free(keys) }
    return !(0..<Int(count)).contains { (keys?[$0].group ?? 0) > 0 }
  }

  private static func number(_ place: Int) -> String? {
    place > 0 ? tr("Layout %s", String(place + 1)) : nil
  }

  /// The short names in X11's notation of several layouts, such as "us,de(neo)".
  private static func names(in layouts: String) -> [String] {
    layouts.split(separator: ",", omittingEmptySubsequences: false).enumerated().map { place, each in
      let code = each.prefix { $0 != "(" }
      return code.isEmpty ? tr("Layout %s", String(place + 1)) : code.uppercased()
    }
  }
}
