import CGtk
import GLibKit

/// A page that says one thing: an icon or picture, a title, a sentence, and what can be done.
public final class StatusPage: Widget {
  /// Makes a page; the title and the sentence are plain text.
  public init(icon: String? = nil, title: String, about: String = "", _ child: Widget? = nil) {
    super.init(sinking: adw_status_page_new())
    mendScrolling()
    if let icon { adw_status_page_set_icon_name(opaque, icon) }
    adw_status_page_set_title(opaque, markup(title))
    adw_status_page_set_description(opaque, markup(about))
    if let child { adw_status_page_set_child(opaque, child.widget) }
    expand(vertical: true)
  }

  /// The title.
  public func setTitle(_ words: String) { adw_status_page_set_title(opaque, markup(words)) }

  /// The sentence.
  public func setAbout(_ words: String) { adw_status_page_set_description(opaque, markup(words)) }
}

/// A bar at the top of a page, part of the window itself: its buttons close, minimise and move the window.
public final class HeaderBar: Widget {
  /// Makes a bar; without a title widget it shows the window's title.
  public init(title: Widget? = nil) {
    super.init(sinking: adw_header_bar_new())
    if let title { adw_header_bar_set_title_widget(opaque, title.widget) }
  }

  /// A bar with nothing on it but the window's buttons.
  public static func bare() -> HeaderBar { HeaderBar(title: Bin()).style("flat") }

  /// Adds a widget at the start.
  @discardableResult
  public func start(_ child: Widget) -> Self {
    adw_header_bar_pack_start(opaque, child.widget)
    return self
  }

  /// Adds a widget at the end.
  @discardableResult
  public func end(_ child: Widget) -> Self {
    adw_header_bar_pack_end(opaque, child.widget)
    return self
  }
}

/// Slides side by side, swiped or stepped through, with dots that say where one is.
public final class Carousel: Widget {
  private var slides: [Widget] = []
  /// The slide to go to once there is room: before that, each lies where the first one does.
  private var waiting: Int?
  private var layout: Connected?

  /// Makes a carousel.
  public init(_ slides: [Widget]) {
    self.slides = slides
    super.init(sinking: adw_carousel_new())
    for slide in slides { adw_carousel_append(opaque, slide.widget) }
    adw_carousel_set_allow_scroll_wheel(opaque, 1)
    expand(horizontal: true, vertical: true)
    on("map") { [weak self] _ in self?.awaitLayout() }
  }

  /// The dots.
  public func dots() -> Widget {
    let dots = Widget(sinking: adw_carousel_indicator_dots_new())
    adw_carousel_indicator_dots_set_carousel(dots.opaque, opaque)
    return dots
  }

  /// Goes to a slide; at once where the desktop has animations off or `animated` is false.
  public func show(_ place: Int, animated: Bool) {
    guard slides.indices.contains(place) else { return }
    guard gtk_widget_get_width(widget) > 0 else {
      waiting = place
      return awaitLayout()
    }
    adw_carousel_scroll_to(opaque, slides[place].widget, animated ? 1 : 0)
  }

  /// Goes to the slide that waits as soon as the widget has its size, in the same frame.
  private func awaitLayout() {
    guard waiting != nil, layout == nil, gtk_widget_get_mapped(widget) != 0,
      let clock = gtk_widget_get_frame_clock(widget)
    else { return }
    let frames = Object(borrowing: UnsafeMutableRawPointer(clock))
    layout = Connected(frames.on("layout") { [weak self] _ in self?.laidOut() }, of: frames)
  }

  private func laidOut() {
    guard let place = waiting, gtk_widget_get_width(widget) > 0 else { return }
    waiting = nil
    layout = nil
    show(place, animated: false)
  }

  /// Runs the body with the slide that a swipe or a step ended on.
  public func onArrive(_ body: @escaping @MainActor (Int) -> Void) {
    on("page-changed") { [weak self] arguments in
      if self?.waiting == nil { body(Int(arguments.uint(1))) }
    }
  }
}
