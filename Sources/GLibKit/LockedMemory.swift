import Glibc

/// Memory for a secret: pages of its own, kept out of swap and core dumps, overwritten and given back at the end.
///
/// One thread at a time.
public final class LockedMemory {
  /// The bytes, all zero at first.
  public let bytes: UnsafeMutableRawBufferPointer
  /// Whether the system kept the pages out of swap; a limit on locked memory may forbid it, which is no error.
  public let isLocked: Bool

  /// So many bytes; nil where there is no memory.
  public init?(count: Int) {
    let page = Int(getpagesize())
    let size = (count + page - 1) / page * page
    let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
    isLocked = mlock(start, size) == 0
    // 16 is MADV_DONTDUMP, a macro that is not imported.
    madvise(start, size, 16)
  }

  /// Overwrites the bytes.
  public func wipe() {
    guard let start = bytes.baseAddress else { return }
    explicit_bzero(start, bytes.count)
  }

  deinit {
    wipe()
    munmap(bytes.baseAddress, bytes.count)
  }
}
