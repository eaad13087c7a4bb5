import Foundation

@testable import GateCore

extension OpenIDTools {
  /// Foundation's JSON and base64; numbers that are the same at each run, and a hash that only tells texts apart.
  static var plain: OpenIDTools {
    OpenIDTools(
      random: { count in (0..<count).map { UInt8($0 & 0xFF) } },
      sha256: { bytes in [UInt8](repeating: UInt8(bytes.reduce(0) { ($0 &+ Int($1)) & 0xFF }), count: 32) },
      encode: { bytes in
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
          .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
      },
      decode: { text in
        var plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while plain.count % 4 != 0 { plain += "=" }
        return Data(base64Encoded: plain).map(Array.init)
      },
      json: { bytes in
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)).map(JsonValue.init(any:))
      })
  }
}

extension JsonValue {
  fileprivate init(any value: Any) {
    switch value {
    case let members as [String: Any]: self = .object(members.mapValues(JsonValue.init(any:)))
    case let list as [Any]: self = .list(list.map(JsonValue.init(any:)))
    case let text as String: self = .text(text)
    case let number as NSNumber where number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "c")):
      self = .bool(number.boolValue)
    case let number as NSNumber:
      self = Int64(exactly: number.doubleValue).map { .integer($0) } ?? .number(number.doubleValue)
    default: self = .null
    }
  }
}

/// A provider as a test has it, and what it answers.
@MainActor
final class OpenIDRig {
  nonisolated static let issuer = "https://id.example.org/realm"
  nonisolated static let provider: OpenIDProvider = {
    guard let provider = OpenIDProvider(issuer: issuer, client: "app") else { preconditionFailure("no issuer") }
    return provider
  }()
  nonisolated static let pages = RedirectPages(
    language: "en", isRightToLeft: false, done: .init("Done", "."), refused: .init("No", "."), foreign: .init("?", "."),
    missing: .init("-", "."))

  let world: World
  let web = HandWeb()
  let timer: HandTimer
  let secrets = MemorySecrets()
  /// What is waited for, and whether it still is.
  private(set) var waiting: [RedirectRequest] = []
  private(set) var stopped = 0
  private(set) var opened: [String] = []
  private(set) var lines: [String] = []
  var hear: (@MainActor (RedirectEvent) -> Void)?
  var answerBrowser: (@MainActor (StoreFault?) -> Void)?
  private(set) lazy var auth = make(provider)
  private let provider: OpenIDProvider?

  init(_ values: [String: String] = [:], provider: OpenIDProvider? = OpenIDRig.provider) {
    var values = values
    values["acceptedConsentVersion"] = LegalContent.version
    let world = World(values)
    self.world = world
    timer = HandTimer(world.hands)
    self.provider = provider
    _ = auth
  }

  /// The controller of another run, on the same files.
  func make(_ provider: OpenIDProvider? = OpenIDRig.provider) -> AuthController {
    let client = OpenIDClient(
      tools: .plain,
      listen: { [weak self] request, heard in
        self?.waiting.append(request)
        self?.hear = heard
        return {
          self?.stopped += 1
          self?.hear = nil
        }
      },
      open: { [weak self] address, done in
        self?.opened.append(address)
        self?.answerBrowser = done
      }, schedule: timer.schedule, log: { [weak self] in self?.lines.append($0) })
    return AuthController(
      client: secrets.client, preferences: world.preferences, clock: world.clock, bus: world.bus,
      services: SignInServices(provider: provider, client: client, web: web.client))
  }

