#if DEBUG
  import GLibKit
  import GateCore
  import GateServices

  /// The names of the functions in a record, in debug builds, where addr2line is installed.
  @MainActor
  enum CrashSymbols {
    /// Asks for the names of the program's own frames; they come later, or not at all.
    ///
    /// Another build than the one that crashed would name them wrongly: the sources may have changed in between.
    static func find(for recovery: RecoveryController, program: String) {
      guard let crash = recovery.crash, crash.build == RunJournal.build else { return }
      let mark = "app-gates+"
      let own = crash.frames.indices.filter { crash.frames[$0].hasPrefix(mark) }
      let offsets = own.map { String(crash.frames[$0].dropFirst(mark.count)) }
      Subprocess.output(["addr2line", "-f", "-s", "-e", program] + offsets) { [weak recovery] text in
        guard let recovery, let text else { return }
        // Two lines for each: the function, then the file's name and the line.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= own.count * 2 else { return }
        var frames = crash.frames
        for (place, frame) in own.enumerated() { frames[frame] += " \(lines[place * 2]) \(lines[place * 2 + 1])" }
        recovery.name(frames)
      }
    }
  }
#endif
