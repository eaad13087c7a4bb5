/// What a packager publishes about the versions that there are.
///
/// Any thread.
///
/// A small JSON object whose members are texts; others are passed over:
///
///     {"version": "1.2.0", "minimum": "1.0.0", "url": "https://www.example.org/get", "notes": "What is new."}
public struct UpdateManifest: Hashable, Sendable {
  /// The members that are read.
  public static let keys = ["version", "minimum", "url", "notes"]

  /// The newest version that there is.
  public let version: AppVersion?
  /// The oldest version that may still be used.
  public let minimum: AppVersion?
  /// Where to update: an https, http, appstream or snap address.
  public let address: String?
  /// What is new in `version`, as plain text.
  public let notes: String?
  /// The texts that this was read from, to be kept.
  public let fields: [String: String]
  /// The members that could not be used, and count as missing.
  public let problems: [String]

  /// Reads the members; nothing where neither version is one, since nothing follows from such a manifest.
  public init?(_ fields: [String: String]) {
    version = fields["version"].flatMap { AppVersion($0) }
    minimum = fields["minimum"].flatMap { AppVersion($0) }
    guard version != nil || minimum != nil else { return nil }
    address = fields["url"].flatMap { Address.isStore($0) ? $0 : nil }
    notes = fields["notes"].flatMap(UpdateManifest.shown)
    self.fields = fields.filter { UpdateManifest.keys.contains($0.key) }
    let isUsed = ["version": version != nil, "minimum": minimum != nil, "url": address != nil]
    problems = UpdateManifest.keys.filter { fields[$0] != nil && isUsed[$0] == false }
  }

  /// The most characters of the notes that are shown.
  static let notesLimit = 2_000

  /// Without what would draw outside of its line: control characters, and those that turn the writing around.
  private static func shown(_ text: String) -> String? {
    let kept = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: true
      case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
    var notes = Substring(String(String.UnicodeScalarView(kept))).drop(while: \.isWhitespace)
    while notes.last?.isWhitespace == true { notes.removeLast() }
    if notes.isEmpty { return nil }
    return notes.count > notesLimit ? notes.prefix(notesLimit - 1) + "…" : String(notes)
  }
}

/// A manifest as it was fetched, kept for times without a network.
public struct KeptManifest: Hashable, Sendable {
  /// Where it came from.
  public var address: String
  /// The server's name for this state of it (ETag), where it gave one.
  public var tag: String?
  /// When the server was asked last, in seconds since 1970.
  public var askedAt: Int64
  /// What it said.
  public var manifest: UpdateManifest

  /// Puts the four together.
  public init(address: String, tag: String?, askedAt: Int64, manifest: UpdateManifest) {
    self.address = address
    self.tag = tag
    self.askedAt = askedAt
    self.manifest = manifest
  }
}
