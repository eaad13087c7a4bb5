import AuthWire
import Foundation
import GLibKit
import GateCore
import Testing

@testable import GateServices

@MainActor
@Suite(.serialized)
struct PasswordClientTests {
  /// Short enough to test, long enough for a busy machine to start a process.
  private let deadlines = HelperDeadlines(hello: 1_500, progress: 700, exit: 500)

  /// Begins a conversation, answers each prompt, and returns what was told when all is over and reaped.
  private func converse(
    _ program: HelperProgram, answering answer: String? = "right", deadlines: HelperDeadlines? = nil
  ) -> Recording {
    let recording = Recording()
    if let answer { recording.onPrompt = { $0.answer(answer) } }
    let client = PasswordClient.live(program, deadlines: deadlines ?? self.deadlines)
    recording.conversation = client.begin { recording.take($0) }
    #expect(recording.result == nil, "nothing is told before the caller has the conversation")
    MainLoop.run(atMost: 10_000) { recording.result != nil && HelperProcess.livingCount == 0 }
    #expect(recording.finishes == 1)
    #expect(!recording.events.contains("late"))
    #expect(HelperProcess.livingCount == 0, "the helper was reaped")
    return recording
  }

  /// Steady deadlines, for what has to go well on a busy machine too.
  private let patient = HelperDeadlines(hello: 10_000, progress: 10_000, exit: 10_000)

  @Test func rightPassword() throws {
    let told = converse(try FakeHelper.program("good"), deadlines: patient)
    #expect(told.events == ["hidden Password: "])
    #expect(told.result == .success(VerifiedBy(hiddenAnswered: true)))
  }

  @Test func wrongPassword() throws {
    let told = converse(try FakeHelper.program("delay"), answering: "wrong", deadlines: patient)
    #expect(told.events == ["hidden Password: ", "delay 2500"])
    #expect(told.result == .failure(.wrong))
  }

  @Test func everyPromptGetsFreshInput() throws {
    let recording = Recording()
    var answers = ["one", "right"]
    recording.onPrompt = { $0.answer(answers.removeFirst()) }
    recording.conversation = PasswordClient.live(try FakeHelper.program("two-prompts"), deadlines: patient)
      .begin { recording.take($0) }
    MainLoop.run(atMost: 10_000) { recording.result != nil }
    #expect(recording.events == ["hidden Password: ", "visible Code: "])
    #expect(recording.result == .success(VerifiedBy(hiddenAnswered: true)))
  }

  @Test(arguments: [
    ("not-hidden", VerifiedBy(hiddenAnswered: false)),
    ("new-password", VerifiedBy(hiddenAnswered: true, newPasswordRequired: true)),
    ("unchecked", VerifiedBy(hiddenAnswered: true, accountUnchecked: true)),
    ("fork-keeps-channel", VerifiedBy(hiddenAnswered: true)),
  ])
  func verified(_ mode: String, _ by: VerifiedBy) throws {
    #expect(converse(try FakeHelper.program(mode), deadlines: patient).result == .success(by))
  }

  @Test(arguments: [
    ("expired", VerifyFault.accountExpired), ("max-tries", .tooManyTries), ("missing-service", .serviceMissing),
  ])
  func refused(_ mode: String, _ fault: VerifyFault) throws {
    #expect(converse(try FakeHelper.program(mode), deadlines: patient).result == .failure(fault))
  }

  @Test(arguments: [
    "die-at-start", "die-after-hello", "die-after-prompt", "die-after-answer", "crash-after-answer",
    "fail-after-success", "killed-after-success", "more-after-success", "twice-success", "malformed", "oversize",
    "of-the-other-side", "flood", "hello-twice", "result-before-hello", "success-while-asking",
  ])
  func whatIsNoVerdict(_ mode: String) throws {
    #expect(converse(try FakeHelper.program(mode), deadlines: patient).result == .failure(.helperFailed))
  }

  @Test func aPromptBeforeTheAnswerToTheLast() throws {
    let told = converse(try FakeHelper.program("prompt-twice"), answering: nil, deadlines: patient)
    #expect(told.events == ["hidden Password: "])
    #expect(told.result == .failure(.helperFailed))
  }

  @Test(arguments: [
    "hang-at-start", "hang-after-hello", "hang-after-answer", "hang-after-success", "close-then-hang",
  ])
  func silence(_ mode: String) throws {
    #expect(converse(try FakeHelper.program(mode)).result == .failure(.noAnswer))
  }

  @Test func wrongVersion() throws {
    #expect(converse(try FakeHelper.program("wrong-version"), deadlines: patient).result == .failure(.versionMismatch))
  }

  @Test func successWithoutAPromptIsHandedOnAsSuch() throws {
    let told = converse(try FakeHelper.program("result-at-once"), deadlines: patient)
    #expect(told.events.isEmpty)
    #expect(told.result == .success(VerifiedBy(hiddenAnswered: true)))
  }

