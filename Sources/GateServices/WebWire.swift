import AuthWire
import GateCore

/// What is said between the app and `app-gates-web`: fields with their lengths.
///
/// The program's `wire.h` has the list.
///
/// Any thread.
enum WebWire {
  /// The most bytes of an answer's body that may be asked for.
  static let limit = 32 << 20

  /// A request as it is written; nil where it is larger than the program takes.
  static func encode(_ request: WebRequest) -> [UInt8]? {
    guard request.headers.count <= 64, request.body.count <= 4 << 20 else { return nil }
    var bytes: [UInt8] = []
    func add(_ field: some Collection<UInt8>) { bytes += WebWire.field(field) }
    add("app-gates-web".utf8)
    add(APP_GATES_VERSION.utf8)
    add(request.method.rawValue.utf8)
    add(request.address.utf8)
    add("\(min(max(1, request.deadline), 600_000))".utf8)
    add("\(min(max(0, request.limit), limit))".utf8)
    add("\(request.headers.count)".utf8)
    for header in request.headers {
      add(header.name.utf8)
      add(header.value.utf8)
    }
    add(request.body)
    return bytes
  }

  /// A field with its length.
  static func field(_ field: some Collection<UInt8>) -> [UInt8] {
    Array("\(field.count):".utf8) + field + [UInt8(ascii: ",")]
  }

  /// A text as a field.
  static func field(_ text: String) -> [UInt8] { field(text.utf8) }

  /// What the program said, all of it; `.crashed` where that is not what it says.
  static func decode(_ bytes: [UInt8], limit: Int) -> Result<WebAnswer, WebFault> {
    var fields = Fields(bytes)
    switch fields.text() {
    case "answer":
      guard let status = fields.number(), (100...999).contains(status), let count = fields.number() else { break }
      var headers: [String: String] = [:]
      for _ in 0..<count {
        guard let name = fields.text(), let value = fields.text() else { return .failure(.crashed) }
        headers[name] = headers[name].map { $0 + ", " + value } ?? value
      }
      guard let body = fields.next(), fields.isAtEnd else { break }
      guard body.count <= limit else { return .failure(.tooLarge) }
      return .success(WebAnswer(status: status, headers: headers, body: Array(body)))
    case "fault":
      guard let name = fields.text(), let host = fields.text(), fields.isAtEnd else { break }
      return .failure(fault(name, host))
    default: break
    }
    return .failure(.crashed)
  }

  private static func fault(_ name: String, _ host: String) -> WebFault {
    switch name {
    case "refused-address": .refusedAddress
    case "no-tls": .notInstalled
    case "unreachable": .unreachable
    case "timed-out": .timedOut
    case "truncated": .truncated
    case "too-large": .tooLarge
    case "malformed": .malformed
    case "redirected": .redirected(to: host)
    case "bad-certificate": .badCertificate
    default: .crashed
    }
  }

  /// Reads one field after another; nothing more once one is malformed.
  struct Fields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// What has not been read.
    var left: [UInt8] { Array(rest) }

    mutating func next() -> ArraySlice<UInt8>? {
      guard let colon = rest.prefix(10).firstIndex(of: UInt8(ascii: ":")),
        let count = Fields.number(rest[..<colon]), rest.endIndex - colon - 1 > count
      else { return nil }
      let start = colon + 1
      let field = rest[start..<start + count]
      guard rest[field.endIndex] == UInt8(ascii: ",") else { return nil }
      rest = rest[(field.endIndex + 1)...]
      return field
    }

    mutating func text() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }

    mutating func number() -> Int? { next().flatMap { Fields.number($0) } }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
      let text = String(decoding: digits, as: UTF8.self)
      guard let first = text.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
      return Int(text)
    }
  }
}
