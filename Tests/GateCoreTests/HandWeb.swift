@testable import GateCore

/// A server, answered by hand.
@MainActor
final class HandWeb {
  final class Sent {
    let request: WebRequest
    fileprivate(set) var isCancelled = false
    fileprivate let done: @MainActor (Result<WebAnswer, WebFault>) -> Void

    init(_ request: WebRequest, _ done: @escaping @MainActor (Result<WebAnswer, WebFault>) -> Void) {
      self.request = request
      self.done = done
    }

    func header(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }
    @MainActor func answer(_ status: Int, _ body: String = "", headers: [String: String] = [:]) {
      done(.success(WebAnswer(status: status, headers: headers, body: Array(body.utf8))))
    }
    @MainActor func fail(_ fault: WebFault) { done(.failure(fault)) }
  }

  private(set) var sent: [Sent] = []

  /// What cannot be answered any more is said nevertheless, as by a transport that is late.
  var client: WebClient {
    WebClient { request, done in
      let one = Sent(request, done)
      self.sent.append(one)
      return { one.isCancelled = true }
    }
  }
}

/// The update gate's disk, in memory: a manifest is written `version minimum url`, a dash where there is none.
@MainActor
final class UpdateDisk {
  var settings: AppSecrets?
  var kept: KeptManifest?
  private(set) var saves = 0

  var client: UpdateClient {
    UpdateClient(
      reload: {
        defer { self.settings = nil }
        return self.settings
      },
      load: { self.kept },
      save: {
        self.kept = $0
        self.saves += 1
      },
      parse: { UpdateDisk.manifest(String(decoding: $0, as: UTF8.self)) })
  }

  static func manifest(_ text: String) -> UpdateManifest? {
    let words = text.split(separator: " ").map(String.init)
    let fields = zip(UpdateManifest.keys, words).filter { $0.1 != "-" }
    return UpdateManifest(Dictionary(uniqueKeysWithValues: fields))
  }
}
