import CGtk
import GLibKit
import GateCore
import GateServices
import Gates
import GtkKit

@MainActor
let onboardingGateTests = Suite(
  "OnboardingGate",
  [
    Test("steps through four slides, then opens in the same turn", stepsThrough),
    Test("Skip opens in the same turn", skips),
    Test("goes on at the slide where the user was", resumes),
    Test("opens at once for who has seen it", returning),
    Test("four slides, each with a drawing for light and for dark, and 25 words at most", fewWords),
    Test("without animations the next slide is there at once", atRest),
  ])

@MainActor
private func stepsThrough() {
  let content = Content()
  let world = World()
  let play = Play(OnboardingGate { content.screen }, in: world)
  for slide in 1..<OnboardingController.slideCount {
    play.press("Next")
    expect(world.preferences[.onboardingPage], is: slide, "the slide")
  }
  expect(Tree.button("Skip", in: play.root) == nil, "nothing to skip on the last slide")
  expect(content.made, is: 0, "the children made")
  play.press("Get started")
  expect(content.isInWindow, "the child in the same turn")
  expect(Tree.find("AdwCarousel", in: play.root).isEmpty, "no slides any more")
  expect(world.preferences[.ratingActions], is: 1, "the rating actions")
  expect(world.events, is: [], "the events before there is consent")
  play.end()
}

@MainActor
private func skips() {
  let content = Content()
  let world = World()
  let play = Play(OnboardingGate { content.screen }, in: world)
  play.press("Skip")
  expect(content.isInWindow && world.preferences[.onboardingCompleted], "the child, and that it was seen")
  expect(content.entry?.isFocused ?? false, "the keyboard with the child")
  play.end()
}

@MainActor
private func resumes() {
  let content = Content()
  let world = World(["onboardingPage": "2"])
  let play = Play(OnboardingGate { content.screen }, in: world)
  guard let carousel = need(Tree.find("AdwCarousel", in: play.root).first, "the slides") else { return }
  Stage.until("the third slide") { adw_carousel_get_position(OpaquePointer(carousel)) == 2 }
  expect(world.preferences[.onboardingPage], is: 2, "the slide on record")
  play.press("Next")
  expect(Tree.button("Get started", in: play.root) != nil, "the last slide")
  play.end()
}

@MainActor
private func returning() {
  let content = Content()
  let before = GateFaces.built
  let play = Play(OnboardingGate { content.screen }, in: World(["onboardingCompleted": "true"]))
  expect(content.isInWindow && GateFaces.built == before, "the child, and no page built")
  play.end()
}

@MainActor
private func fewWords() {
  let world = World()
  let play = Play(OnboardingGate { Content().screen }, in: world)
  guard let carousel = need(Tree.find("AdwCarousel", in: play.root).first, "the slides") else { return }
  let slides = Tree.find("AdwClamp", in: carousel)
  expect(slides.count, is: OnboardingController.slideCount, "the slides")
  for slide in slides {
    let words = Tree.texts(slide).flatMap { $0.split(whereSeparator: \.isWhitespace) }
    expect((5...25).contains(words.count), "\(words.count) words: \(words.joined(separator: " "))")
  }
  play.end()
  // Which of the two is asked for depends on the desktop; both are there, for each slide.
  for name in ["lock", "fingerprint", "local", "private"] {
    for ending in [".svg", "-dark.svg"] {
      expect(
        g_file_test(DataFiles().path("illustrations/" + name + ending), G_FILE_TEST_EXISTS) != 0,
        "the drawing \(name)\(ending)")
    }
  }
}

@MainActor
private func atRest() {
  let settings = Object(borrowing: UnsafeMutableRawPointer(gtk_settings_get_default()))
  let before = settings.bool("gtk-enable-animations")
  defer { settings.set("gtk-enable-animations", before) }
  settings.set("gtk-enable-animations", false)
  let play = Play(OnboardingGate { Content().screen }, in: World())
  guard let carousel = need(Tree.find("AdwCarousel", in: play.root).first, "the slides") else { return }
  var seen: Set<Double> = []
  Stage.until("the slides laid out") { gtk_widget_get_width(carousel) > 0 }
  let position = { adw_carousel_get_position(OpaquePointer(carousel)) }
  let watched = Object(borrowing: UnsafeMutableRawPointer(carousel)).onChange(of: "position") {
    seen.insert(position())
  }
  play.press("Next")
  Stage.until("the second slide") { position() == 1 }
  expect(seen.isSubset(of: [0, 1]), "no place between two slides: \(seen.sorted())")
  watched.disconnect()
  play.end()
}
