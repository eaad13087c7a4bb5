import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

/// The live program: its clients, its one window, and the gates mounted in it.
@MainActor
final class App {
  private let application = Application(id: Program.id)
  private let journal: RunJournal
  private var recovery = RecoveryController()
  /// Whether the program is to start again after its end, and then in safe mode.
  private(set) var startsAgain: Bool?
  private let files = DataFiles()
  private let paths = AppPaths()
  private var window: Window?
  private var root: Mount?
  private var activity: Activity?
  private var helper: HelperProgram?
  private var web: WebProgram?
  /// Opening the display and the theme leaves some megabytes freed and not given back.
  private var tidy: Timer?
  private var notices: Notices?
  private var analytics: AnalyticsController?
  /// Sends what was counted last; the window has gone by then.
  private var lastWords: LastWords?
  /// What of the session must not be broken off; the window may have gone by then.
  private var parting: LastWords?
  /// Everything is being deleted, which goes on without a window.
  private weak var erasing: LastWords?
  /// Whether the desktop or the system wants the end; then nothing is begun anew.
  private var isEnding = false
  /// What is done once nothing holds the end up any more.
  private var afterParting: (@MainActor () -> Void)?
  private let session = CurrentSession()
  /// Made at any time, met when the list is there.
  private let newTodo = NewTodoRequest()

  /// The name of the action that brings the window to the front.
  static let show = "show"
  /// The name of the action that begins a new todo.
  static let newTodo = "new-todo"

  /// Takes what tells of runs; nothing is begun yet.
  init(_ journal: RunJournal) { self.journal = journal }

  /// Runs until the end, here or by waking the instance that runs already; `action` is run there first.
  func run(_ arguments: [String], action: String? = nil) -> Int32 {
    application.on("startup") { [weak self] _ in self?.start() }
    application.on("activate") { [weak self] _ in self?.activate() }
    application.on("shutdown") { [weak self] _ in
      self?.lastWords = nil
      self?.close()
    }
    return application.run(arguments, action: action)
  }

  private func start() {
    // Before anything of the user's is read or opened.
    let leftovers = Erasure(paths).finish()
    if !leftovers.isEmpty { AppErrorBus.shared.post(.notErased(leftovers)) }
    let left = journal.look()
    journal.begin(after: left)
    recovery = RecoveryController(
      end: left.end, crash: left.crash, gate: left.gate, history: left.history,
      told: { [weak journal] in journal?.told() })
    #if DEBUG
      CrashSymbols.find(for: recovery, program: files.running)
    #endif
    EndSignals.listen { [weak self] in
      self?.journal.sessionEnds()
      // Whoever asks for the end wants no new beginning, and does not wait for a keyring.
      self?.startsAgain = nil
      self?.isEnding = true
      self?.erasing = nil
      self?.quit()
    }
    // Opened before anything else can replace it: an upgrade must not pair this program with another helper.
    helper = HelperProgram(path: files.helper)
    web = WebProgram(path: files.web)
    Appearance.load(styleSheet: files.path("style.css"), icons: files.icons)
    application.action("quit", keys: ["<Control>q"]) { [weak self] in self?.quit() }
    application.action(App.show) { [weak self] in self?.activate() }
    // Of the program and not of the shell: it may be asked for while a gate stands before the list, or before there is
    // a window at all.
    application.action(App.newTodo, keys: ["<Control>n"]) { [weak self] in
      self?.activate()
      self?.newTodo.make()
    }
  }

  private func activate() {
    if let window { return window.present() }
    // Another session must not begin on a secret that is being removed; there is a window again when it has gone.
    guard erasing == nil else { return }
    // Two runs on the same tokens would cost the session: the new one waits for the old one's end.
    guard parting == nil else {
      if startsAgain == nil { afterParting = { [weak self] in self?.activate() } }
      return
    }
    // Asked for again while it was on its way out: what is still to be sent waits on disk.
    lastWords = nil
    startsAgain = nil
    isEnding = false
    let window = Window(application, title: Host.productName)
    self.window = window
    let activity = Activity()
    self.activity = activity
    let host = makeHost(window)
    activity.onChange = { [weak host] isActive in host?.setActive(isActive) }
    let context = makeContext(host)
    notices = Notices(application, bus: context.bus, host: host)
    let root = RootView().mount(in: context)
    self.root = root
    window.content = root.widget
    root.restoreFocus()
    window.on("close-request") { [weak self] arguments in
      self?.finishSession()
      self?.close()
      self?.sayLastWords()
      arguments.answer(false)
    }
    window.present()
    context.analytics.track(.appOpened)
    let reports = context[Reporting.self]?.reports
    let isSafe = recovery.isSafe
    tidy = MainLoop.after(1000) {
      Memory.trim()
      // What was written before goes once the first screen is there.
      if !isSafe { reports?.begin() }
    }
  }

