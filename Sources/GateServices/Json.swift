import CJson
import GLibKit

/// A JSON value, written as text by json-glib.
enum Json: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  case null
  case bool(Bool)
  case integer(Int64)
  case text(String)
  case list([Json])
  /// Members in the order in which they are written.
  case object([(String, Json)])

  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }

  /// The text of an optional, or null.
  static func optional(_ text: String?) -> Json { text.map { .text($0) } ?? .null }

  /// The value as text: one line, or indented by two spaces.
  func written(pretty: Bool) -> String {
    let node = self.node
    defer { json_node_unref(node) }
    guard let text = json_to_string(node, pretty ? 1 : 0) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  private var node: OpaquePointer? {
    let node = json_node_alloc()
    switch self {
    case .null: json_node_init_null(node)
    case .bool(let value): json_node_init_boolean(node, value ? 1 : 0)
    case .integer(let value): json_node_init_int(node, gint64(value))
    case .text(let value): json_node_init_string(node, value)
    case .list(let values):
      let list = json_array_new()
      for value in values { json_array_add_element(list, value.node) }
      json_node_init_array(node, list)
      json_array_unref(list)
    case .object(let members):
      let object = json_object_new()
      for (name, value) in members { json_object_set_member(object, name, value.node) }
      json_node_init_object(node, object)
      json_object_unref(object)
    }
    return node
  }
}
