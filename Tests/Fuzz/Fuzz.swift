import GLibKit
import Glibc

/// A parser that is fed with whatever the fuzzer makes up.
///
/// It is not enough that nothing crashes: `feed` ends the process where an answer is wrong, too.
struct FuzzTarget {
  let name: String
  let feed: @MainActor ([UInt8]) -> Void

  /// All of them; `Scripts/fuzz.sh` finds each one's corpus by its name.
  static let all: [FuzzTarget] = [.versions, .manifest, .preferences, .secrets, .legal, .reports, .todoTxt]
}

/// Ends the process where the claim does not hold, so that the fuzzer keeps the input.
func claim(_ holds: Bool, _ sentence: @autoclosure () -> String) {
  if !holds { fatalError(sentence()) }
}

/// Chosen once, by $APP_GATES_FUZZ.
private let chosen: FuzzTarget = {
  let name = XdgPaths.variable("APP_GATES_FUZZ") ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("Set APP_GATES_FUZZ to one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    // Not by way of libFuzzer, which takes an exit for a fault.
    fflush(nil)
    _exit(2)
  }
  return target
}()

/// Called by libFuzzer, always on the process's first thread.
@_cdecl("LLVMFuzzerTestOneInput")
public func feedOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  MainActor.assumeIsolated { chosen.feed(bytes) }
  return 0
}
