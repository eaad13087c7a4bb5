import Testing

@testable import GateCore

@MainActor
struct ErrorReturnsTests {
  private let hands = HandClock()
  private let full = AppError.todosNotSaved(.noSpace)
  private let locked = AppError.todosNotSaved(.readOnly)

  /// Whether the card gives up at each of so many appearances of the fault, so many milliseconds after *Try again*.
  private func appearances(_ count: Int, apart: Int64, _ errors: [AppError]) -> [Bool] {
    let returns = ErrorReturns(clock: hands.clock)
    return (0..<count).map { _ in
      let isStubborn = returns.isStubborn(errors)
      returns.tryAgain(errors)
      hands.boot += apart
      return isStubborn
    }
  }

  @Test func givesUpAtTheThirdReturnWithinAMinuteEach() {
    #expect(appearances(5, apart: 1000, [full]) == [false, false, false, true, true])
    #expect(appearances(4, apart: 60_000, [full]) == [false, false, false, true])
    #expect(appearances(6, apart: 60_001, [full]) == [false, false, false, false, false, false])
    #expect(appearances(4, apart: 1000, [locked, full]) == [false, false, false, true])
  }

  @Test func countsEachFaultByItself() {
    let returns = ErrorReturns(clock: hands.clock)
    for error in [full, locked, full, locked, full, locked] {
      #expect(!returns.isStubborn([error]))
      returns.tryAgain([error])
    }
    #expect(returns.isStubborn([locked, full]))
  }

  @Test func looksAtTheSameCardDoNotCount() {
    let returns = ErrorReturns(clock: hands.clock)
    returns.tryAgain([full])
    for _ in 0..<10 { #expect(!returns.isStubborn([full])) }
  }

  @Test func beginsAnewWhereItStayedAwayOnce() {
    let returns = ErrorReturns(clock: hands.clock)
    for apart: Int64 in [1000, 1000, 90_000, 1000, 1000] {
      #expect(!returns.isStubborn([full]))
      returns.tryAgain([full])
      hands.boot += apart
    }
    #expect(!returns.isStubborn([full]))
    returns.tryAgain([full])
    #expect(returns.isStubborn([full]))
  }
}

struct GatheringTests {
  @Test func oneCallForManyWishes() {
    let gathering = Gathering()
    #expect((0..<5).map { _ in gathering.wish() } == [true, false, false, false, false])
    #expect(gathering.goesOn())
    #expect(!gathering.goesOn())
    #expect(gathering.wish())
    gathering.begin()
    #expect(gathering.wish())
  }
}
