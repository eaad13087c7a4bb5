/// Which gates there are on the way to the shell, outermost first, and which of them shows a screen of its own.
///
/// Main thread. It knows the gates' names and nothing of what they show.
@MainActor
public final class GateTrail {
  /// A gate's place, for as long as the gate is there.
  @MainActor
  final class Place {
    let name: String
    /// Whether the gate shows a screen of its own in its child's place.
    var isShowing = false {
      didSet { trail?.onChange?() }
    }
    private weak var trail: GateTrail?

    init(_ name: String, in trail: GateTrail) {
      self.name = name
      self.trail = trail
    }
  }

  /// Runs when a gate begins or ends to show a screen of its own.
  public var onChange: (@MainActor () -> Void)?

  private struct Entry { weak var place: Place? }
  private var entries: [Entry] = []

  /// The name of what is on the screen, besides the gate of that name; `MainShell` where all gates are open.
  public func onScreen(besides other: String = "") -> String {
    let places = entries.compactMap(\.place)
    return places.first { $0.isShowing && $0.name != other }?.name ?? "MainShell"
  }

  /// Adds a gate within those that are there: the outer ones are always made first.
  func enter(_ name: String) -> Place {
    let place = Place(name, in: self)
    entries.removeAll { $0.place == nil }
    entries.append(Entry(place: place))
    return place
  }

  /// The name of a file without folder and ending.
  nonisolated static func name(of file: String) -> String {
    let last = file.split(separator: "/").last ?? ""
    return String(last.prefix { $0 != "." })
  }
}
