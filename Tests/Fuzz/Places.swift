import GLibKit
import GateServices

/// A home folder for the files that the fuzzer makes up: the one that `Scripts/fuzz.sh` has made, in memory.
@MainActor
enum Places {
  static let paths = AppPaths()

  /// Puts the file there, with its folder, as it is: no matter what was there before.
  static func put(_ bytes: [UInt8], at path: String) {
    do throws(SystemError) {
      try Files.makeFolder(Files.folder(of: path))
      try Files.write(bytes, to: path, isDurable: false)
    } catch {
      fatalError("\(path) cannot be written: \(error)")
    }
  }
}
