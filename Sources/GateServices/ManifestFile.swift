import GLibKit
import GateCore

/// The manifest that was fetched last, in a key file of the user's cache folder.
///
/// Main thread. What cannot be read is forgotten, and fetched again.
@MainActor
struct ManifestFile {
  private static let group = "manifest"
  let path: String

  func load() -> KeptManifest? {
    // Somebody else's could keep the user out.
    guard let facts = try? Files.facts(path), facts.isOurs, let content = try? Files.read(path, limit: 1 << 18),
      let file = KeyFile(content), let address = file.text("address", in: Self.group),
      let askedAt = file.text("askedAt", in: Self.group).flatMap({ Int64($0) }),
      let manifest = UpdateManifest(file.texts(of: Self.group))
    else { return nil }
    return KeptManifest(
      address: address, tag: file.text("tag", in: Self.group), askedAt: askedAt, manifest: manifest)
  }

  func save(_ kept: KeptManifest) {
    let file = KeyFile()
    for (key, text) in kept.manifest.fields.sorted(by: { $0.key < $1.key }) { file.set(key, in: Self.group, to: text) }
    file.set("address", in: Self.group, to: kept.address)
    if let tag = kept.tag { file.set("tag", in: Self.group, to: tag) }
    file.set("askedAt", in: Self.group, to: String(kept.askedAt))
    do throws(SystemError) {
      try Files.makeFolder(Files.folder(of: path))
      try Files.write(file.content, to: path, isDurable: false)
    } catch {
      Log.warning("\(path) could not be written (\(error.words)): the manifest is fetched again after the next start.")
    }
  }
}
