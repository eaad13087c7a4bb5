import Testing

@testable import GateCore

@MainActor
struct NewTodoRequestTests {
  @Test func severalAreOne() {
    let request = NewTodoRequest()
    var told = 0
    let listening = request.made.listen { told += 1 }
    #expect(!request.take())
    for _ in 0..<3 { request.make() }
    #expect(told == 3)
    #expect(request.isPending)
    #expect(request.take())
    #expect(!request.take())
    #expect(!request.isPending)
    withExtendedLifetime(listening) {}
  }

  @Test func whoeverHearsOfItMayTakeItAtOnce() {
    let request = NewTodoRequest()
    var taken = 0
    let listening = request.made.listen { if request.take() { taken += 1 } }
    request.make()
    request.make()
    #expect(taken == 2)
    #expect(!request.isPending)
    withExtendedLifetime(listening) {}
  }
}
