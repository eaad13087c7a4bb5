"""What the app says on the desktop while nobody looks at it, and that it says nothing while it is locked."""

import json
import subprocess

from damage import SharedWorldTest, on_the_screen, read_only
from steps import LOCKED, ROOT, needs_user

CARD = ("label", "Something went wrong")
DAMAGED = "The settings file was damaged."
BARE = ("App Gates", "Something needs your attention.")
NAME, PATH = "io.github.appgates.AppGates", "/io/github/appgates/AppGates"


class Notifications:
    """The desktop's notifications: what was shown, and fingers for its buttons."""

    def __init__(self, world):
        # A copy that the user can read.
        source = ROOT / "Tests/Fakes/fake_notifications.py"
        script = world.write(world.bin / source.name, source.read_text())
        self.out = world.folder / "notifications.out"
        with self.out.open("wb") as out:
            self.child = world.start(["/usr/bin/python3", script], "notifications", stdin=subprocess.PIPE, stdout=out)
        self.begin = 0
        world.session.wait_for("org.freedesktop.Notifications")

    def tell(self, line):
        self.child.process.stdin.write(line.encode() + b"\n")
        self.child.process.stdin.flush()

    @property
    def events(self):
        """What has happened since `forget`."""
        return [json.loads(line) for line in self.out.read_text().splitlines()][self.begin:]

    def forget(self):
        self.begin += len(self.events)

    @property
    def all(self):
        """Every notification that was asked for."""
        return [event for event in self.events if event.get("call") == "Notify"]

    @property
    def shown(self):
        """Those on the screen now, the oldest first."""
        found = {}
        for event in self.events:
            if event.get("call") == "Notify":
                found[event["id"]] = event
            else:
                found.pop(event.get("id", event.get("pressed")), None)
        return list(found.values())

    def words(self):
        return [(event["title"], event["body"]) for event in self.shown]

    def press(self, notification, label):
        """Presses the button with these words, or the notification itself."""
        actions = notification["actions"]
        pairs = dict(zip(actions[1::2], actions[::2]))
        self.tell(f"press {notification['id']} {pairs[label] if label else 'default'}")

    def end(self):
        self.child.end()


class NotificationTest(SharedWorldTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.desktop = Notifications(cls.world)
        cls.addClassCleanup(cls.desktop.end)

    def setUp(self):
        super().setUp()
        self.desktop.tell("go on")
        self.desktop.forget()

    @property
    def ini(self):
        return self.world.config / "app-gates/preferences.ini"

    @property
    def list_file(self):
        return self.world.data / "app-gates/todos.sqlite3"

    def damage(self):
        """Somebody else ruins the settings while the app runs."""
        self.world.write(self.ini, b"rubbish")

    def away(self, app):
        """Another program in front, and the app knows."""
        other = self.world.display.other_window()
        other.__enter__()
        self.addCleanup(other.__exit__, None, None, None)
        app.until(lambda: app.title == "App Gates", "the cover")
        self.other = other

    def one(self, app, title=None, body=None):
        """The one notification that is shown, once it is."""
        def look():
            shown = self.desktop.shown
            return len(shown) == 1 and (title is None or shown[0]["title"] == title) and (
                body is None or shown[0]["body"].startswith(body)) and shown[0]
        return app.until(look, lambda: f"one notification {title!r}, {body!r}; there were {self.desktop.all}")

    def none(self, app):
        app.until(lambda: not self.desktop.shown, "no notification")

    def lock(self, app):
        done = self.world.run([self.world.binaries / "app-gates", "--lock"], check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class OpenTest(NotificationTest):
    """Without the lock, and before it locks."""

    def test_a_fault_that_nobody_sees_is_told_and_shown(self):
        # The damage turns the lock on, as it must; with a long grace the app stays open.
        app = self.shell(["Buy milk"], lockAfterSeconds=300)
        self.away(app)
        self.ini.parent.chmod(0o500)
        app.find("button", "Done").click()
        found = self.one(app, "Something went wrong", "The settings in ~/.config/app-gates/preferences.ini could")
        self.assertIn("it is read-only", found["body"])
        self.assertEqual(found["actions"][1::2][-1:], ["Show"])
        self.assertIn("desktop-entry", found["hints"])
        self.assertNotIn("Buy milk", json.dumps(found))
        self.ini.parent.chmod(0o700)
        self.desktop.press(found, "Show")
        app.until(lambda: app.is_active, "the app in front")
        app.wait_for(*CARD)

    def test_a_list_that_cannot_be_saved_offers_a_new_todo(self):
        self.come_back(["Buy milk"])
        read_only(self.list_file)
        app = self.start()
        app.wait_for("list item", "Buy milk")
        app.set_text("text", "Add a todo", "Sleep")
        self.away(app)
        # By a screen reader, say, or what else works the app from outside.
        app.find("button", "Delete").click()
        found = self.one(app, "Something went wrong", "The change could not be saved")
        self.assertEqual(found["actions"][1::2][-2:], ["Show", "New Todo"])
        self.list_file.chmod(0o600)
        self.desktop.press(found, "New Todo")
        app.until(lambda: app.is_active, "the app in front")
        self.go_on(app)
        self.assertEqual(app.wait_for("text", "Add a todo", states=("focused",)).text, "Sleep")

    def test_with_the_user_there_is_the_card_and_no_notification(self):
        app = self.shell(["Buy milk"])
        self.damage()
        on_the_screen(app, *CARD)
        self.go_on(app)
        self.assertEqual(self.desktop.all, [])

    def test_it_goes_when_the_user_comes_or_the_app_ends(self):
        for how in ("comes", "ends"):
            with self.case(how):
                self.desktop.forget()
                app = self.shell(lockAfterSeconds=300)
                self.away(app)
                self.damage()
                self.one(app, body=DAMAGED)
                if how == "comes":
                    app.activate()
                else:
                    self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", PATH,
                                    "--method", "org.gtk.Actions.Activate", "quit", "@av []", "@a{sv} {}"])
                    self.assertEqual(app.wait(), 0)
                app.until(lambda: not self.desktop.shown, "no notification")
                self.other.__exit__(None, None, None)

    def test_a_desktop_without_notifications_is_no_obstacle(self):
        self.desktop.end()
        try:
            app = self.shell(lockAfterSeconds=300)
            self.away(app)
            self.damage()
            app.wait_for(*CARD)
            app.activate()
            self.go_on(app)
            app.wait_for("text", "Add a todo")
        finally:
            type(self).desktop = Notifications(self.world)


