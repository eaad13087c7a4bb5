"""The first-run slides: by key, resumed, skipped, and from right to left."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from steps import WorldTest

SLIDES = ["Locked when you are away", "Opened by you", "Yours, and here", "Nothing leaves"]


class Slides(WorldTest):
    def at(self, app, slide):
        """Waits until the slide of this number, from 1, is remembered and is the one that is seen."""
        app.until(lambda: self.preferences.get("onboardingPage", "0") == str(slide - 1), f"slide {slide} on disk")
        app.look_until(lambda: self.seen(app) == [slide], f"slide {slide} on the screen", 5)

    def seen(self, app):
        """The numbers of the slides that lie within the window."""
        width = app.find("frame").extents[2]
        titles = {node.name: node for node in app.find_all("label") if node.name in SLIDES}
        places = {SLIDES.index(name) + 1: node.extents for name, node in titles.items()}
        return [number for number, (x, _, w, _) in sorted(places.items()) if w > 0 and x >= 0 and x + w <= width]


class OnboardingTest(Slides):
    def test_arrow_keys_and_enter(self):
        app = self.world.app()
        app.wait_for("button", "Next", states=("focused",))
        self.at(app, 1)
        for key, slide in (("Right", 2), ("Right", 3), ("Left", 2), ("Left", 1), ("Left", 1), ("Return", 2),
                           ("Right", 3), ("Right", 4), ("Right", 4)):
            app.key(key)
            self.at(app, slide)
        # An arrow never leaves the slides; Enter on the last one does.
        self.assertNotIn("onboardingCompleted", self.preferences)
        app.key("Return")
        app.wait_for("label", "Before you begin")
        self.assertEqual(self.preferences["onboardingCompleted"], "true")

    def test_resumes_where_it_was_killed(self):
        app = self.world.app()
        app.wait_for("button", "Next", states=("focused",))
        app.key("Right")
        self.at(app, 2)
        app.key("Right")
        self.at(app, 3)
        app.kill()
        app = self.world.app()
        app.wait_for("button", "Next", states=("focused",))
        self.at(app, 3)

    def test_skip_finishes(self):
        for way in ("button", "key"):
            with self.subTest(way=way):
                self.world.preferences(onboardingPage=1)
                app = self.world.app()
                app.wait_for("button", "Next", states=("focused",))
                app.click("button", "Skip") if way == "button" else app.key("Escape")
                app.wait_for("label", "Before you begin")
                self.assertEqual(self.preferences["onboardingCompleted"], "true")
                self.assertEqual(self.preferences["ratingActions"], "1")
                app.kill()
                app = self.world.app()
                app.wait_for("label", "Before you begin")
                app.kill()


def why_no_hebrew():
    if not pathlib.Path("/usr/share/i18n/locales/he_IL").exists() or shutil.which("localedef") is None:
        return "needs the package locales, to build a locale that reads from right to left"
    if not pathlib.Path("/usr/share/locale/he/LC_MESSAGES/gtk40.mo").exists():
        return "needs GTK's Hebrew translation, from which GTK takes the direction"
    return None


@unittest.skipIf(why_no_hebrew(), why_no_hebrew())
class RightToLeftTest(Slides):
    options = {**Slides.options, "language": "he_IL.UTF-8"}

    def test_the_arrow_keys_are_mirrored(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        # localedef ends with 1 where it only warns.
        subprocess.run(["localedef", "-i", "he_IL", "-f", "UTF-8", f"{folder.name}/he_IL.UTF-8"], capture_output=True)
        app = self.world.app(env={"LOCPATH": folder.name, "LANGUAGE": "he"})
        app.wait_for("button", "Next", states=("focused",))
        x, _, width, _ = app.find("button", "Skip").extents
        self.assertLess(x + width, app.find("frame").extents[2] / 2, "Skip is at the end, which is the left")
        for key, slide in (("Left", 2), ("Left", 3), ("Right", 2), ("Right", 1), ("Right", 1), ("Return", 2)):
            app.key(key)
            self.at(app, slide)
