/// What a todo.txt would bring, before anything is changed.
///
/// The rule: an import adds, and changes nothing that is here. A line is here already where a todo has the same day of
/// creation and the same words, ticked or not and whatever its priority, since those are what changes on either side
/// in the meantime. Each todo counts for one line only: where the file has a line twice, there are to be two of it.
public struct TodoImport: Hashable, Sendable {
  /// A line that cannot be used.
  public struct Unusable: Hashable, Sendable {
    /// Why.
    public enum Reason: Hashable, Sendable {
      /// Its bytes are no UTF-8.
      case encoding
      /// It is longer than `lineLimit`.
      case tooLong
    }

    /// Its number in the file, the first being 1.
    public let number: Int
    /// Why.
    public let reason: Reason
  }

  /// The todos that would be added, in their order; without ids and places.
  public private(set) var new: [Todo] = []
  /// How many lines are here already.
  public private(set) var present = 0
  /// The lines that cannot be used; empty lines are not among them.
  public private(set) var unusable: [Unusable] = []

  /// The most bytes of a file: 16 MiB.
  public static let sizeLimit = 1 << 24
  /// The most bytes of a line.
  public static let lineLimit = 1 << 14
  /// The most lines of a file that are not empty: each is a row of the list, or one to be told of.
  public static let countLimit = 100_000

  /// Reads the bytes of a file and compares them with the todos that are here.
  ///
  /// Lines end with a line feed or with both of `\r\n`; a byte order mark at the beginning is passed over. `now` is the
  /// day of creation for lines without one. Every thousand lines `goesOn` hears how much is done, from 0 to 1, and ends
  /// it with false. Any thread; a few seconds at the limits.
  public init(
    _ bytes: [UInt8], beside todos: [Todo], at now: Int64, goesOn: (Double) -> Bool = { _ in true }
  ) throws(TodoImportFault) {
    guard bytes.count <= TodoImport.sizeLimit else { throw .tooLarge }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { throw .otherEncoding }
    guard !bytes.contains(0) else { throw .notText }
    var here: [TodoIdentity: Int] = [:]
    for todo in todos { here[TodoIdentity(TodoLine(todo.textLine)), default: 0] += 1 }
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = 0
    while start < bytes.count {
      number += 1
      if number % 1000 == 0, !goesOn(Double(start) / Double(bytes.count)) { throw .cancelled }
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      take(bytes[start..<end], number, &here, now)
      guard new.count + present + unusable.count <= TodoImport.countLimit else { throw .tooMany }
      start = end + 1
    }
    guard !new.isEmpty || present > 0 || !unusable.isEmpty else { throw .empty }
  }

  private mutating func take(
    _ bytes: ArraySlice<UInt8>, _ number: Int, _ here: inout [TodoIdentity: Int], _ now: Int64
  ) {
    var bytes = bytes
    while bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard bytes.count <= TodoImport.lineLimit else {
      return unusable.append(Unusable(number: number, reason: .tooLong))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return unusable.append(Unusable(number: number, reason: .encoding))
    }
    // An empty line is a line of nothing.
    guard let todo = Todo(line: text, at: now, position: 0) else { return }
    let identity = TodoIdentity(TodoLine(text))
    guard let count = here[identity], count > 0 else { return new.append(todo) }
    here[identity] = count - 1
    present += 1
  }
}

/// Why a file brings nothing.
public enum TodoImportFault: Error, Hashable, Sendable {
  /// It cannot be read.
  case file(FileFault)
  /// It is a folder.
  case folder
  /// It is a device or a pipe.
  case notAFile
  /// It has more bytes than `TodoImport.sizeLimit`.
  case tooLarge
  /// It has more lines that are not empty than `TodoImport.countLimit`.
  case tooMany
  /// It holds a zero byte, as no text does.
  case notText
  /// It is UTF-16.
  case otherEncoding
  /// There is no todo in it.
  case empty
  /// The user has called it off.
  case cancelled
}

/// What makes two lines the same todo: the day of creation and the words, the kept priority left out, and however many
/// blanks there are.
struct TodoIdentity: Hashable {
  // Bytes, since Swift takes letters for equal that a file has in two forms.
  private let bytes: [UInt8]

  init(_ line: TodoLine) {
    let words = line.keptPriority?.words ?? line.words
    let blank = UInt8(ascii: " ")
    bytes = ([Array((line.created?.text ?? "").utf8)[...]] + words.utf8.split { $0 <= blank }.map { Array($0)[...] })
      .joined(separator: [blank]).map(\.self)
  }
}
