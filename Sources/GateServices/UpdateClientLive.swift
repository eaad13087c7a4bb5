import GLibKit
import GateCore

extension UpdateClient {
  /// The settings' files, and what is kept in the user's cache folder; `report` hears what is wrong with new settings.
  @MainActor
  public static func live(_ paths: AppPaths, report: @escaping @MainActor (SecretProblem) -> Void) -> UpdateClient {
    let watch = SecretsWatch(paths, report: report)
    let file = ManifestFile(path: paths.manifest)
    return UpdateClient(reload: watch.reload, load: file.load, save: file.save) { bytes in
      guard let manifest = ManifestJson.fields(bytes).flatMap({ UpdateManifest($0) }) else {
        Log.warning("What UPDATE_MANIFEST_URL answers is not used: expected a JSON object with a version or a minimum.")
        return nil
      }
      for key in manifest.problems {
        Log.warning("What UPDATE_MANIFEST_URL answers has a \(key) that is none; it counts as unset.")
      }
      if let minimum = manifest.minimum, let version = manifest.version, minimum > version {
        Log.warning("What UPDATE_MANIFEST_URL answers has a minimum above its version, so that it forces nothing.")
      }
      return manifest
    }
  }
}
