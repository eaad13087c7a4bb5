import GateCore

extension FuzzTarget {
  /// A todo.txt: what can be used comes back byte for byte, and a second time nothing is new.
  static let todoTxt = FuzzTarget(name: "todo-txt") { bytes in
    guard let found = try? TodoImport(bytes, beside: [], at: 5) else { return }
    claim(found.present == 0, "\(found.present) are in an empty list")
    let bad = Set(found.unusable.map(\.number))
    var lines: [ArraySlice<UInt8>] = []
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    for (place, line) in body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    where !bad.contains(place + 1) {
      var line = line
      while line.last == UInt8(ascii: "\r") { line.removeLast() }
      lines.append(line)
    }
    // Each line in its order; those left out have nothing to read.
    var rest = found.new[...]
    for line in lines {
      guard let next = rest.first, next.textLine.utf8.elementsEqual(line) else {
        let isBlank = Todo.title(from: String(decoding: line, as: UTF8.self)) == nil
        claim(isBlank, "left out or changed: \(line.map { $0 })")
        continue
      }
      rest = rest.dropFirst()
    }
    claim(rest.isEmpty, "\(rest.count) more than there are lines")
    for todo in found.new { claim(!todo.title.isEmpty && !todo.title.contains("\n"), "a title of \(todo.title)") }
    guard !found.new.isEmpty, let again = try? TodoImport(bytes, beside: found.new, at: 9) else { return }
    claim(again.new.isEmpty && again.present == found.new.count, "\(again.new.count) are new the second time")
    let exported = Array(TodoText.text(found.new).utf8)
    let from = try? TodoImport(exported, beside: found.new, at: 9)
    claim(from?.new.isEmpty == true && from?.present == found.new.count, "the export brings something new")
  }
}
