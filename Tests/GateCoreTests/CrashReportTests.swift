import Testing

@testable import GateCore

struct CrashReportTests {
  private let text = """
    signal=SIGSEGV
    sent=no
    address=null+0x8
    version=1.2
    build=74b5d829
    at=1796051159
    uptime=12
    gate=BiometricGate
    thread=app-gates
    frame=app-gates+0x2900
    frame=libc.so.6+0x27249
    whole=yes

    """

  @Test func readsARecord() {
    let crash = CrashReport(text)
    #expect(crash.signal == "SIGSEGV" && !crash.wasSent && crash.address == "null+0x8" && crash.isWhole)
    #expect(crash.version == "1.2" && crash.build == "74b5d829" && crash.at == 1_796_051_159 && crash.uptime == 12)
    #expect(crash.gate == "BiometricGate" && crash.thread == "app-gates")
    #expect(crash.frames == ["app-gates+0x2900", "libc.so.6+0x27249"])
    #expect(crash.lines.last == "libc.so.6+0x27249")
  }

  @Test func readsEveryBeginningOfOne() {
    for length in 0..<text.utf8.count {
      let crash = CrashReport(String(text.prefix(length)))
      #expect(!crash.isWhole || length >= text.utf8.count - 2)
      #expect(CrashReport(text).frames.starts(with: crash.frames.dropLast()))
    }
    #expect(CrashReport("").lines == ["uptime: 0 s", "(The record ends early.)"])
  }

  @Test(arguments: [
    "thread=/home/sam", "thread=Buy milk", "gate=sam@example.org", "frame=a\u{202e}b", "frame=Süd", "signal=a\0b",
    "thread=" + String(repeating: "a", count: 97),
  ])
  func leavesOutWhatIsNoPlainWord(_ line: String) {
    let crash = CrashReport(line + "\n")
    #expect(crash == CrashReport(""))
  }

  @Test func readsNoMoreFramesThanThereCanBe() {
    #expect(CrashReport(String(repeating: "frame=a+0x1\n", count: 1000)).frames.count == CrashReport.frameLimit)
  }
}
