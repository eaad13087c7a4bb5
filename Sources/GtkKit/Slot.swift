import GLibKit

/// The one place in which a gate shows either its child or a screen of its own.
///
/// The child is made when the gate opens for the first time. An interruption parks it: it leaves the window with its
/// state kept. An end drops it.
@MainActor
public final class Slot {
  /// What the gate hands on as its own widget.
  public let widget = Bin()

  private let makeChild: @MainActor () -> Mount
  private var child: Mount?
  private var face: Mount?
  /// The stacks in the child while it is out of the window.
  private var stacks: ParkedStacks?
  /// A gate further out shows something of its own: what comes up here meanwhile stays at rest too.
  private var isParked = false

  /// Makes an empty slot.
  public init(child: @escaping @MainActor () -> Mount) { makeChild = child }

  /// Whether the child exists, shown or parked.
  public var hasChild: Bool { child != nil }

  /// Shows the child: the parked one, or a new one.
  public func open() {
    guard face != nil || child == nil else { return }
    let old = face
    face = nil
    let mount = child ?? makeChild()
    child = mount
    stacks?.putBack()
    stacks = nil
    show(mount)
    mount.restoreFocus()
    old?.end()
  }

  /// Shows a screen in the child's place, and parks the child where there is one.
  public func interrupt(_ makeFace: @MainActor () -> Mount) {
    // Parked before anything else is made: whatever follows, the content is already out of the window.
    child?.park()
    widget.child = nil
    if stacks == nil, let child { stacks = ParkedStacks(in: child.widget) }
    replaceFace(makeFace)
  }

  /// Shows a screen in the child's place, and drops the child.
  public func end(_ makeFace: @MainActor () -> Mount) {
    widget.child = nil
    child?.end()
    child = nil
    stacks?.drop()
    stacks = nil
    replaceFace(makeFace)
  }

  /// Ends whatever is in the slot, for good.
  public func close() {
    widget.child = nil
    child?.end()
    face?.end()
    child = nil
    stacks?.drop()
    stacks = nil
    face = nil
  }

  /// Passes a parking from further up on to what is shown here.
  public func park() {
    isParked = true
    (face ?? child)?.park()
  }

  /// Brings back what `park()` put away.
  public func unpark() {
    isParked = false
    (face ?? child)?.unpark()
  }

  /// Gives the keyboard back to what is shown here.
  public func restoreFocus() { (face ?? child)?.restoreFocus() }

  private func replaceFace(_ makeFace: @MainActor () -> Mount) {
    let old = face
    let mount = makeFace()
    face = mount
    show(mount)
    mount.restoreFocus()
    old?.end()
  }

  private func show(_ mount: Mount) {
    widget.child = mount.widget
    if isParked { mount.park() } else { mount.unpark() }
  }
}
