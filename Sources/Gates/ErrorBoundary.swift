import GateCore
import GLibKit
import GtkKit

/// Shows "Something went wrong" over whatever is below, when anything posts to the error bus from any thread.
///
/// The card takes the child's place, so nothing of it can be seen or read meanwhile; *Try again* clears the bus and
/// brings back what was there, drafts included.
public struct ErrorBoundary: Gate {
  /// What shows while nothing is wrong.
  public let child: any Screen

  /// Guards the child.
  public init(_ child: () -> any Screen) { self.child = child() }

  /// Mounts the boundary.
  public func mount(in context: GateContext) -> Mount {
    let bus = context.bus
    let changed = Listeners<Void>()
    let gate = GateMount<[PostedError]>(
      child: child, in: context,
      passage: { bus.current.isEmpty ? .open : .interrupt(bus.current) },
      face: { ErrorCard.mount($0, in: context) })
    let subscription = bus.subscribe { MainLoop.wake { changed.notify(()) } }
    return gate.mount(changed: changed, keeping: subscription)
  }
}

/// The card itself: a fixed sentence for each fault and what to do, never the user's content.
@MainActor
enum ErrorCard {
  static func mount(_ errors: [PostedError], in context: GateContext) -> Mount {
    let again = Button(tr("_Try again")).style("suggested-action").onClick { context.bus.clear() }
    let quit = Button(tr("_Quit")).onClick(context.host.quit)
    var rows: [Widget] = errors.map { posted in sentence(posted) }
    if context.host.showsDetails {
      let details = errors.compactMap(\.error.detail).joined(separator: "\n\n")
      if !details.isEmpty { rows.append(Label(details).selectable().style("monospace", "dim-label")) }
    }
    rows.append(Page.buttons([again, quit]))
    let page = Page.message(icon: "dialog-error-symbolic", title: tr("Something went wrong"), rows)
    let mount = Mount(page)
    mount.firstFocus = again
    return mount
  }

  private static func sentence(_ posted: PostedError) -> Widget {
    let label = Label.alert()
    label.text = posted.count > 1 ? tr("%s (%s times)", posted.error.words, String(posted.count)) : posted.error.words
    return label.selectable()
  }
}
