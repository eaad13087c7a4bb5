/// How high the rows of a long list are, known or guessed, and so where each of them lies.
///
/// Pixels. A row that was never measured counts as high as the usual one.
public struct RowHeights {
  /// Zero stands for a row that was never measured.
  private var heights: [Int32]
  /// What a row that was never measured counts for.
  public private(set) var usual: Int

  /// Rows of which none is measured.
  public init(count: Int, usual: Int) {
    heights = [Int32](repeating: 0, count: count)
    self.usual = max(1, usual)
  }

  /// How many rows there are.
  public var count: Int { heights.count }

  /// The height of the row at a place.
  public subscript(place: Int) -> Int {
    get { heights[place] == 0 ? usual : Int(heights[place]) }
    set { heights[place] = Int32(clamping: newValue) }
  }

  /// Where the row at a place begins; for the place behind the last, where all end.
  public func top(of place: Int) -> Int { height(of: 0..<place) }

  /// How high all of them are together.
  public var total: Int { height(of: 0..<count) }

  /// How high some rows are together.
  public func height(of places: Range<Int>) -> Int {
    // All of them at each step of a scroll: a sum over ten thousand takes microseconds.
    heights.withUnsafeBufferPointer { all in
      var (sum, guessed) = (0, 0)
      for height in all[places] {
        sum += Int(height)
        if height == 0 { guessed += 1 }
      }
      return sum + guessed * usual
    }
  }

  /// The row that lies at a height; the first or the last where it is above or below all of them.
  public func place(at height: Int) -> Int {
    heights.withUnsafeBufferPointer { all in
      var left = height
      for place in all.indices {
        left -= all[place] == 0 ? usual : Int(all[place])
        if left < 0 { return place }
      }
      return max(0, all.count - 1)
    }
  }

  /// Makes room for a row that is not measured yet.
  public mutating func insert(at place: Int) { heights.insert(0, at: place) }

  /// Takes a row out.
  public mutating func remove(at place: Int) { heights.remove(at: place) }

  /// Takes the heights known so far for those of another width; the usual one is what most rows measured now have.
  public mutating func forget(usual: Int) { self = RowHeights(count: count, usual: usual) }
}
