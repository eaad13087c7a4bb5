/// One request to a server of the packager's choice.
///
/// Any thread.
public struct WebRequest: Hashable, Sendable {
  /// What is asked.
  public enum Method: String, Hashable, Sendable {
    /// To be given something.
    case get = "GET"
    /// To take something.
    case post = "POST"
  }

  /// A header.
  public struct Header: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its value, without control characters.
    public let value: String

    /// Puts the two together.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What is asked.
  public var method: Method
  /// Where: https, or http on this computer.
  public var address: String
  /// The headers, besides those that every request has; at most 64, `Content-Type` among them where there is a body.
  public var headers: [Header]
  /// What is sent along, at most 4 MiB.
  public var body: [UInt8]
  /// The most bytes that the answer's body may have after decoding; 32 MiB at most.
  public var limit: Int
  /// How long all of it may take, in milliseconds; ten minutes at most.
  public var deadline: Int64

  /// Puts a request together.
  public init(
    _ method: Method, _ address: String, headers: [Header] = [], body: [UInt8] = [], limit: Int = 1 << 20,
    deadline: Int64 = 20_000
  ) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
    self.limit = limit
    self.deadline = deadline
  }
}

/// What a server answered, whatever its status says.
///
/// Any thread.
public struct WebAnswer: Hashable, Sendable {
  /// The status, such as 200.
  public let status: Int
  /// The headers by their names in lower case; several of one name are joined by a comma and a space.
  public let headers: [String: String]
  /// The body, decoded and whole.
  public let body: [UInt8]

  /// Puts an answer together.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Whether the server says that all went well.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

/// Why there is no answer.
public enum WebFault: Error, Hashable, Sendable {
  /// The user has not permitted it; nothing was sent.
  case notPermitted
  /// The address is none that the app may talk to; nothing was sent.
  case refusedAddress
  /// The program that sends requests is missing, or what it needs for TLS; nothing was sent.
  case notInstalled
  /// The server could not be reached.
  case unreachable
  /// There was no whole answer in time.
  case timedOut
  /// The answer ended too early.
  case truncated
  /// The answer is larger than the request allows.
  case tooLarge
  /// The answer is no HTTP.
  case malformed
  /// The answer points to another host, scheme or port, or is one redirect too many.
  case redirected(to: String)
  /// The server's certificate is not trusted.
  case badCertificate
  /// The program that sends requests ended before its time, or broke its protocol.
  case crashed
  /// The app is in safe mode, where nothing is sent.
  case safeMode

  /// Whether it is a matter of the network, so that the same request may succeed later.
  ///
  /// A certificate that is not trusted counts too: that is how the sign-in page of a hotel's network looks.
  public var mayPass: Bool {
    switch self {
    case .unreachable, .timedOut, .truncated, .badCertificate, .safeMode: true
    case .notPermitted, .refusedAddress, .notInstalled, .tooLarge, .malformed, .redirected, .crashed: false
    }
  }
}
