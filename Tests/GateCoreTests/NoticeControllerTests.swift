import Testing

@testable import GateCore

@MainActor
struct NoticeControllerTests {
  private let bus = AppErrorBus()
  private let notices: NoticeController
  private static let unsaved = AppError.todosNotSaved(.noSpace)
  private static let damaged = AppError.preferencesDamaged(copy: "~/x")

  init() { notices = NoticeController(isActive: true, isLocked: false) }

  private func post(_ error: AppError) {
    bus.post(error)
    notices.look(at: bus.current)
  }

  private func clear() {
    bus.clear()
    notices.look(at: bus.current)
  }

  @Test func nothingWhileTheUserIsHere() {
    post(Self.unsaved)
    #expect(notices.notice == nil)
    // What was on the card when the user left is no news.
    notices.setActive(false)
    notices.look(at: bus.current)
    #expect(notices.notice == nil)
  }

  @Test func whatComesMeanwhileIsToldUntilTheUserComes() {
    notices.setActive(false)
    post(Self.unsaved)
    #expect(notices.notice == .fault(Self.unsaved))
    notices.setActive(true)
    #expect(notices.notice == nil)
    notices.setActive(false)
    #expect(notices.notice == nil)
  }

  @Test func theNewestOfSeveral() {
    notices.setActive(false)
    post(Self.unsaved)
    post(Self.damaged)
    #expect(notices.notice == .fault(Self.damaged))
    post(Self.unsaved)
    #expect(notices.notice == .fault(Self.unsaved))
  }

  @Test func anotherTimeTheSameTellsNothingNew() {
    notices.setActive(false)
    var changes = 0
    let listening = notices.changed.listen { changes += 1 }
    for _ in 0..<14 { post(Self.unsaved) }
    #expect(changes == 1)
    withExtendedLifetime(listening) {}
  }

  @Test func lockedItIsBareFromTheCallOnThatLocks() {
    notices.setActive(false)
    post(Self.unsaved)
    var told: [Notice?] = []
    let listening = notices.changed.listen { told.append(notices.notice) }
    notices.setLocked(true)
    #expect(told == [.bare])
    post(Self.damaged)
    #expect(told == [.bare])
    withExtendedLifetime(listening) {}
  }

  @Test func lockedFromTheBeginning() {
    let notices = NoticeController(isActive: false, isLocked: true)
    bus.post(Self.damaged)
    notices.look(at: bus.current)
    #expect(notices.notice == .bare)
    #expect(notices.notice?.isAboutTodos == false)
  }

  @Test func clearedItGoes() {
    notices.setActive(false)
    post(Self.unsaved)
    clear()
    #expect(notices.notice == nil)
    post(Self.unsaved)
    #expect(notices.notice == .fault(Self.unsaved))
  }

  /// Whatever happens in whatever order: nothing with content while locked, nothing at all while the user is here.
  @Test func neverContentWhileLocked() {
    var numbers = SystemRandomNumberGenerator()
    var (isActive, isLocked) = (true, false)
    var states = Set<String>()
    for _ in 0..<5_000 {
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0: post(Self.unsaved)
      case 1: post(Self.damaged)
      case 2: if Bool.random(using: &numbers) { clear() }
      case 3:
        isActive.toggle()
        notices.setActive(isActive)
      default:
        isLocked.toggle()
        notices.setLocked(isLocked)
      }
      if case .fault? = notices.notice { #expect(!isLocked) }
      if notices.notice == .bare { #expect(isLocked) }
      if isActive { #expect(notices.notice == nil) }
      states.insert("\(notices.notice == nil) \(notices.notice == .bare)")
    }
    #expect(states.count == 3)
  }

  @Test func onlyWhatIsAboutTheListOffersANewTodo() {
    #expect(Notice.fault(Self.unsaved).isAboutTodos)
    #expect(Notice.fault(.todosUnreadable(path: "~/x", .damaged)).isAboutTodos)
    #expect(!Notice.fault(Self.damaged).isAboutTodos)
    #expect(!Notice.bare.isAboutTodos)
  }
}
