/// What the update gate asks of the disk.
///
/// Main thread.
public struct UpdateClient: Sendable {
  /// The packager's settings anew; nothing where they are as they were when asked last.
  public var reload: @MainActor () -> AppSecrets?
  /// The manifest that was kept.
  public var load: @MainActor () -> KeptManifest?
  /// Keeps a manifest; where that fails, it is fetched again after the next start.
  public var save: @MainActor (KeptManifest) -> Void
  /// Reads a manifest; nothing where the bytes are none.
  public var parse: @MainActor ([UInt8]) -> UpdateManifest?

  /// Takes the four.
  public init(
    reload: @escaping @MainActor () -> AppSecrets?, load: @escaping @MainActor () -> KeptManifest?,
    save: @escaping @MainActor (KeptManifest) -> Void, parse: @escaping @MainActor ([UInt8]) -> UpdateManifest?
  ) {
    self.reload = reload
    self.load = load
    self.save = save
    self.parse = parse
  }

  /// Settings that never change, and nothing kept.
  public static let none = UpdateClient(reload: { nil }, load: { nil }, save: { _ in }, parse: { _ in nil })
}