@needs_user
class LockedTest(NotificationTest):
    def opened(self, **preferences):
        self.come_back(["Buy milk"], lock=True, **preferences)
        app = self.start()
        self.unlock(app)
        app.wait_for("list item", "Buy milk")
        return app

    def bare(self, app):
        found = self.one(app, *BARE)
        self.assertEqual(set(found["actions"][1::2]) - {""}, {"Show"})
        return found

    def test_while_locked_it_has_no_content(self):
        app = self.opened()
        self.away(app)
        self.lock(app)
        self.damage()
        self.bare(app)
        self.assertEqual([(event["title"], event["body"]) for event in self.desktop.all], [BARE])

    def test_one_with_content_is_bare_in_the_turn_that_locks(self):
        app = self.opened(lockAfterSeconds=300)
        self.away(app)
        self.damage()
        self.one(app, "Something went wrong", DAMAGED)
        # The app answers the command after it has locked; what it sent in that turn is on the bus before the answer.
        self.lock(app)
        self.assertEqual(self.desktop.words(), [BARE])

    def test_at_the_end_of_the_grace_period_too(self):
        app = self.opened(lockAfterSeconds=15)
        self.away(app)
        self.damage()
        self.one(app, "Something went wrong", DAMAGED)
        app.until(lambda: self.desktop.words() == [BARE], "the bare one", 25)

    def test_a_slow_desktop_does_not_keep_the_content(self):
        app = self.opened(lockAfterSeconds=300)
        self.away(app)
        self.desktop.tell("hold")
        app.until(lambda: {"holds": True} in self.desktop.events, "the desktop to be slow")
        self.damage()
        self.one(app, "Something went wrong", DAMAGED)
        self.lock(app)
        app.until(lambda: len(self.desktop.all) == 2, "the bare one")
        # Nobody can take back yet what has no number.
        self.assertEqual(len(self.desktop.shown), 2)
        self.desktop.tell("go on")
        app.until(lambda: self.desktop.words() == [BARE], "the content to go", 10)

    def test_buttons_lead_to_the_locked_page_only(self):
        for button in ("Show", None):
            with self.case(button):
                self.desktop.forget()
                app = self.opened(lockAfterSeconds=300)
                self.away(app)
                self.lock(app)
                self.damage()
                self.desktop.press(self.bare(app), button)
                app.until(lambda: app.is_active, "the app in front")
                app.wait_for(*CARD)
                self.assert_hidden(app, "Buy milk", "Add a todo")
                self.go_on(app)
                app.wait_for("label", LOCKED)
                self.assert_hidden(app, "Buy milk", "Add a todo")
                self.assertEqual(app.title, "App Gates")
                self.none(app)
                self.other.__exit__(None, None, None)

    def test_a_button_of_before_the_lock_leads_to_the_locked_page_only(self):
        """The user's finger, or a program that plays the desktop, is later than the lock."""
        self.come_back(["Buy milk"], lock=True, lockAfterSeconds=300)
        read_only(self.list_file)
        app = self.start()
        self.unlock(app)
        app.wait_for("list item", "Buy milk")
        self.away(app)
        app.find("button", "Delete").click()
        found = self.one(app, "Something went wrong", "The change could not be saved")
        self.lock(app)
        for label in ("New Todo", "Show", None):
            self.desktop.press(found, label)
        for action in ("new-todo", "show"):
            self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", PATH,
                            "--method", "org.freedesktop.Application.ActivateAction", action, "@av []", "@a{sv} {}"])
        app.until(lambda: app.is_active, "the app in front")
        app.wait_for(*CARD)
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.list_file.chmod(0o600)
        self.go_on(app)
        app.wait_for("label", LOCKED)
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.unlock(app)
        app.wait_for("text", "Add a todo", states=("focused",))
        self.assertEqual(self.todos(), ["Buy milk"])
