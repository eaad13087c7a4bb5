import AuthWire
import GateCore

/// What is said between the app and an `app-gates-web` that waits for the browser.
///
/// The program's `wire.h` has the list. Any thread.
enum RedirectWire {
  /// The request as it is written; the deadline is in milliseconds.
  static func encode(_ request: RedirectRequest, deadline: Int64) -> [UInt8] {
    let pages = request.pages
    var fields = ["app-gates-web", APP_GATES_VERSION, "LISTEN", request.path, request.state]
    fields += [String(min(max(1, deadline), 600_000)), pages.language, pages.isRightToLeft ? "rtl" : "ltr"]
    for page in [pages.done, pages.refused, pages.foreign, pages.missing] { fields += [page.title, page.text] }
    return fields.flatMap(WebWire.field)
  }

  /// Takes the next two or three fields that say something off the bytes; nothing until they are whole.
  static func next(_ bytes: inout [UInt8]) -> RedirectEvent? {
    var fields = WebWire.Fields(bytes)
    guard let kind = fields.text(), let value = fields.text() else { return nil }
    switch kind {
    case "listening":
      guard let port = UInt16(value), port > 0 else { return .failed(.crashed) }
      bytes = fields.left
      return .listening(port: port)
    case "redirect":
      bytes = fields.left
      return .arrived(query: value)
    case "fault":
      // With a third field, for the other kind of request.
      guard fields.text() != nil else { return nil }
      bytes = fields.left
      return .failed(fault(value))
    default: return .failed(.crashed)
    }
  }

  private static func fault(_ name: String) -> RedirectFault {
    switch name {
    case "no-port": .noPort
    case "timed-out": .timedOut
    default: .crashed
    }
  }
}
