/// The keys that go from row to row.
extension LongList {
  /// Goes to another row, whether it exists by now or not; false at both ends, and for keys of another kind.
  func key(_ key: Key) -> Bool {
    guard let place = focusedPlace, let target = target(of: key, from: place) else { return false }
    guard target != place, (0..<count).contains(target) else { return false }
    return focus(target)
  }

  private func target(of key: Key, from place: Int) -> Int? {
    // A row of the page before stays in view.
    let step = max(0, Int(page) - heights[place])
    return switch key {
    case .up: place - 1
    case .down: place + 1
    case .home: 0
    case .end: count - 1
    case .pageUp: min(place - 1, heights.place(at: heights.top(of: place) - step))
    case .pageDown: max(place + 1, heights.place(at: heights.top(of: place) + step))
    default: nil
    }
  }
}