  /// The window goes at once; what was counted last has two seconds to be sent before the program ends.
  private func quit() {
    finishSession()
    guard analytics?.isCounting == true || parting != nil || erasing != nil else { return application.quit() }
    let window = window
    close()
    window?.destroy()
    sayLastWords()
    guard lastWords == nil, parting == nil, erasing == nil else { return }
    application.quit()
  }

  /// Keeps the program for a renewal of the session's tokens that is under way, five seconds at most: the provider may
  /// have taken the old ones back already.
  private func finishSession() {
    guard parting == nil, let auth = session.auth else { return }
    let words = LastWords(application)
    parting = words
    words.keep(auth)
    words.keep(MainLoop.after(5000) { [weak self] in self?.part() })
    auth.finish { [weak self, weak words] in
      if let self, let words, parting === words { part() }
    }
  }

  /// Keeps the program and the session while everything is being deleted, until what is returned goes.
  private func keepErasing() -> AnyObject {
    let words = LastWords(application)
    if let auth = session.auth { words.keep(auth) }
    erasing = words
    return words
  }

  private func part() {
    let (words, then) = (parting, afterParting)
    parting = nil
    afterParting = nil
    then?()
    endWhereAsked()
    withExtendedLifetime(words) {}
  }

  /// Whoever asked for the end waits for nothing else than these: not for a keyring either.
  private func endWhereAsked() {
    if isEnding, window == nil, lastWords == nil, parting == nil { application.quit() }
  }

  private func sayLastWords() {
    guard let analytics else { return }
    self.analytics = nil
    let words = LastWords(application)
    lastWords = words
    analytics.finish { [weak self] in
      if self?.lastWords === words { self?.lastWords = nil }
      self?.endWhereAsked()
    }
    words.keep(analytics)
  }

  private func close() {
    notices?.end()
    notices = nil
    root?.end()
    root = nil
    activity = nil
    window?.content = nil
    window = nil
  }

  private func makeHost(_ window: Window) -> Host {
    let files = files
    let host = Host(
      showsDetails: App.isDebugBuild,
      quit: { [weak self] in self?.quit() },
      startSafely: { [weak self] in self?.startAgain(safely: true) },
      open: StoreOpener.open,
      addAction: { [weak application] name, keys, body in application?.action(name, keys: keys, body) },
      file: { files.path($0) },
      text: { try? String(decoding: Files.read(files.path($0), limit: 1 << 20), as: UTF8.self) })
    host.window = window
    host.gates.onChange = { [weak host, weak journal] in
      if let host { journal?.onScreen(host.gates.onScreen()) }
    }
    journal.onScreen(host.gates.onScreen())
    return host
  }

  /// Ends at once; `Program` then puts the new run in this one's place, which comes up locked like any other.
  ///
  /// What was counted waits on disk: two seconds without a window would leave time for another wish than this one.
  private func startAgain(safely: Bool) {
    guard !isEnding else { return application.quit() }
    startsAgain = safely
    finishSession()
    guard parting != nil else { return application.quit() }
    afterParting = { [weak application] in application?.quit() }
  }

