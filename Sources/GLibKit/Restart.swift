import Glibc

/// The program begun anew in the same process.
public enum Restart {
  /// Puts the program of that path in this one's place, with its name for the only argument; returns where that fails.
  ///
  /// Everything that is open closes with this program, as descriptors are close-on-exec throughout.
  public static func become(_ program: String, name: String) {
    // What this program had set for itself stays over an exec.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    guard let copy = strdup(name) else { return }
    var arguments: [UnsafeMutablePointer<CChar>?] = [copy, nil]
    execv(program, &arguments)
    free(copy)
  }
}
