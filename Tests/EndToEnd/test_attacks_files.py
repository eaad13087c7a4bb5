"""Attacks by way of files and of time: what is written may lock and never open; no clock that can be set counts."""

import os
import signal
import struct
import time

from attacks import SLOW_REFUSAL, TODO, AttackTest, attack, compile_c
from steps import LOCKED, ROOT, at_least

ON_RETURN = "does not look at the clock on return"


class Files:
    @property
    def path(self):
        return self.world.config / "app-gates/preferences.ini"

    def put(self, **values):
        """Changes the file as an editor would."""
        text = self.path.read_text()
        for key, value in values.items():
            lines = [line for line in text.splitlines() if not line.startswith(key + "=")]
            text = "\n".join(lines + [f"{key}={value}"]) + "\n"
        self.world.write(self.path, text)

    def taken_note(self, app):
        """Time in which the app takes note of a change of the file: for what must not come there is no event."""
        at_least(0.8, time.monotonic())
        self.round_trip(app)

    @attack("the file may turn the lock off")
    def test_the_lock_is_turned_off_in_the_file(self):
        app = self.shut()
        self.put(biometricEnabled="false")
        self.taken_note(app)
        self.assert_kept(app)
        self.unlock(app)
        app.wait_for("list item", TODO)
        # Still on once it is open.
        self.put(biometricEnabled="false")
        self.taken_note(app)
        app.key("ctrl+l")
        app.wait_for("label", LOCKED)
        self.assert_kept(app)

    @attack("a file that is gone is a new one")
    def test_the_file_is_deleted(self):
        app = self.shut()
        self.path.unlink()
        self.taken_note(app)
        self.assert_kept(app)
        self.assert_right_password_still_opens(app)

    @attack("a file that is gone is a new one")
    def test_a_folder_takes_its_place(self):
        app = self.shut()
        self.path.unlink()
        self.path.mkdir()
        self.taken_note(app)
        self.assert_kept(app)
        self.assert_right_password_still_opens(app)

    @attack("damage while it runs turns the lock off", "the file may turn the lock off")
    def test_a_pipe_takes_its_place(self):
        app = self.shut()
        self.path.unlink()
        os.mkfifo(self.path, 0o600)
        self.world.own(self.path)
        self.taken_note(app)  # and the app still answers
        self.past_the_card(app)
        self.assert_kept(app)

    @attack("what cannot be read is off")
    def test_it_cannot_be_read_at_launch(self):
        self.come_back_locked()
        os.chown(self.path, 0, 0)
        self.launched_past_the_card()

    def launched_past_the_card(self):
        app = self.world.app()
        self.past_the_card(app)
        self.assert_kept(app)

    @attack("what is unclear is off")
    def test_its_word_on_the_lock_is_none(self):
        self.come_back_locked(biometricEnabled="maybe")
        app = self.world.app()
        app.wait_for("label")
        self.assert_kept(app)

    @attack("a damaged file is a new one")
    def test_it_is_damaged_at_launch(self):
        self.come_back_locked()
        self.world.write(self.path, "[pref\nbiometricEnabled=false\n")
        self.launched_past_the_card()

    @attack("a damaged file is a new one")
    def test_a_pipe_is_in_its_place_at_launch(self):
        self.come_back_locked()
        self.path.unlink()
        os.mkfifo(self.path, 0o600)
        self.world.own(self.path)
        self.launched_past_the_card()

    @attack("the file may lengthen the grace")
    def test_the_grace_is_lengthened_in_the_file(self):
        app = self.opened()
        self.put(lockAfterSeconds="300")
        self.taken_note(app)
        with self.world.display.other_window():
            app.wait_for("label", LOCKED, seconds=5)
            self.assert_kept(app)

    @attack("the file may take the cover off")
    def test_the_cover_is_switched_off_in_the_file(self):
        app = self.opened(lockAfterSeconds=300)
        with self.world.display.other_window():
            app.until(lambda: app.title == "App Gates", "the cover")
            self.put(hideContent="false")
            self.taken_note(app)
            self.assertEqual(app.title, "App Gates")
            self.assertFalse(self.sees_block(app))


class Time:
    """The app's clocks are set with a preload; the machine's stay as they are."""

    def setUp(self):
        super().setUp()
        self.library = compile_c(self.world.folder / "clocks.so", ROOT / "Tests/Fakes/clocks.c",
                                 options=["-shared", "-fPIC"])
        self.clocks = self.world.folder / "clocks"
        self.set_clocks()
        start = self.world.app
        self.world.app = lambda *arguments: start(
            *arguments, env={"LD_PRELOAD": str(self.library), "CLOCKS": str(self.clocks)})

    def set_clocks(self, wall=0, boot=0):
        """So many seconds ahead of the machine's."""
        new = not self.clocks.exists()
        with open(self.clocks, "r+b" if not new else "wb") as file:
            file.write(struct.pack("=qq", wall, boot))
        self.clocks.chmod(0o644)

    @attack("time goes by the wall clock")
    def test_the_time_is_set_back_during_the_grace(self):
        app = self.opened()
        with self.world.display.other_window():
            self.set_clocks(wall=-3600)
            app.wait_for("label", LOCKED, seconds=5)
            self.assert_kept(app)

    @attack("time goes by the wall clock")
    def test_the_time_is_set_forward_during_the_delay(self):
        self.world.etc.service("app-gates", SLOW_REFUSAL)
        app = self.shut()
        self.answer(app, "wrong")
        self.set_clocks(wall=3600)
        app.key("Escape")
        app.click("button", "Unlock")
        self.assert_waits(app)

    @attack("the delay ends with the app")
    def test_the_app_is_started_again_during_the_delay(self):
        self.world.etc.service("app-gates", SLOW_REFUSAL)
        app = self.shut()
        self.answer(app, "wrong")
        app.kill()
        self.assert_waits(self.world.app())

    @attack("sleep does not count")
    def test_sleep_during_the_grace(self):
        app = self.opened(lockAfterSeconds=300)
        with self.world.display.other_window():
            app.until(lambda: app.title == "App Gates", "the cover")
            self.set_clocks(wall=3600, boot=3600)
        app.activate()
        app.wait_for("frame", states=("active",))
        self.round_trip(app)
        self.assert_kept(app)

    @attack("never locks by itself", ON_RETURN)
    def test_the_app_is_stopped_during_the_grace(self):
        app = self.opened()
        with self.world.display.other_window():
            left = time.monotonic()
            app.until(lambda: app.title == "App Gates", "the cover")
            app.signal(signal.SIGSTOP)
            at_least(2.5, left)
        self.world.display.activate(app.window)
        app.signal(signal.SIGCONT)
        app.wait_for("frame", states=("active",))
        self.round_trip(app)
        self.assert_kept(app)


class FilesOnX11(Files, AttackTest):
    pass


class FilesOnWayland(Files, AttackTest):
    display = "wayland"


class TimeOnX11(Time, AttackTest):
    pass


class TimeOnWayland(Time, AttackTest):
    display = "wayland"