  private func makeContext(_ host: Host) -> GateContext {
    let bus = AppErrorBus.shared
    // Safe mode: what the network, the counting and the asking for a review would need is not there.
    let isSafe = recovery.isSafe
    let preferences = AppPreferences(client: isSafe ? .careful(paths) : .live(paths), bus: bus)
    let secrets = AppSecrets(sources: SecretsLoader.load(paths))
    for problem in secrets.problems { Log.warning(problem.line) }
    let web = isSafe ? WebClient.offline : .live(web ?? WebProgram(path: files.web))
    let outbox = AnalyticsOutbox(paths, version: Program.version)
    let analytics = AnalyticsController(
      configured: secrets.analyticsAddress != nil && !isSafe, initially: secrets.analyticsDefault,
      preferences: preferences,
      clock: .live,
      client: .live(
        outbox, address: secrets.analyticsAddress, key: secrets.analyticsKey, web: web, preferences: preferences,
        clock: .live), schedule: { MainLoop.after($0, $1) })
    self.analytics = analytics
    let version = AppVersion(Program.version)
    let helper = helper ?? HelperProgram(path: files.helper)
    let desktop = DesktopSession.live()
    let record = UnlockRecord(client: .live(paths), preferences: preferences, clock: .live)
    let context = GateContext(
      preferences: preferences, secrets: secrets, clock: .live, bus: bus, version: version, analytics: analytics,
      rating: RatingController(preferences: preferences, version: isSafe ? nil : version, clock: .live),
      password: .live(helper, record: record), fingerprint: .live(helper, in: desktop), record: record,
      session: .live(paths), web: web, updates: .live(paths) { Log.warning($0.line) }, desktop: desktop, host: host)
    let stores = TodoStores(paths)
    let safeMode = SafeModeClient.live(
      paths, stores: stores, account: { Session(in: preferences)?.account ?? .local },
      leave: { [weak self] in self?.startAgain(safely: false) })
    return context.adding(reporting(secrets, web)).adding(openID(in: host)).adding(session).adding(stores).adding(
      newTodo
    ).adding(
      recovery
    ).adding(safeMode)
      .adding(shellServices(preferences, secrets))
  }

  private func shellServices(_ preferences: AppPreferences, _ secrets: AppSecrets) -> ShellServices {
    ShellServices(
      autostart: Autostart(paths, program: files.program), erasure: Erasure(paths),
      keepRunning: { [weak self] in self?.keepErasing() },
      startAfresh: { [weak self] in
        // The provider has a few seconds to answer, with a window or without.
        let running = self?.keepErasing()
        let start: @MainActor () -> Void = {
          self?.startAgain(safely: false)
          withExtendedLifetime(running) {}
        }
        if let auth = self?.session.auth { auth.revokeErased(start) } else { start() }
      },
      debugInformation: { [paths] store, standing in
        let gates = GateReports.all(
          gates: RootView().outline, preferences: preferences, secrets: secrets, running: AppVersion(Program.version),
          clock: .live, manifest: UpdateClient.live(paths) { _ in }.load())
        return DebugInformation.text(
          isDebugBuild: App.isDebugBuild, gates: gates, store: store, standing: standing)
      })
  }

  private func openID(in host: Host) -> OpenIDClient {
    .live(web ?? WebProgram(path: files.web), open: { [weak host] in host?.open($0, $1) })
  }

  private func reporting(_ secrets: AppSecrets, _ web: WebClient) -> Reporting {
    let reports = ReportController(
      dsn: secrets.reportDsn, version: Program.version, writer: .live, store: .live(paths, clock: .live), web: web,
      clock: .live, after: { MainLoop.after($0, $1) })
    return Reporting(reports) { gate in
      let system = SystemFacts.system
      return ReportFacts(
        version: Program.version, isDebugBuild: App.isDebugBuild, system: system.name, systemVersion: system.version,
        gtk: Toolkit.version, locale: SystemFacts.locale, gate: gate)
    }
  }

  #if DEBUG
    private static let isDebugBuild = true
  #else
    private static let isDebugBuild = false
  #endif
}

extension WebClient {
  /// No network, as in safe mode: what can wait waits.
  @MainActor
  fileprivate static let offline = WebClient { _, done in
    let timer = MainLoop.after(0) { done(.failure(.safeMode)) }
    return { timer.cancel() }
  }
}

extension SecretProblem {
  /// The line for the log.
  var line: String {
    if let key { return "\(path): \(key): expected \(expected); it counts as unset." }
    return "\(path) is not used: \((fault ?? .damaged).words). Expected \(expected)."
  }
}