  nonisolated static func metadata(_ changes: [String: String] = [:]) -> String {
    var members = [
      "issuer": "\"\(issuer)\"", "authorization_endpoint": "\"https://id.example.org/auth\"",
      "token_endpoint": "\"https://id.example.org/token\"", "revocation_endpoint": "\"https://id.example.org/revoke\"",
      "response_types_supported": "[\"code\"]", "code_challenge_methods_supported": "[\"plain\",\"S256\"]",
      "scopes_supported": "[\"openid\",\"profile\"]",
    ]
    for (name, value) in changes { members[name] = value.isEmpty ? nil : value }
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  /// The last word of this name in the address that the browser was given.
  func asked(_ name: String) -> String {
    let query = opened.last?.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
    return FormText.decode(query)?.last { $0.name == name }?.value ?? ""
  }

  func idToken(_ changes: [String: String] = [:]) -> String {
    let now = world.hands.wall
    var claims = [
      "iss": "\"\(OpenIDRig.issuer)\"", "sub": "\"ada\"", "aud": "\"app\"", "exp": "\(now + 600)", "iat": "\(now)",
      "nonce": "\"\(asked("nonce"))\"", "name": "\"Ada\"",
    ]
    for (name, value) in changes { claims[name] = value.isEmpty ? nil : value }
    let text = "{" + claims.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    return "e30." + OpenIDTools.plain.encode(Array(text.utf8)) + ".c2ln"
  }

  func tokens(_ id: String? = nil, access: String = "A1", refresh: String? = "R1", lifetime: Int = 600) -> String {
    var members = ["\"access_token\":\"\(access)\"", "\"token_type\":\"Bearer\"", "\"expires_in\":\(lifetime)"]
    if let refresh { members.append("\"refresh_token\":\"\(refresh)\"") }
    if let id { members.append("\"id_token\":\"\(id)\"") }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// From the click to the browser.
  func toBrowser() {
    auth.signIn(pages: OpenIDRig.pages)
    web.sent.last?.answer(200, OpenIDRig.metadata())
    hear?(.listening(port: 4321))
  }

  /// From the click to the answer of the token endpoint.
  func toRedeeming() {
    toBrowser()
    hear?(.arrived(query: "code=C&state=\(asked("state"))"))
  }

  /// Signed in and unlocked, with tokens good for 600 seconds.
  static func unlocked(refresh: String? = "R1", lifetime: Int = 600) async -> OpenIDRig {
    let rig = OpenIDRig()
    rig.auth.setUnlocked(true)
    await rig.signIn(refresh: refresh, lifetime: lifetime)
    return rig
  }

  /// Lets time pass, and with it what it brings.
  func pass(_ seconds: Int64) async {
    world.hands.wall += seconds
    timer.advance(seconds * 1000)
    await settle()
  }

  /// From the click to the session.
  func signIn(refresh: String? = "R1", lifetime: Int = 600) async {
    toRedeeming()
    web.sent.last?.answer(200, tokens(idToken(), refresh: refresh, lifetime: lifetime))
    await until { self.auth.session != nil }
  }

  /// Lets the tasks run until it is so, or gives up.
  func until(_ isSo: @MainActor () -> Bool) async {
    for _ in 0..<10_000 where !isSo() { await Task.yield() }
  }

  /// Lets the tasks run that are on their way.
  func settle() async {
    for _ in 0..<200 { await Task.yield() }
  }

  /// The pairs of the form that was sent last.
  var form: [String: String] {
    let pairs = FormText.decode(String(decoding: web.sent.last?.request.body ?? [], as: UTF8.self)) ?? []
    return Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
  }

  /// What the store holds.
  var stored: OpenIDTokens? {
    guard case .present(let secret) = secrets.reading else { return nil }
    return OpenIDTokens(secret)
  }
}

/// A store of the session's secret that answers at once.
@MainActor
final class MemorySecrets {
  var reading = SecretReading.absent
  /// Where it is stored, and where put in the place of another.
  var store = SecretStore.file
  var storeFault: SessionFault?
  var unlockFault: SessionFault?
  var removeFault: SessionFault?
  var replaceFault: SessionFault?
  /// What is done before a call answers.
  var before: [String: @MainActor () -> Void] = [:]
  private(set) var calls: [String] = []

  var client: SessionClient {
    SessionClient(
      userName: { "Ada" }, makeSecret: { SessionSecret(line: "0123") },
      store: { (secret) async throws(SessionFault) in
        self.pass("store")
        if let fault = self.storeFault { throw fault }
        self.reading = .present(secret)
        if Task.isCancelled { throw .cancelled }
        return self.store
      },
      read: { _ in
        self.pass("read")
        return self.reading
      },
      unlock: { () async throws(SessionFault) in
        self.pass("unlock")
        if let fault = self.unlockFault { throw fault }
      },
      replace: { (secret, _) async throws(SessionFault) in
        self.pass("replace")
        if let fault = self.replaceFault { throw fault }
        self.reading = .present(secret)
        return self.store
      },
      remove: { (_) async throws(SessionFault) in
        self.pass("remove")
        if let fault = self.removeFault { throw fault }
        self.reading = .absent
      },
      moveToKeyring: { false })
  }

  private func pass(_ name: String) {
    calls.append(name)
    before.removeValue(forKey: name)?()
  }
}
