"""Attacks by way of D-Bus and of a second start: what other programs can say opens nothing and shows nothing."""

import re
import time

from attacks import NAME, AttackTest, attack
from Rig.buses import Bus
from steps import LOCKED, at_least

SAVER = ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver")


class Actions:
    """The app's own actions and objects."""

    @attack("the lock action is a switch")
    def test_every_action_is_run(self):
        app = self.opened()
        self.lock_by_command()
        for action in self.actions():
            for method in ("org.gtk.Actions.Activate", "org.freedesktop.Application.ActivateAction"):
                self.bus_call(method, action, "@av []", "@a{sv} {}")
                self.round_trip(app)
                self.assert_kept(app)
        self.assert_right_password_still_opens(app)

    @attack("the shell's keys work while locked")
    def test_an_action_of_the_shell_is_run(self):
        app = self.opened()
        self.lock_by_command()
        self.bus_call("org.gtk.Actions.Activate", "me", "@av []", "@a{sv} {}")
        self.round_trip(app)
        self.assert_kept(app)
        # It has not been done behind the lock either: the user is where they were.
        self.assert_right_password_still_opens(app)
        self.assertEqual(app.title, "Todos – App Gates")

    @attack("an action says what is in the list")
    def test_everything_that_is_on_the_bus_is_read(self):
        app = self.opened()
        self.lock_by_command()
        said = [self.bus_call("org.gtk.Actions.DescribeAll")]
        tree = self.world.run(["gdbus", "introspect", "--session", "--dest", NAME, "--object-path", "/", "--recurse"])
        said.append(tree.stdout.decode())
        for path in sorted(set(re.findall(r"^\s*node (\S+)", said[-1], re.MULTILINE))):
            said.append(self.bus_call("org.gtk.Actions.DescribeAll", path=path, check=False))
            said.append(self.bus_call("org.gtk.Menus.Start", "[0,1,2,3]", path=path, check=False))
            said.append(self.bus_call("org.freedesktop.DBus.Properties.GetAll", "org.gtk.Application", path=path,
                                      check=False))
        self.assertIn("lock", said[0])
        for answer in said:
            self.assert_no_content(answer, "what the bus says")
        self.assert_kept(app)

    @attack("a second start opens")
    def test_it_is_activated(self):
        app = self.opened()
        self.lock_by_command()
        self.bus_call("org.freedesktop.Application.Activate", "@a{sv} {}")
        self.bus_call("org.freedesktop.Application.Open", "['file:///etc/passwd']", "", "@a{sv} {}", check=False)
        self.bus_call("org.gtk.Application.Activate", "@a{sv} {}")
        self.round_trip(app)
        self.assert_kept(app)

    @attack("a second start opens")
    def test_it_is_started_again_with_and_without_arguments(self):
        app = self.opened()
        self.lock_by_command()
        for arguments in ([], ["--lock"], ["--gapplication-service"], ["--unlock"], ["--", "x"], ["/etc/passwd"],
                          ["--gtk-debug=interactive"], ["--display=:0"]):
            done = self.world.run([self.world.binaries / "app-gates", *arguments], check=False)
            self.assert_no_content((done.stdout + done.stderr).decode(), "what the second start prints")
            self.round_trip(app)
            self.assert_kept(app)

    @attack("--status tells")
    def test_the_status_is_asked_for(self):
        app = self.opened()
        self.lock_by_command()
        done = self.world.run([self.world.binaries / "app-gates", "--status"])
        self.assertIn(b'"BiometricGate"', done.stdout)
        self.assert_no_content((done.stdout + done.stderr).decode(), "the status")
        self.assert_kept(app)

    @attack("open at launch")
    def test_a_second_instance_on_another_bus(self):
        first = self.launched()
        bus = Bus(self.world, "second", self.world.runtime / "second-bus")
        # Its windows are read over the first one's accessibility bus.
        answer = self.world.run(["gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path",
                                 "/org/a11y/bus", "--method", "org.a11y.Bus.GetAddress"]).stdout.decode()
        second = self.world.app(env={"DBUS_SESSION_BUS_ADDRESS": bus.address,
                                     "AT_SPI_BUS_ADDRESS": re.search("'(.*)'", answer).group(1)})
        second.wait_for("label")
        self.assert_kept(second)
        second.end()
        self.assert_kept(first)

    @attack("open at launch")
    def test_it_is_killed_and_started_again(self):
        self.launched().kill()
        app = self.world.app()
        app.wait_for("label")
        self.assert_kept(app)

    def actions(self):
        """The names of the app's actions but the one that quits."""
        names = re.findall(r"'([\w-]+)'", self.bus_call("org.gtk.Actions.List"))
        self.assertIn("quit", names)
        return [name for name in names if name != "quit"]

    @attack("open at launch")
    def test_its_window_is_closed_and_opened_again(self):
        self.assertEqual(self.launched().close(), 0)
        app = self.world.app()
        app.wait_for("label")
        self.assert_kept(app)

    def launched(self):
        """The app of a user with the lock on, as it is after its launch."""
        self.come_back_locked()
        app = self.world.app()
        app.wait_for("label")
        return app


class Desktop:
    """What the desktop says, and what is said in its name."""

    @attack("what the desktop says opens")
    def test_the_desktop_unlocks(self):
        login = self.world.logind()
        app = self.opened(lockAfterSeconds=300)
        login.wait_inhibited(app.pid)
        login.set_locked_hint(True)
        app.wait_for("label", LOCKED)
        login.unlock()
        login.set_locked_hint(False)
        app.look_until(lambda: app.has("password text", states=("focused",)) or not app.has("label", LOCKED),
                       "the prompt", 10)
        self.assert_kept(app)

    @attack("what the desktop says opens")
    def test_a_lock_screen_goes(self):
        saver = self.world.saver(*SAVER)
        app = self.opened(lockAfterSeconds=300)
        saver.set_active(True)
        app.wait_for("label", LOCKED)
        saver.set_active(False)
        app.look_until(lambda: app.has("password text", states=("focused",)) or not app.has("label", LOCKED),
                       "the prompt", 10)
        self.assert_kept(app)

    @attack("what the desktop says opens", "signals of anybody count")
    def test_signals_are_forged(self):
        login = self.world.logind()
        saver = self.world.saver(*SAVER)
        app = self.opened(lockAfterSeconds=300)
        login.wait_inhibited(app.pid)
        self.lock_by_command()
        for forge in (lambda: [saver.forge(True), saver.forge(False)],
                      lambda: login.forge("Lock", "Unlock", "PrepareForSleep", "PropertiesChanged")):
            forge()
            at_least(0.5, time.monotonic())  # for what must not come there is nothing to wait for
            self.round_trip(app)
            self.assert_kept(app)
        self.assert_right_password_still_opens(app)

    @attack("what the desktop says opens")
    def test_the_machine_wakes_up_and_the_user_is_switched_back_to(self):
        login = self.world.logind()
        app = self.opened(lockAfterSeconds=300)
        login.wait_inhibited(app.pid)
        login.prepare_for_sleep(True)
        login.set_active(False)
        app.wait_for("label", LOCKED)
        login.prepare_for_sleep(False)
        login.set_active(True)
        app.look_until(lambda: app.has("password text", states=("focused",)) or not app.has("label", LOCKED),
                       "the prompt", 10)
        self.assert_kept(app)


class ActionsOnX11(Actions, AttackTest):
    pass


class ActionsOnWayland(Actions, AttackTest):
    display = "wayland"


class DesktopOnX11(Desktop, AttackTest):
    pass


class DesktopOnWayland(Desktop, AttackTest):
    display = "wayland"
