import Testing

@testable import GateCore

@MainActor
struct ListenersTests {
  @Test func tellsInOrderUntilTheTokenIsDropped() {
    let list = Listeners<Int>()
    var heard: [String] = []
    let first = list.listen { heard.append("a\($0)") }
    var second: Listening? = list.listen { heard.append("b\($0)") }
    list.notify(1)
    #expect(second != nil)
    second = nil
    list.notify(2)
    #expect(heard == ["a1", "b1", "a2"])
    #expect(list.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func whoIsDroppedWhileTellingIsNotCalledAnyMore() {
    let list = Listeners<Void>()
    var later: Listening?
    var calls = 0
    let first = list.listen { later = nil }
    later = list.listen { calls += 1 }
    list.notify(())
    #expect(later == nil)
    #expect(calls == 0)
    #expect(list.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func whoComesWhileTellingHearsOfTheNextValue() {
    let list = Listeners<Int>()
    var kept: [Listening] = []
    var heard: [Int] = []
    kept.append(
      list.listen { value in
        if value == 1 { kept.append(list.listen { heard.append($0) }) }
      })
    list.notify(1)
    #expect(heard == [])
    list.notify(2)
    #expect(heard == [2])
  }

  @Test func mayDropItselfAndMayTellAgain() {
    let list = Listeners<Int>()
    var own: Listening?
    var heard: [Int] = []
    own = list.listen { value in
      heard.append(value)
      if value == 1 { list.notify(2) } else { own = nil }
    }
    list.notify(1)
    list.notify(3)
    #expect(own == nil)
    #expect(heard == [1, 2])
  }

  @Test func dropsWhatAListenerHolds() {
    final class Thing {}
    let list = Listeners<Void>()
    weak var seen: Thing?
    do {
      let thing = Thing()
      seen = thing
      let token = list.listen { _ = thing }
      #expect(list.count == 1)
      withExtendedLifetime(token) {}
    }
    #expect(seen == nil)
    #expect(list.count == 0)
  }
}
