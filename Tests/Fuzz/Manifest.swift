import GateCore
import GateServices

extension FuzzTarget {
  /// A manifest of updates: whatever a server sends, what comes of it can be compared, opened and shown.
  static let manifest = FuzzTarget(name: "manifest") { bytes in
    guard let manifest = ManifestJson.fields(bytes).flatMap({ UpdateManifest($0) }) else { return }
    claim(manifest.version != nil || manifest.minimum != nil, "nothing follows from it")
    claim(manifest.address.map(Address.isStore) ?? true, "not a store: \(manifest.address ?? "")")
    if let notes = manifest.notes {
      claim(!notes.isEmpty && notes.count <= 2_000, "notes of \(notes.count) characters")
      let isPlain = notes.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
      claim(isPlain, "a control character is shown")
    }
    claim(UpdateManifest(manifest.fields) == manifest, "what is kept comes back as something else")
    claim(Set(manifest.problems).count == manifest.problems.count, "told twice: \(manifest.problems)")
  }
}
