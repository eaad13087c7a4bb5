import Testing

@testable import GateCore

struct TodoImportTests {
  private func plan(_ text: String, beside todos: [Todo] = []) throws(TodoImportFault) -> TodoImport {
    try TodoImport(Array(text.utf8), beside: todos, at: 5)
  }

  private func fault(_ bytes: [UInt8]) -> TodoImportFault? {
    do throws(TodoImportFault) {
      _ = try TodoImport(bytes, beside: [], at: 5)
      return nil
    } catch {
      return error
    }
  }

  @Test func whatIsNew() throws {
    let found = try plan("(A) one\n\n  \nx two\nthree")
    #expect(found.new.map(\.title) == ["one", "two", "three"])
    #expect(found.new.map(\.isDone) == [false, true, false])
    #expect((found.present, found.unusable) == (0, []))
  }

  @Test func aSecondTimeBringsNothing() throws {
    let text = "(A) 2026-05-01 one +p\nx 2026-05-02 2026-05-01 two\n(A) 2026-05-01 one +p\n x three \n"
    let first = try plan(text).new
    let again = try plan(text, beside: first)
    #expect((again.new, again.present) == ([], 4))
    // And neither does what is exported.
    let exported = try plan(TodoText.text(first), beside: first)
    #expect((exported.new, exported.present) == ([], 4))
  }

  @Test func aLineTwiceIsTwo() throws {
    let one = try plan("one\n").new
    #expect(try plan("one\none\none\n", beside: one).new.map(\.title) == ["one", "one"])
    #expect(try plan("one\n", beside: one + one).new.isEmpty)
  }

  @Test func tickedHereOrThereIsTheSame() throws {
    var here = try plan("(B) 2026-05-01 one +p\n").new
    here[0].setDone(true, at: 9, on: TodoDay(1_777_680_000))
    for line in [
      "(B) 2026-05-01 one +p", "2026-05-01 one +p", "(C) 2026-05-01 one  +p ", "x 2026-05-03 2026-05-01 one +p pri:B",
    ] {
      #expect(try plan(line, beside: here).present == 1, "\(line)")
    }
    for line in ["one +p", "2026-05-02 one +p", "(B) 2026-05-01 one +q", "(B) 2026-05-01 One +p"] {
      #expect(try plan(line, beside: here).new.count == 1, "\(line)")
    }
  }

  @Test func oneOfAnOlderListIsTheSameAsItsExport() throws {
    let old = Todo(id: 1, title: "Buy milk", isDone: false, created: 1_777_680_001, completed: nil, position: 1)
    #expect(try plan(TodoText.text([old]), beside: [old]).present == 1)
  }

  @Test func aMarkOfItsOwnIsNotTakenForTheFiles() throws {
    let first = try plan("\u{FEFF}\u{FEFF}one\n\u{FEFF}two\n").new
    #expect(first.map(\.textLine) == ["\u{FEFF}one", "\u{FEFF}two"])
    #expect(try plan(TodoText.text(first)).new.map(\.textLine) == first.map(\.textLine))
  }

  @Test func lineEndsAndMarks() throws {
    let found = try plan("\u{FEFF}(A) one\r\ntwo\r\n\r\nthree \r\n\u{FEFF}four")
    #expect(found.new.map(\.textLine) == ["(A) one", "two", "three ", "\u{FEFF}four"])
  }

  @Test func linesThatCannotBeUsed() throws {
    let bytes = Array("one\n".utf8) + [0x66, 0xFC, 0x72, 0x0A] + Array("three\n".utf8)
    let found = try TodoImport(
      bytes + Array(String(repeating: "y", count: TodoImport.lineLimit + 1).utf8), beside: [], at: 5)
    #expect(found.new.map(\.title) == ["one", "three"])
    #expect(found.unusable == [.init(number: 2, reason: .encoding), .init(number: 4, reason: .tooLong)])
  }

  @Test func filesThatBringNothing() {
    #expect(fault([]) == .empty)
    #expect(fault(Array("\n \r\n".utf8)) == .empty)
    #expect(fault([0xEF, 0xBB, 0xBF]) == .empty)
    #expect(fault(Array("one\0two".utf8)) == .notText)
    #expect(fault([0xFF, 0xFE, 0x61, 0x00]) == .otherEncoding)
    #expect(fault([UInt8](repeating: 0x61, count: TodoImport.sizeLimit + 1)) == .tooLarge)
    let many = [UInt8](String(repeating: "a\n", count: TodoImport.countLimit + 1).utf8)
    #expect(fault(many) == .tooMany)
    #expect(fault(many.map { $0 == 0x61 ? 0xFF : $0 }) == .tooMany, "lines that cannot be used are kept too")
  }

  @Test func canBeCalledOff() {
    let bytes = [UInt8](String(repeating: "a\n", count: 10_000).utf8)
    var heard: [Double] = []
    #expect(throws: TodoImportFault.cancelled) {
      _ = try TodoImport(bytes, beside: [], at: 5) {
        heard.append($0)
        return heard.count < 3
      }
    }
    #expect(heard.count == 3)
    #expect(heard == heard.sorted())
    #expect(heard.allSatisfy { (0...1).contains($0) })
  }
}
