/// The boot of the machine that goes on now.
public enum Boot {
  /// The kernel's name for it, another one after each start; empty where it gives none.
  public static var id: String {
    let content = (try? Files.read("/proc/sys/kernel/random/boot_id", limit: 100)) ?? []
    return String(String(decoding: content, as: UTF8.self).prefix { $0 != "\n" })
  }
}
