import CGtk
import GLibKit
import GateCore
import Gates
import GtkKit

@MainActor
let authGateTests = Suite(
  "AuthGate",
  [
    Test("signs in, and shows the child", signsIn),
    Test("signing out drops the child in the same turn", signsOut),
    Test("a failed sign-in says why, and can be tried again", fails),
    Test("a session whose secret is gone ends", secretGone),
    Test("a keyring that is locked or away ends nothing", secretUnknown),
    Test("a session that is taken out of the file ends", takenOut),
    Test("a provider is a second way in, which can be given up", provider),
  ])

private let welcome = "Welcome, Sam"

@MainActor
private func signsIn() {
  let content = Content()
  let world = World()
  let play = Play(AuthGate { content.screen }, in: world)
  expect(play.shows(welcome) && content.made == 0, "the page, and no child made")
  play.press("Continue on this computer")
  Stage.until("the child") { content.isInWindow }
  expect(world.preferences[.sessionStore], is: "file", "the store on record")
  expect(world.secretsHeld, is: 1, "the secrets held")
  play.end()
}

@MainActor
private func signsOut() {
  let content = Content()
  let world = World(World.complete)
  let play = Play(AuthGate { content.screen }, in: world)
  expect(content.isInWindow, "the child at once")
  weak var entry: Entry?
  entry = content.entry
  content.context?[AuthController.self]?.signOut()
  expect(play.shows(welcome) && !content.isInWindow, "the page in the same turn")
  Stage.drain()
  expect(content.ended == 1 && entry == nil, "the child gone, and its draft with it")
  expect(world.secretsHeld, is: -1, "the secrets held, one having been removed")
  play.press("Continue on this computer")
  Stage.until("a new child") { content.isInWindow }
  expect(content.made, is: 2, "the children made")
  expect(content.entry?.text ?? "", is: Content.draft, "the text of a new child")
  play.end()
}

@MainActor
private func fails() {
  let content = Content()
  let world = World()
  world.storeFault = .keyringLocked
  let play = Play(AuthGate { content.screen }, in: world)
  play.press("Continue on this computer")
  Stage.until("the sentence") { play.shows("The keyring is locked.") }
  expect(content.made, is: 0, "the children made")
  world.storeFault = nil
  play.press("Continue on this computer")
  Stage.until("the child") { content.isInWindow }
  play.end()
}

@MainActor
private func secretGone() {
  let content = Content()
  let world = World(World.complete)
  world.reading = .absent
  let play = Play(AuthGate { content.screen }, in: world)
  Stage.until("the page") { play.shows(welcome) }
  expect(!content.isInWindow, "the content out of the window")
  play.end()
}

@MainActor
private func secretUnknown() {
  for reading in [SecretReading.locked, .refused, .unreadable, .noService, .frozen, .cancelled] {
    let content = Content()
    let world = World(World.complete)
    world.reading = reading
    let play = Play(AuthGate { content.screen }, in: world)
    MainLoop.run(atMost: 30) { false }
    expect(content.isInWindow && !play.shows(welcome), "the child where the secret is \(reading)")
    play.end()
  }
}

@MainActor
private func takenOut() {
  let content = Content()
  let world = World(World.complete)
  let play = Play(AuthGate { content.screen }, in: world)
  world.file.change("sessionStore", to: "")
  expect(play.shows(welcome) && !content.isInWindow, "the page in the same turn")
  world.file.change("sessionStore", to: "file")
  expect(play.shows(welcome), "the page still: what is put into the file counts at the next launch")
  play.end()
}

@MainActor
private func provider() {
  let content = Content()
  let world = World(
    ["acceptedConsentVersion": LegalContent.version],
    secrets: ["OIDC_ISSUER": "https://my_id.example.org", "OIDC_CLIENT_ID": "app"])
  var answers: [@MainActor (Result<WebAnswer, WebFault>) -> Void] = []
  var cancelled = 0
  world.web = WebClient { _, done in
    answers.append(done)
    return { cancelled += 1 }
  }
  let tools = OpenIDTools(
    random: { _ in nil }, sha256: { $0 }, encode: { _ in "" }, decode: { _ in nil }, json: { _ in nil })
  let client = OpenIDClient(
    tools: tools, listen: { _, _ in {} }, open: { _, _ in }, schedule: { MainLoop.after($0, $1) })
  let play = Play(AuthGate { content.screen }, in: world, context: world.context().adding(client))
  let way = "Sign in with my_id.example.org"
  play.press(way)
  expect(play.shows("Asking my_id.example.org…") && answers.count == 1, "the provider asked")
  play.press("Cancel")
  expect(cancelled == 1 && !play.shows("Asking my_id.example.org…"), "given up")
  play.press(way)
  answers.last?(.success(WebAnswer(status: 200, body: [])))
  expect(play.shows("What the provider answers cannot be understood."), "why not")
  play.press("Continue on this computer")
  Stage.until("the child") { content.isInWindow }
  expect(content.made, is: 1, "the children made")
  play.end()
}
