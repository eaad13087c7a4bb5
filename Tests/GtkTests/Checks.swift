import Glibc

/// Counts what held and what did not, and prints each failure with its place.
@MainActor
enum Checks {
  /// Whether the test that runs now has failed.
  static var hasFailed = false
  static var name = ""

  static func fail(_ words: String, _ file: StaticString, _ line: UInt) {
    hasFailed = true
    print("\(file):\(line): \(name): \(words)")
  }
}

/// Expects a condition to hold.
@MainActor
@discardableResult
func expect(
  _ condition: Bool, _ words: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Bool {
  if !condition { Checks.fail("expected " + words(), file, line) }
  return condition
}

/// Expects a value.
@MainActor
@discardableResult
func expect<Value: Equatable>(
  _ found: Value, is wanted: Value, _ what: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) -> Bool {
  if found != wanted { Checks.fail("expected \(what()) to be \(wanted), and it is \(found)", file, line) }
  return found == wanted
}

/// Expects something to be there, and hands it on.
@MainActor
func need<Value>(
  _ value: Value?, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Value? {
  if value == nil { Checks.fail("expected \(what()), and there is none", file, line) }
  return value
}

/// One test: a name and what it does.
struct Test {
  let name: String
  let body: @MainActor () -> Void

  init(_ name: String, _ body: @escaping @MainActor () -> Void) {
    self.name = name
    self.body = body
  }
}

/// The tests of one type, under its name.
struct Suite {
  let name: String
  let tests: [Test]

  init(_ name: String, _ tests: [Test]) {
    self.name = name
    self.tests = tests
  }

  /// Runs the tests whose name (`Slot: parks`) holds one of the parts, or all; returns how many passed and failed.
  @MainActor
  func run(_ parts: [String]) -> (passed: Int, failed: Int) {
    var counts = (passed: 0, failed: 0)
    for test in tests {
      let full = name + ": " + test.name
      guard parts.isEmpty || parts.contains(where: { full.has($0) }) else { continue }
      Checks.name = full
      Checks.hasFailed = false
      let began = milliseconds()
      test.body()
      for words in Warnings.take() { Checks.fail("expected no warning, and there is: " + words, #fileID, #line) }
      if Checks.hasFailed { counts.failed += 1 } else { counts.passed += 1 }
      print((Checks.hasFailed ? "failed  " : "passed  ") + full + " (\(milliseconds() - began) ms)")
      // Line by line, also into a pipe: after a crash the last line says where.
      fflush(nil)
    }
    return counts
  }
}

func milliseconds(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int {
  var now = timespec()
  clock_gettime(clock, &now)
  return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
}

extension String {
  /// Whether the part occurs; the standard library has no search of its own without Foundation in every version.
  func has(_ part: String) -> Bool {
    part.isEmpty || indices.contains { self[$0...].hasPrefix(part) }
  }
}

/// Runs the suites in turn, as far as the parts name them.
@MainActor
func run(_ suites: [Suite], _ parts: [String]) -> (passed: Int, failed: Int) {
  var counts = (passed: 0, failed: 0)
  for suite in suites {
    let more = suite.run(parts)
    counts = (counts.passed + more.passed, counts.failed + more.failed)
  }
  return counts
}
