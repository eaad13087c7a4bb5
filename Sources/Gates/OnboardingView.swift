import GateCore
import GLibKit
import GtkKit

/// The first-run slides: swiped, stepped through with the arrow keys or Enter, or skipped.
@MainActor
public final class OnboardingView {
  private let onboarding: OnboardingController
  private let host: Host
  private let carousel: Carousel
  private let pictures: [(Picture, String)]
  private let next = Button("").style("suggested-action", "pill")
  private let back = Button(icon: "go-previous-symbolic", label: tr("Back")).style("flat")
  private let skip = Button(tr("_Skip")).style("flat")

  /// The slides: a drawing's name, a title, and no more than 25 words.
  static var slides: [(drawing: String, title: String, words: String)] {
    [
      (
        "lock", tr("Locked when you are away"),
        tr("With the app lock on, what you wrote is hidden the moment you look elsewhere, and locked a moment later.")
      ),
      (
        "fingerprint", tr("Opened by you"),
        tr("Your finger or your desktop password opens it. This computer checks them; the app keeps neither.")
      ),
      (
        "local", tr("Yours, and here"),
        tr("Your todos lie in one file in your home folder. Copy it, back it up, take it with you.")
      ),
      (
        "private", tr("Nothing leaves"),
        tr("Nothing is sent before you agree to it, and what you write is never sent at all.")
      ),
    ]
  }

  init(_ onboarding: OnboardingController, host: Host) {
    self.onboarding = onboarding
    self.host = host
    var pictures: [(Picture, String)] = []
    carousel = Carousel(
      OnboardingView.slides.map { slide in
        let picture = Picture(path: nil).size(height: 120).expand(vertical: true)
        pictures.append((picture, slide.drawing))
        let title = Label(slide.title).centered().style("title-1")
        let words = Label(slide.words).centered().style("body")
        let column = Box(.vertical, spacing: 18, [picture, title, words]).margin(24, vertical: 12)
        return Clamp(column, width: 440).expand(horizontal: true, vertical: true)
      })
    self.pictures = pictures
  }

  func mount() -> Mount {
    next.onClick { [onboarding] in onboarding.next() }
    back.onClick { [onboarding] in onboarding.previous() }
    skip.onClick { [onboarding] in onboarding.skip() }
    carousel.onArrive { [onboarding] in onboarding.arrive(at: $0) }
    let foot = Box(.vertical, spacing: 18, [carousel.dots(), next]).margin(24)
    next.align(horizontal: .center)
    let page = Box(.vertical, [HeaderBar.bare().start(back).end(skip), carousel, foot]).style("gate-page")
    page.onKey(first: true) { [weak self] in self?.key($0) ?? false }
    let mount = Mount(page, keeping: self, Appearance.onChange { [weak self] in self?.draw() })
    mount.keep(onboarding.changed.listen { [weak self] in self?.apply(animated: Appearance.isAnimated) })
    mount.firstFocus = next
    draw()
    apply(animated: false)
    return mount
  }

  private func key(_ key: Key) -> Bool {
    let isForward = carousel.isRightToLeft ? Key.left : Key.right
    let isBack = carousel.isRightToLeft ? Key.right : Key.left
    switch key {
    case isForward where onboarding.page < OnboardingController.slideCount - 1: onboarding.next()
    case isForward: break
    case isBack: onboarding.previous()
    case .enter where !back.isFocused && !skip.isFocused: onboarding.next()
    case .escape: onboarding.skip()
    default: return false
    }
    return true
  }

  private func apply(animated: Bool) {
    let isLast = onboarding.page == OnboardingController.slideCount - 1
    next.words = isLast ? tr("_Get started") : tr("_Next")
    if back.isFocused, onboarding.page == 0 { next.grabFocus() }
    back.isVisible = onboarding.page > 0
    skip.isVisible = !isLast
    carousel.show(onboarding.page, animated: animated)
  }

  private func draw() {
    for (picture, name) in pictures {
      picture.setPath(host.file("illustrations/" + name + (Appearance.isDark ? "-dark.svg" : ".svg")))
    }
  }
}
