import Synchronization
import Testing

@testable import GateCore

struct AppErrorBusTests {
  @Test func countsWhatIsTheSameAndKeepsTheOrder() {
    let bus = AppErrorBus()
    bus.post(.todosNotSaved(.noSpace))
    bus.post(.todosNotSaved(.readOnly))
    bus.post(.todosNotSaved(.noSpace))
    #expect(bus.current.map(\.error) == [.todosNotSaved(.noSpace), .todosNotSaved(.readOnly)])
    #expect(bus.current.map(\.count) == [2, 1])
    bus.clear()
    #expect(bus.current.isEmpty)
  }

  @Test func wakesAfterEachPostAndClearUntilTheTokenIsDropped() {
    let bus = AppErrorBus()
    let seen = Mutex<[Int]>([])
    var token: BusSubscription? = bus.subscribe { seen.withLock { $0.append(bus.current.count) } }
    bus.post(.todosNotSaved(.noSpace))
    bus.post(.todosNotSaved(.readOnly))
    bus.clear()
    #expect(token != nil)
    token = nil
    bus.post(.todosNotSaved(.noSpace))
    #expect(seen.withLock { $0 } == [1, 2, 0])
  }

  @Test func aSubscriberMayPostAndLeave() {
    let bus = AppErrorBus()
    let token = Mutex<BusSubscription?>(nil)
    let held = bus.subscribe {
      // Ends the subscription from within; the post then wakes nobody.
      let gone = token.withLock { $0.take() }
      if gone != nil { bus.post(.unexpected(detail: "from within")) }
    }
    token.withLock { $0 = held }
    bus.post(.todosNotSaved(.noSpace))
    #expect(bus.current.count == 2)
  }

  @Test func countsFromManyThreads() async {
    let bus = AppErrorBus()
    let wakes = Mutex(0)
    let token = bus.subscribe { wakes.withLock { $0 += 1 } }
    let faults: [FileFault] = [.noSpace, .readOnly, .damaged, .empty]
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for number in 0..<1250 { bus.post(.todosNotSaved(faults[number % faults.count])) }
        }
      }
    }
    #expect(bus.current.count == 4)
    #expect(bus.current.map(\.count).reduce(0, +) == 10_000)
    #expect(wakes.withLock { $0 } == 10_000)
    withExtendedLifetime(token) {}
  }

  @Test func aStormOfDifferentErrorsTakesNoRoom() {
    let bus = AppErrorBus()
    for number in 0..<10_000 { bus.post(.unexpected(detail: "\(number)")) }
    #expect(bus.current.count == AppErrorBus.kindsKept)
    #expect(bus.overlooked == 10_000 - AppErrorBus.kindsKept)
    bus.clear()
    #expect(bus.overlooked == 0)
  }
}
