import CJson
import GLibKit
import GateCore

extension JsonValue {
  /// Reads JSON, brackets within each other `depth` times at most; nil where the bytes are none.
  ///
  /// Any thread. json-glib goes one call deeper with each bracket, and a file of brackets alone would take it through the
  /// end of the stack.
  init?(_ bytes: [UInt8], depth: Int = 16) {
    guard !bytes.contains(0), JsonDepth.of(bytes) <= depth, let parser = json_parser_new() else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(parser)) }
    let isSound = bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return json_parser_load_from_data(parser, start.assumingMemoryBound(to: CChar.self), gssize(bytes.count), nil)
        != 0
    }
    guard isSound, let root = json_parser_get_root(parser) else { return nil }
    self.init(of: root)
  }

  private init(of node: OpaquePointer) {
    switch json_node_get_node_type(node) {
    case JSON_NODE_OBJECT:
      var members: [String: JsonValue] = [:]
      let object = json_node_get_object(node)
      let names = json_object_get_members(object)
      defer { g_list_free(names) }
      var item = names
      while let link = item {
        let name = link.pointee.data.assumingMemoryBound(to: CChar.self)
        if let member = json_object_get_member(object, name) { members[String(cString: name)] = JsonValue(of: member) }
        item = link.pointee.next
      }
      self = .object(members)
    case JSON_NODE_ARRAY:
      let list = json_node_get_array(node)
      self = .list(
        (0..<json_array_get_length(list)).compactMap { json_array_get_element(list, $0).map { JsonValue(of: $0) } })
    case JSON_NODE_VALUE: self = JsonValue(plain: node)
    default: self = .null
    }
  }

  private init(plain node: OpaquePointer) {
    // Its fundamental types, whose numbers glib-object fixes: macros that are not imported.
    switch json_node_get_value_type(node) {
    case GType(5 << 2): self = .bool(json_node_get_boolean(node) != 0)
    case GType(10 << 2): self = .integer(Int64(json_node_get_int(node)))
    case GType(15 << 2): self = .number(json_node_get_double(node))
    default: self = json_node_get_string(node).map { .text(String(cString: $0)) } ?? .null
    }
  }
}

/// How deep the brackets of a text go.
private enum JsonDepth {
  /// How deep the brackets go, those in texts apart.
  static func of(_ bytes: [UInt8]) -> Int {
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
