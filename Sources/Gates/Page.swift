import GtkKit

/// The frame that the gates' own screens share: a bare header bar, and a page that scrolls where the window is low.
@MainActor
enum Page {
  /// A page with one message and what can be done about it; compact where much may be said below.
  static func message(
    icon: String, title: String, about: String = "", isCompact: Bool = false, _ rows: [Widget]
  ) -> Widget {
    let column = Clamp(Box(.vertical, spacing: 12, rows), width: 420)
    let page = StatusPage(icon: icon, title: title, about: about, column)
    return frame(isCompact ? page.style("compact") : page)
  }

  /// Any content below a bare header bar.
  static func frame(_ content: Widget, header: HeaderBar = .bare()) -> Widget {
    Box(.vertical, [header, content]).style("gate-page")
  }

  /// A column of buttons as wide as each other, centred.
  static func buttons(_ buttons: [Button]) -> Widget {
    for button in buttons { button.style("pill") }
    return Box(.vertical, spacing: 12, buttons).align(horizontal: .center)
  }
}
