import GLibKit
import GateCore
import GateServices

extension FuzzTarget {
  /// A preferences file: whatever it is, the lock does not go off by it, a damaged one is kept, and a save changes
  /// nothing else.
  static let preferences = FuzzTarget(name: "preferences") { bytes in
    let path = Places.paths.preferences
    Places.put(bytes, at: path)
    let client = PreferencesClient.live(Places.paths)
    let found = client.load()
    switch found.state {
    case .absent: fatalError("the file is there, and was not seen")
    case .repaired(let copy):
      let kept = Files.folder(of: path) + "/" + (copy.split(separator: "/").last ?? "")
      claim((try? Files.read(kept, limit: 1 << 21)) == bytes, "the damaged file was not kept as it was")
      try? Files.remove(kept)
      claim(found.values["biometricEnabled"] == "true", "a damaged file turns the lock off")
    case .unreadable: break
    case .sound: claim(!bytes.isEmpty, "an empty file is sound")
    }
    guard found.state != .unreadable(.damaged) else { return }
    do throws(FileFault) {
      try client.save(["rated": "yes\n \\; ends here "])
    } catch {
      fatalError("it cannot be saved: \(error)")
    }
    var expected = found.values
    expected["rated"] = "yes\n \\; ends here "
    let after = client.load()
    claim(after.state == .sound, "it is \(after.state) once it was saved")
    claim(after.values == expected, "a save has changed \(found.values) to \(after.values)")
  }
}