  @Test func aPromptHasNoDeadline() throws {
    let recording = Recording()
    let client = PasswordClient.live(try FakeHelper.program("good"), deadlines: deadlines)
    recording.conversation = client.begin { recording.take($0) }
    MainLoop.run(atMost: 10_000) { !recording.events.isEmpty }
    // Well past every deadline.
    MainLoop.run(atMost: 2_000) { recording.result != nil }
    #expect(recording.result == nil)
    recording.answer("right")
    MainLoop.run(atMost: 10_000) { recording.result != nil }
    #expect(recording.result == .success(VerifiedBy(hiddenAnswered: true)))
  }

  @Test func messagesAreMadeFitToBeShown() throws {
    let told = converse(try FakeHelper.program("messages"), deadlines: patient)
    #expect(told.events[0] == "info one two[31m")
    #expect(told.events[1] == "error broken \u{FFFD} end")
    #expect(told.events[2] == "info " + String(repeating: "x", count: 1000))
  }

  @Test func surroundings() throws {
    setenv("LD_PRELOAD_TEST", "inherited", 1)
    let told = converse(try FakeHelper.program("surroundings"), deadlines: patient).events
    let lines = told.filter { $0.hasPrefix("info ") }.map { String($0.dropFirst(5)) }
    for number in 0...2 { #expect(lines.contains("fd \(number) /dev/null")) }
    #expect(lines.contains { $0.hasPrefix("fd 3 socket:") })
    // Others may be open in the test's own process; what the real helper does with such is tested with it.
    #expect(!lines.contains { $0.hasPrefix("fd ") && $0.hasSuffix("/surroundings") }, "the opened binary stays here")
    #expect(lines.contains("PATH=/usr/sbin:/usr/bin:/sbin:/bin"))
    let allowed = ["PATH", "LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE"]
    let names = lines.filter { !$0.hasPrefix("fd ") }.map { String($0.prefix { $0 != "=" }) }
    #expect(names.allSatisfy { allowed.contains($0) })
  }

  @Test(arguments: ["hang-at-start", "hang-after-hello", "good", "hang-after-answer"])
  func cancelEndsTheHelperAndSaysNothing(_ mode: String) throws {
    let recording = Recording()
    let client = PasswordClient.live(try FakeHelper.program(mode), deadlines: patient)
    recording.conversation = client.begin { recording.take($0) }
    if mode == "good" || mode == "hang-after-answer" {
      MainLoop.run(atMost: 10_000) { !recording.events.isEmpty }
      if mode != "good" { recording.answer("right") }
    }
    let events = recording.events
    recording.conversation?.cancel()
    MainLoop.run(atMost: 10_000) { HelperProcess.livingCount == 0 }
    #expect(HelperProcess.livingCount == 0)
    #expect(recording.finishes == 0)
    #expect(recording.events == events)
    recording.answer("right")
  }

  @Test func theConversationMayBeLetGoOf() throws {
    let recording = Recording()
    let client = PasswordClient.live(try FakeHelper.program("die-after-prompt"), deadlines: patient)
    _ = client.begin { recording.take($0) }
    MainLoop.run(atMost: 10_000) { HelperProcess.livingCount == 0 }
    #expect(recording.result == .failure(.helperFailed))
  }

  @Test(arguments: ["", "a\0b", String(repeating: "x", count: 512)])
  func whatTheWireDoesNotCarry(_ answer: String) throws {
    #expect(
      converse(try FakeHelper.program("good"), answering: answer, deadlines: patient).result
        == .failure(.helperFailed))
  }

  @Test func noHelper() throws {
    #expect(converse(HelperProgram(path: "/nonexistent")).result == .failure(.helperMissing))
    let scratch = Scratch()
    try scratch.write("not a program", to: scratch.path + "/text", mode: 0o755)
    #expect(converse(HelperProgram(path: scratch.path + "/text")).result == .failure(.helperFailed))
  }

  @Test func replacedWhileTheAppRuns() throws {
    let scratch = Scratch()
    let path = scratch.path + "/good"
    let built = try FakeHelper.program("good")
    try FileManager.default.copyItem(
      atPath: try #require(Files.linkTarget("/proc/self/fd/\(built.descriptor)")), toPath: path)
    let opened = HelperProgram(path: path)
    try FileManager.default.removeItem(atPath: path)
    try scratch.write("another", to: path, mode: 0o755)
    // Its name now ends in " (deleted)", which is none of its modes: it behaves.
    #expect(converse(opened, deadlines: patient).result == .success(VerifiedBy(hiddenAnswered: true)))
  }

  @Test(.enabled(if: isRoot, "the refusal of root needs root"))
  func theRealHelperRefusesRoot() throws {
    let program = try #require(Files.linkTarget("/proc/self/exe"))
    let path = Files.folder(of: program) + "/app-gates-auth"
    try #require(Files.isExecutable(path), "the helper is built beside the tests")
    #expect(converse(HelperProgram(path: path), deadlines: patient).result == .failure(.runsAsRoot))
  }

  @Test func onlyTheLanguageIsInherited() {
    let environment = ["LANG": "de_DE.UTF-8", "HOME": "/h", "LD_PRELOAD": "x", "LANGUAGE": "de:en"]
    #expect(
      HelperProgram.environment { environment[$0] } == [
        "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=de_DE.UTF-8", "LANGUAGE=de:en",
      ])
  }
}
