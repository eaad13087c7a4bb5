import CJson
import GLibKit
import GateCore

/// Reads the manifest's JSON.
///
/// Any thread.
public enum ManifestJson {
  // A manifest is a flat object. json-glib goes one call deeper with each bracket, and a file of brackets alone would
  // take it through the end of the stack.
  private static let depthLimit = 16

  /// The texts of an object's members that a manifest may have; nothing where the bytes are no JSON object.
  public static func fields(_ bytes: [UInt8]) -> [String: String]? {
    guard !bytes.contains(0), depth(bytes) <= depthLimit else { return nil }
    guard let parser = json_parser_new() else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(parser)) }
    let isSound = bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return json_parser_load_from_data(parser, start.assumingMemoryBound(to: CChar.self), gssize(bytes.count), nil)
        != 0
    }
    guard isSound, let root = json_parser_get_root(parser), json_node_get_node_type(root) == JSON_NODE_OBJECT,
      let object = json_node_get_object(root)
    else { return nil }
    var fields: [String: String] = [:]
    for key in UpdateManifest.keys {
      guard let text = json_object_get_string_member_with_default(object, key, nil) else { continue }
      fields[key] = String(cString: text)
    }
    return fields
  }

  /// How deep the brackets go, those in texts apart.
  private static func depth(_ bytes: [UInt8]) -> Int {
    var (depth, deepest) = (0, 0)
    var isText = false
    var isEscaped = false
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if !isText { depth += 1 }
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isText { depth -= 1 }
      default: break
      }
    }
    return deepest
  }
}
