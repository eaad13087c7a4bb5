import GateCore
import Glibc
import Testing

@testable import GLibKit
@testable import GateServices

/// The end of a run as the next one finds it; the files are written here as a run leaves them.
@MainActor
struct RunJournalTests {
  let scratch = Scratch()
  var paths: AppPaths { scratch.paths }
  private let crash = "signal=SIGSEGV\nat=1000\ngate=ConsentGate\nframe=a+0x1\nwhole=yes\n"
  /// No process has it: the kernel's numbers end before.
  private let nobody: Int32 = 2_000_000_000

  private func journal(boot: String = "b1", wall: Int64 = 2000) -> RunJournal {
    RunJournal(paths, boot: boot, groups: ControlGroup(own: "/nonexistent"), wall: wall)
  }

  private func leave(
    _ end: String, pid: Int32? = nil, started: String = "1", boot: String = "b1", record: String = "crash-1-1.new",
    crashes: [Int64] = []
  ) throws {
    let run = RunRecord(pid: pid ?? nobody, started: started, boot: boot, record: record, crashes: crashes)
    try scratch.write("end=\(end)\ngate=AuthGate\n" + run.text, to: paths.run)
  }

  @Test func nothingLeft() {
    let left = journal().look()
    #expect(left.end == .clean && left.crash == nil && left.history == CrashHistory())
  }

  @Test func itsRecordBelongsToIt() throws {
    try leave("SIGSEGV", crashes: [998])
    try scratch.write(crash, to: paths.crashes + "/crash-1-1.new")
    let left = journal().look()
    #expect(left.end == .crashed(signal: "SIGSEGV") && left.gate == "ConsentGate" && left.history.times == [998, 1000])
    #expect(left.crash?.frames == ["a+0x1"])
    journal().told()
    #expect(scratch.names(beside: paths.crashes + "/x") == ["crash-1-1.txt"])
  }

  @Test func aSignalWithoutARecord() throws {
    try leave("SIGABRT")
    let left = journal().look()
    #expect(left.end == .crashed(signal: "SIGABRT") && left.crash == nil && left.gate == "AuthGate")
  }

  @Test func aRecordThatNobodyWasToldOf() throws {
    try scratch.write(crash, to: paths.crashes + "/crash-0-9.new")
    #expect(journal().look().end == .crashed(signal: "SIGSEGV"))
    #expect(journal().look().history == CrashHistory())
    // An end that asks for something comes before it.
    try leave("safe")
    #expect(journal().look().end == .restarted(safely: true))
    try leave("running", boot: "b0")
    #expect(journal().look().end == .crashed(signal: "SIGSEGV"))
  }

  @Test func aProcessThatIsThere() throws {
    let parent = getppid()
    let fields = try #require(try? Files.read("/proc/\(parent)/stat", limit: 4096))
    let started = String(decoding: fields, as: UTF8.self).split(separator: ")").last?.split(separator: " ")[19] ?? ""
    try leave("running", pid: parent, started: String(started))
    #expect(journal().look().end == .stillRuns)
    try leave("running", pid: parent, started: String(started) + "0")
    #expect(journal().look().end == .unexpected)
    try leave("running", pid: getpid())
    #expect(journal().look().end == .unexpected)
  }

  @Test func namesThatLeadElsewhere() throws {
    try scratch.write(crash, to: scratch.path + "/secret.new")
    try leave("running", record: "../../../../secret.new")
    #expect(journal().look().end == .unexpected)
    try leave("running", record: "crash-/../../../../../secret.new")
    #expect(journal().look().end == .unexpected)
  }

  @Test func oldRecordsGo() throws {
    for number in 10...30 { try scratch.write(crash, to: paths.crashes + "/crash-\(number)-1.txt") }
    try scratch.write("mine", to: paths.crashes + "/notes")
    journal().told()
    #expect(scratch.names(beside: paths.crashes + "/x") == (21...30).map { "crash-\($0)-1.txt" } + ["notes"])
  }

  @Test func aLookFromOutsideMakesNothing() {
    _ = RunJournal.look(paths)
    #expect(scratch.names(beside: scratch.path + "/x").isEmpty)
  }
}
