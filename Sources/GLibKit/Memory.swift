import GLibShim

/// The process's own memory.
public enum Memory {
  /// Hands what was freed back to the system.
  ///
  /// A few milliseconds. Any thread.
  public static func trim() { gs_trim_memory() }
}
