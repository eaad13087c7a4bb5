"""The way through the program, screen by screen, with keys and accessibility actions only."""

import subprocess

from Tour.files import delete_everything, import_todos
from Tour.troubles import troubles

SLIDES = ["Locked when you are away", "Opened by you", "Yours, and here", "Nothing leaves"]
TODOS = ["Water the plants", "Call the dentist", "Return the library books", "Write to Grandma"]
DONE = "Call the dentist"
WHEEL_DOWN = "5"  # a button of the pointer, to X
STORE = "https://www.example.org/app-gates"
# Nobody listens there: what is counted waits.
COUNTED = "http://127.0.0.1:9"
# Nor there: the page is looked at, and nobody signs in.
PROVIDER = {"OIDC_ISSUER": "https://accounts.example.org", "OIDC_CLIENT_ID": "app-gates"}


class Walk:
    """One walk in one world; `step` says where it is."""

    def __init__(self, world, album, size=None, right_to_left=False):
        self.world, self.album, self.size, self.right_to_left = world, album, size, right_to_left
        self.app = None
        self.step = "the start"
        self.kept = []

    def all(self):
        self.world.keyring()
        self.updates()
        self.onboarding()
        self.consent()
        self.sign_in()
        self.todos()
        import_todos(self)
        self.covered()
        self.me()
        if self.world.user:
            self.turn_the_lock_on()
            self.lock_and_unlock()
        else:
            self.locked_at_the_start()
        self.error_card()
        self.close()
        troubles(self)
        self.changed_texts()
        self.close()

    # What every step uses

    def start(self):
        self.app = self.world.app()
        self.app.activate()
        if self.size:
            width, height = self.app.resize(*self.size)[2:]
            if (width, height) != self.size:
                raise AssertionError(f"the window does not go below {width} × {height} px")

    def close(self):
        status = self.app.close()
        if status != 0:
            raise AssertionError(f"the program ended with {status}")

    def picture(self, name, shows, window=None):
        # A pointer over a row would light it up.
        self.app.display.tool("xdotool", "mousemove", "0", "0")
        self.album.take(self.app, name, shows, window)

    def keep_where_stuck(self):
        """A picture of where the walk has ended, the accessible tree and the program's own words, as far as there are."""
        def tree():
            return self.app.dump() if self.app.child.is_running else "The program has ended."

        for name, keep in (
            ("stuck.png", lambda path: self.app.screenshot(path, whole=True, settled=False)),
            ("stuck.txt", lambda path: path.write_text(f"{tree()}\n\n{self.app.log}")),
        ):
            path = self.album.folder / name
            try:
                keep(path)
                self.kept.append(path)
            except (AttributeError, AssertionError, RuntimeError, OSError, subprocess.SubprocessError):
                continue  # the failure that is told is the first one

    # The gates of a first start

    def updates(self):
        self.step = "forced update"
        self.world.secrets(MIN_APP_VERSION="9.0", LATEST_APP_VERSION="9.1", APP_STORE_URL=STORE)
        self.start()
        self.app.wait_for("label", "This version is too old")
        self.picture("forced-update", "below the oldest version allowed, only an update or Quit leads on")
        self.app.click("button", "Quit")
        if self.app.wait() != 0:
            raise AssertionError("Quit did not end the program well")
        self.step = "update prompt"
        self.world.secrets(LATEST_APP_VERSION="9.1", APP_STORE_URL=STORE, ANALYTICS_URL=COUNTED, **PROVIDER)
        self.start()
        self.app.wait_for("label", "A new version is available")
        self.picture("update-prompt", "a newer version is offered: Update, Later, Skip this version")
        self.app.click("button", "Later")

    def onboarding(self):
        on = "Left" if self.right_to_left else "Right"
        steps = [lambda: None, lambda: self.app.key(on), lambda: self.app.click("button", "Next"),
                 lambda: self.app.key("Return")]
        for number, (title, go_on) in enumerate(zip(SLIDES, steps), 1):
            self.step = f"onboarding {number}"
            go_on()
            self.app.look_until(lambda: self.is_in_view(title), f"the slide “{title}”", 10)
            if self.right_to_left and number == 1:
                self.must_be_mirrored()
            self.picture(f"onboarding-{number}", f"first-run slide {number} of 4: {title}")
        self.app.click("button", "Get started")

    def is_in_view(self, title):
        label = self.app.find("label", title)
        if label is None or not label.is_on_screen:
            return False
        x, _, width, _ = label.extents
        return x >= 0 and x + width <= self.app.display.geometry(self.app.window)[2]

    def must_be_mirrored(self):
        x = self.app.wait_for("button", "Skip").extents[0]
        if x > self.app.display.geometry(self.app.window)[2] / 2:
            raise AssertionError("the window is not mirrored: Hebrew is missing from GTK’s own translations")

    def consent(self):
        self.step = "consent"
        self.app.wait_for("label", "Before you begin")
        self.app.click("check box", "Count a few events")
        self.picture("consent", "the three legal texts, to agree to or to decline, and the switch for counted events")
        self.step = "legal text"
        self.app.click("list item", "Terms of Use")
        self.app.wait_for("button", "Back")
        self.picture("legal-text", "the Terms of Use, read inside the app")
        self.app.key("Escape")
        self.app.click("button", "Agree")

    def sign_in(self):
        self.step = "sign-in"
        self.app.wait_for("button", "Continue on this computer")
        self.picture("sign-in", "an account of a provider, or a session on this computer")
        self.app.click("button", "Continue on this computer")

    # The main shell

    def todos(self):
        self.step = "todos"
        self.app.wait_for(("entry", "text"), states=("focused",))
        for todo in TODOS:
            self.app.type(todo)
            self.app.key("Return")
            self.app.wait_for("list item", todo)
        self.app.key("Down", *["Down"] * TODOS.index(DONE), "space")
        self.app.wait_for("list item", f"{DONE}, done")
        self.app.key("ctrl+n")
        self.app.wait_for(("entry", "text"), states=("focused",))
        self.picture("todos", "four todos, one of them done")

    def covered(self):
        self.step = "covered"
        inside = self.app.title
        display = self.app.display
        with display.other_window() as other:
            display.tool("xdotool", "windowmove", "--sync", str(other), "1300", "700")
            self.app.until(lambda: self.app.title != inside, "a title that says nothing")
            self.picture("covered", "another program is in front: nothing of the content is left to see")
        self.app.activate()
        self.app.until(lambda: self.app.title == inside, "the title of the page")

    def me(self):
        self.step = "me"
        self.app.key("alt+2")
        self.app.wait_for("label", "Account Security")
        self.picture("me", "the page about oneself: lock, session, permissions")
        self.step = "me, its end"
        self.scroll_to("list item", "About App Gates")
        self.picture("me-end", "the end of that page: legal texts, feedback, about")

        delete_everything(self)
        self.step = "privacy"
        self.scroll_to("list item", "About App Gates")
        self.app.click("list item", "Counted Events")
        self.app.wait_for("heading", "The last events")
        self.picture("privacy", "what is counted, exactly as it is sent")
        self.app.key("Escape")
        self.app.wait_for("list item", "About App Gates")

    def scroll_to(self, role, name):
        """Turns the wheel until all of a row can be seen; it has to be near the page's end."""
        left, top, width, height = self.app.display.geometry(self.app.window)
        self.app.display.tool("xdotool", "mousemove", str(left + width // 2), str(top + height // 2),
                              "click", "--repeat", "40", "--delay", "5", WHEEL_DOWN)

        def is_in_view():
            row = self.app.wait_for(role, name)
            _, y, _, high = row.extents
            return row.is_on_screen and y + high <= height

        self.app.look_until(is_in_view, f"{role} “{name}” in view", 10)

    def turn_the_lock_on(self):
        self.step = "app lock question"
        self.app.key("alt+1", "alt+2")
        self.app.click("check box", "App Lock")
        self.app.wait_for("password text", states=("focused", "sensitive"))
        self.picture("app-lock-question", "the password is asked for before the lock goes on", self.app.windows()[-1])
        self.app.type(self.world.user.password)
        self.app.key("Return")
        self.app.wait_gone("password text")
        self.app.wait_for("check box", "App Lock", states=("checked",))

    def lock_and_unlock(self):
        self.step = "locked"
        self.app.key("ctrl+l")
        self.app.wait_for("label", "App Gates is locked")
        self.app.wait_for("password text", states=("focused", "sensitive"))
        self.picture("locked", "locked with Ctrl+L; the desktop user’s password opens it")
        self.step = "unlocking"
        self.unlock("unlocking", "the password is being typed; PAM checks it")

    def unlock(self, name=None, shows=None):
        self.app.wait_for("password text", states=("focused", "sensitive"))
        self.app.type(self.world.user.password)
        if name:
            self.picture(name, shows)
        self.app.key("Return")
        self.app.wait_gone("label", "App Gates is locked")

    def locked_at_the_start(self):
        """Without a password that we know the lock can be looked at, and not be opened again."""
        self.step = "locked"
        self.close()
        self.set_preference("biometricEnabled", "true")
        self.start()
        self.app.wait_for("label", "App Gates is locked")
        self.picture("locked", "locked at the start; unlocking is left out, for want of a password")
        self.close()
        self.set_preference("biometricEnabled", "false")
        self.start()

    def set_preference(self, key, value):
        path = self.world.config / "app-gates/preferences.ini"
        lines = [line for line in path.read_text().splitlines() if not line.startswith(key + "=")]
        self.world.write(path, "\n".join([*lines, f"{key}={value}"]) + "\n")

    # Something goes wrong

    def error_card(self):
        self.step = "error card"
        self.close()
        file = self.world.data / "app-gates/todos.sqlite3"
        file.chmod(0o400)
        self.start()
        if self.world.user:
            self.unlock()
        self.app.wait_for("list item", TODOS[0])
        self.app.key("Down", "space")
        self.app.wait_for("label", "Something went wrong")
        self.picture("error-card", "a todo could not be saved, since its file may not be written")
        file.chmod(0o600)
        self.app.click("button", "Try again")
        self.app.wait_for("list item", TODOS[0])

    def changed_texts(self):
        self.step = "changed texts"
        self.set_preference("acceptedConsentVersion", "2026-04-30")
        self.start()
        if self.world.user:
            self.unlock()
        self.app.wait_for(("label", "heading"), "The texts have changed")
        self.picture("changed-texts", "what is new since the version that was agreed to")
        self.app.click("button", "Decline")
        self.app.look_until(lambda: self.is_in_view("Without your consent the app cannot start"), "the way back", 10)
        self.picture("declined", "without consent there is Quit, or to read again")
