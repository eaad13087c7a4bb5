import Glibc

/// An open descriptor, closed when this goes.
///
/// Any thread. It is not inherited by programs that are started.
public final class OwnedDescriptor: Sendable {
  /// The descriptor, valid for as long as this is kept.
  public let number: Int32

  /// Takes a descriptor that nobody else closes.
  public init(taking number: Int32) { self.number = number }

  deinit { close(number) }
}
