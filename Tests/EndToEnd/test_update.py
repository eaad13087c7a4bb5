"""The update gate: the screen that insists, the one that asks, and what they remember."""

from steps import WorldTest

STORE = "https://example.org/get?app=gates&x=1"
FORCED, PROMPT = "This version is too old", "A new version is there"


class UpdateTest(WorldTest):
    def setUp(self):
        super().setUp()
        # What the program meets in place of the desktop's own.
        self.opened = self.world.program("xdg-open", 'for word; do echo "$# $word" >>"$LOG"; done')
        self.come_back(["Buy milk"])

    def start(self, screen=None, **secrets):
        if secrets:
            self.world.secrets(**secrets)
        app = self.world.app()
        app.wait_for(*(("label", screen) if screen else ("text", "Add a todo")))
        return app

    def actions(self, app):
        """What can be pressed on the screen, the window's own buttons apart."""
        names = {node.name for node in app.find_all("button")}
        return names - {"Minimize", "Maximize", "Close"}

    def press_update(self, app):
        self.opened.write_text("")
        app.click("button", "Update")
        app.until(lambda: self.opened.read_text(), "xdg-open")
        self.assertEqual(self.opened.read_text(), f"1 {STORE}\n")

    def test_forced(self):
        app = self.start(FORCED, MIN_APP_VERSION="99.0", LATEST_APP_VERSION="99.1", APP_STORE_URL=STORE)
        self.assertEqual(self.decisions()["UpdateGate"], "forced")
        self.assertEqual(self.actions(app), {"Update", "Check again", "Quit", "Copy the address"})
        self.assertTrue(app.has("label", STORE))
        self.press_update(app)
        # It opened something, and is no newer for that.
        self.assertTrue(app.has("label", FORCED))
        self.assertTrue(app.has("label", STORE))
        app.key("Escape", "ctrl+n", "alt+1")
        self.assert_hidden(app, "Buy milk", "Add a todo")
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)
        app = self.start(FORCED)
        self.assertEqual(self.actions(app), {"Update", "Check again", "Quit", "Copy the address"})
        self.assertEqual(app.close(), 0)

    def test_forced_without_an_address(self):
        app = self.start(FORCED, MIN_APP_VERSION="99.0")
        self.assertEqual(self.actions(app), {"Check again", "Quit"})
        app.click("button", "Check again")
        app.wait_for("alert", "Nothing has changed: this version is still too old. Update it.")
        self.assertTrue(app.has("label", "Update it the way you installed it: with the software centre or the package "
                                         "manager."))

    def test_an_address_that_does_not_open_is_said_and_stays(self):
        self.world.program("xdg-open", "exit 3")
        app = self.start(FORCED, MIN_APP_VERSION="99.0", APP_STORE_URL=STORE)
        app.click("button", "Update")
        app.wait_for("alert", "The address could not be opened. Copy it instead.")
        self.assertTrue(app.has("label", STORE))

    def test_by_the_keyboard_alone(self):
        app = self.start(FORCED, MIN_APP_VERSION="99.0", APP_STORE_URL=STORE)
        app.wait_for("button", "Update", states=("focused",))
        app.key("Return")
        app.until(lambda: self.opened.read_text(), "xdg-open")
        app.key("alt+c")
        app.wait_for("alert", "Nothing has changed: this version is still too old. Update it.")
        app.key("Tab")
        app.wait_for("button", "Check again", states=("focused",))
        app.key("Tab")
        app.wait_for("button", "Quit", states=("focused",))
        app.key("space")
        self.assertEqual(app.wait(), 0)

    def test_a_store_that_hangs_holds_nothing_up(self):
        self.world.program("xdg-open", "exec sleep 60")
        app = self.start(FORCED, MIN_APP_VERSION="99.0", APP_STORE_URL=STORE)
        app.click("button", "Update")
        app.until(lambda: app.children(), "xdg-open to run")
        self.assertTrue(app.has("label", STORE))
        app.click("button", "Quit")
        self.assertEqual(app.wait(), 0)

    def test_without_xdg_open(self):
        self.world.secrets(MIN_APP_VERSION="99.0", APP_STORE_URL=STORE)
        self.world.program("app-gates", f'PATH=/nonexistent exec "{self.world.binaries}/app-gates"')
        app = self.world.app(program=self.world.bin / "app-gates")
        app.wait_for("label", FORCED)
        app.click("button", "Update")
        app.wait_for("alert", "Nothing on this computer opens addresses (xdg-open is missing). Copy the address instead.")
        self.assertTrue(app.has("label", STORE))

    def test_later(self):
        app = self.start(PROMPT, LATEST_APP_VERSION="99.0", APP_STORE_URL=STORE)
        self.assertEqual(self.actions(app), {"Update", "Later", "Skip this version", "Copy the address"})
        self.press_update(app)
        self.assertTrue(app.has("label", PROMPT))
        # Killed while it asks: what was shown is not what was answered.
        app.kill()
        app = self.start(PROMPT)
        app.click("button", "Later")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(app.close(), 0)
        self.assertEqual(self.preferences["updateLaterVersion"], "99.0")
        app = self.start()
        app.kill()
        # Three days on, and for a newer version at once.
        self.come_back(updateLaterVersion="99.0", updateLaterAt=int(self.preferences["updateLaterAt"]) - 259201)
        self.start(PROMPT).kill()
        self.come_back(updateLaterVersion="98.0", updateLaterAt=self.preferences["updateLaterAt"])
        self.start(PROMPT)

    def test_skip(self):
        app = self.start(PROMPT, LATEST_APP_VERSION="99.0", APP_STORE_URL=STORE)
        app.click("button", "Skip this version")
        app.wait_for("list item", "Buy milk")
        self.assertEqual(self.preferences["skippedVersion"], "99.0")
        self.assertEqual(app.close(), 0)
        self.start().kill()
        self.start(PROMPT, LATEST_APP_VERSION="99.0.1", APP_STORE_URL=STORE).kill()
        # What was skipped can still be insisted on.
        self.start(FORCED, LATEST_APP_VERSION="99.0", MIN_APP_VERSION="99.0", APP_STORE_URL=STORE)

    def test_the_running_version_is_new_enough(self):
        version = self.status()["version"]
        app = self.start(MIN_APP_VERSION=version, LATEST_APP_VERSION=version + ".0")
        self.assertEqual(app.close(), 0)
