import GateCore

/// Reads the manifest's JSON.
///
/// Any thread.
public enum ManifestJson {
  // A manifest is a flat object.
  private static let depthLimit = 16

  /// The texts of an object's members that a manifest may have; nothing where the bytes are no JSON object.
  public static func fields(_ bytes: [UInt8]) -> [String: String]? {
    guard case .object(let members) = JsonValue(bytes, depth: depthLimit) else { return nil }
    var fields: [String: String] = [:]
    for key in UpdateManifest.keys { fields[key] = members[key]?.text }
    return fields
  }
}
