"""A new todo can be asked for at any time; it is begun when the list is there, and shows nothing before."""

from steps import LOCKED, ROOT, WELCOME, needs_user
from test_kept import FIELD, KeptTest

NAME, PATH = "io.github.appgates.AppGates", "/io/github/appgates/AppGates"


class NewTodoTest(KeptTest):
    def ask(self):
        """The three ways of another program: {name: how}."""
        def call(interface, method, *arguments):
            self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", PATH,
                            "--method", f"{interface}.{method}", *arguments])
        return {
            "command": lambda: self.assertEqual(self.command("--new-todo"), (0, b"", b"")),
            "org.gtk.Actions": lambda: call("org.gtk.Actions", "Activate", "new-todo", "@av []", "@a{sv} {}"),
            "org.freedesktop.Application": lambda: call(
                "org.freedesktop.Application", "ActivateAction", "new-todo", "@av []", "@a{sv} {}"),
        }

    def command(self, *arguments):
        done = self.world.run([self.world.binaries / "app-gates", *arguments], check=False)
        return done.returncode, done.stdout, done.stderr

    def on_me(self, app):
        """Away from the list, so that it shows whether the list comes."""
        app.key("alt+2")
        app.wait_for("label", "Account Security")
        app.until(lambda: app.title == "Me – App Gates", "the page Me")

    def begun(self, app):
        app.wait_for(*FIELD, states=("focused",))
        app.until(lambda: app.title == "Todos – App Gates", "the page Todos")

    @needs_user
    def test_while_locked_it_is_begun_after_the_unlock(self):
        app = self.opened()
        ways = {"key": lambda: app.key("ctrl+n"), **self.ask()}
        for name, how in ways.items():
            with self.subTest(name):
                if app.has("label", LOCKED):
                    self.unlock(app)
                self.on_me(app)
                self.lock(app)
                before = sorted((node.role, node.name) for node in app.tree())
                for _ in range(3):
                    how()
                # An answer from the app means that it has done what came before.
                self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", PATH,
                                "--method", "org.gtk.Actions.List"])
                self.assert_hidden(app, "Buy milk", "Add a todo", "Account Security")
                self.assertEqual(sorted((node.role, node.name) for node in app.tree()), before)
                self.assertEqual(app.title, "App Gates")
                self.unlock(app)
                self.begun(app)
        # Three wishes were one: the next lock and unlock leave the user where they were.
        self.on_me(app)
        self.lock(app)
        self.unlock(app)
        app.wait_for("label", "Account Security")
        app.until(lambda: app.title == "Me – App Gates", "the page Me")
        self.assertEqual(self.todos(), ["Buy milk", "Call Ada"])

    @needs_user
    def test_what_was_half_typed_is_not_replaced_by_it(self):
        app = self.opened()
        self.type_half(app)
        self.on_me(app)
        self.lock(app)
        app.key("ctrl+n")
        self.unlock(app)
        self.half_typed(app)

    @needs_user
    def test_other_actions_of_the_list_stay_off_while_locked(self):
        app = self.opened()
        self.on_me(app)
        self.lock(app)
        for action in ("todos", "me"):
            said = self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", PATH,
                                   "--method", "org.gtk.Actions.Describe", action])
            self.assertIn(b"(false,", said.stdout)
        self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", PATH,
                        "--method", "org.gtk.Actions.Activate", "todos", "@av []", "@a{sv} {}"])
        self.unlock(app)
        app.until(lambda: app.title == "Me – App Gates", "the page Me")

    @needs_user
    def test_it_starts_the_app_and_waits_for_the_first_unlock(self):
        self.come_back(["Buy milk"], lock=True)
        app = self.start("--new-todo")
        app.wait_for("password text", states=("focused",))
        self.assert_hidden(app, "Buy milk", "Add a todo")
        self.unlock(app)
        self.begun(app)

    def test_open_it_is_begun_at_once_and_the_window_comes_to_the_front(self):
        app = self.shell(["Buy milk"])
        for name, how in self.ask().items():
            with self.subTest(name):
                self.on_me(app)
                app.minimise()
                how()
                app.until(lambda: app.is_active, "the app in front")
                self.begun(app)
        self.assertEqual(len(app.windows()), 1)
        app.type("Sleep")
        app.key("Return")
        app.wait_for("list item", "Sleep")

    def test_it_starts_the_app_without_a_lock_and_without_a_bus(self):
        for name, env in {"bus": {}, "none": {"DBUS_SESSION_BUS_ADDRESS": ""}}.items():
            with self.case(name):
                self.come_back(["Buy milk"])
                app = self.world.app("--new-todo", wait=False, env=env)
                self.apps.append(app)
                app.until(lambda: app.windows() and app.title == "Todos – App Gates", "the list")
                app.type("Sleep")
                app.key("Return")
                app.until(lambda: self.todos() == ["Buy milk", "Sleep"], "the todo on disk")

    def test_started_by_the_bus(self):
        self.come_back(["Buy milk"])
        app = self.world.app("--gapplication-service", wait=False)
        self.apps.append(app)
        self.world.run(["gdbus", "wait", "--session", "--timeout", "10", NAME])
        self.assertEqual(app.windows(visible=False), [])
        self.ask()["org.freedesktop.Application"]()
        app.wait_for_window()
        self.begun(app)

    def test_the_slides_the_consent_and_the_sign_in_come_first(self):
        app = self.start("--new-todo")
        app.click("button", "Skip")
        app.wait_for("label", "Before you begin")
        app.key("ctrl+n")
        self.assertEqual(self.command("--new-todo")[0], 0)
        app.click("button", "Agree")
        app.wait_for("label", WELCOME)
        app.key("ctrl+n")
        self.assertFalse(app.has(*FIELD))
        app.click("button", "Continue on this computer")
        self.begun(app)
        self.on_me(app)

    def test_the_desktop_offers_it(self):
        text = (ROOT / "data/io.github.appgates.AppGates.desktop").read_text()
        self.assertIn("Actions=new-todo;lock;", text)
        self.assertIn("[Desktop Action new-todo]\nName=New Todo\nExec=app-gates --new-todo\n", text)
