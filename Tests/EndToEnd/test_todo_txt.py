"""todo.txt in and out: looked at first, nothing twice, every byte back, and a sentence for what cannot be used."""

import contextlib
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import tempfile

from damage import on_the_screen, read_only
from steps import ROOT, needs_user
from test_error_card import fill
from test_new_todo import NAME, PATH
from todo_files import TodoTxtTest

SAMPLES = ROOT / "Tests/Samples/todo-txt"
UNDO = re.compile("Undo$")


class ImportTest(TodoTxtTest):
    def test_looked_at_first_and_nothing_twice(self):
        app = self.shell(["Buy milk"])
        path = self.file("(A) 2026-05-01 Call Ada +work\nx 2026-05-02 Old one\n\nTwice\nTwice\n")
        self.choose(app, "Import", path)
        app.wait_for("alert", "4 todos are new.")
        app.wait_for("label", "Call Ada +work")
        self.assertEqual(self.todos(), ["Buy milk"])
        app.click("button", "Cancel")
        app.wait_for("text", "Add a todo", states=("focused",))
        self.assertEqual(self.todos(), ["Buy milk"])
        self.imports(app, path, "4 todos are new.")
        self.shows(app, "Buy milk", "Call Ada +work, priority A", "Old one, done", "Twice", "Twice")
        app.wait_for("label", "4 todos were imported.")
        # Ticked here meanwhile, each is the same one still.
        app.key("Down", "Down", "space")
        app.wait_for("list item", "Call Ada +work pri:A, done")
        self.choose(app, "Import", path)
        app.wait_for("alert", "There is nothing new in this file. 4 are here already and stay as they are.")
        self.assertNotIn("enabled", app.find("button", "Import").states)
        app.key("Escape")
        self.assertEqual(self.todos(), ["Buy milk", "✓ Call Ada +work pri:A", "✓ Old one", "Twice", "Twice"])

    def test_undo(self):
        app = self.shell(["Buy milk"])
        self.imports(app, self.file("one\ntwo\n"), "2 todos are new.")
        self.shows(app, "Buy milk", "one", "two")
        app.click("button", UNDO)
        self.shows(app, "Buy milk")
        self.assertEqual(self.todos(), ["Buy milk"])

    def test_one_at_a_time(self):
        app = self.shell(["Buy milk"])
        path = self.file("one\ntwo\n")
        self.choose(app, "Import", path)
        app.wait_for("button", "Import", states=("focused",))
        # Whoever else writes to the list holds it for as long as this.
        with contextlib.closing(sqlite3.connect(self.world.data / "app-gates/todos.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            app.key("Return")
            app.wait_for("label", "Adding the todos…")
            app.click("button", "Cancel")
            # Not from the menu: the app waits for the other for five seconds.
            self.world.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path", PATH,
                            "--method", "org.gtk.Actions.Activate", "import", "@av []", "@a{sv} {}"])
            app.wait_for("label", "Todos are still being added. Import again when that is done.")
            self.assertEqual(len(app.windows()), 1)
            other.rollback()
        self.shows(app, "Buy milk", "one", "two")
        self.choose(app, "Import", path)
        app.wait_for("alert", "There is nothing new in this file. 2 are here already and stay as they are.")

    def test_what_cannot_be_used(self):
        cases = {
            "empty": ("There is no todo in this file. Choose another one.", b"\n\r\n"),
            "binary": ("This is not a text file. Choose a todo.txt.", b"\x7fELF\0\0"),
            "utf-16": ("The file is UTF-16. Save it as UTF-8 in another program, then import it again.",
                       "one\n".encode("utf-16")),
            "large": ("The file is larger than 16 MiB. Import it in parts.", b"a" * 1023 * (1 << 14) + b"b" * (1 << 15)),
        }
        app = self.shell(["Buy milk"])
        for name, (sentence, content) in cases.items():
            with self.subTest(name):
                self.choose(app, "Import", self.file(content, f"{name}.txt"))
                app.wait_for("label", sentence)
                app.wait_for("button", "Choose Another File…", states=("focused",))
                app.key("Escape")
        self.assertEqual(self.todos(), ["Buy milk"])

    @needs_user
    def test_a_file_that_cannot_be_read(self):
        app = self.shell(["Buy milk"])
        path = self.file("one\n")
        path.chmod(0)
        self.choose(app, "Import", path)
        app.wait_for("label", "The file cannot be read: you have no permission for it. Put that right, or choose "
                              "another file.")
        path.chmod(0o600)
        app.key("Return")
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 15)
        self.answer(app, path)
        app.wait_for("alert", "1 todo is new.")

    def test_lines_that_cannot_be_used_are_named(self):
        app = self.shell()
        path = self.file(b"one\nf\xfcr alle\nthree\n" + b"y" * 20000 + b"\n")
        self.choose(app, "Import", path)
        app.wait_for("alert", "2 todos are new. 2 lines cannot be used.")
        app.wait_for("label", "Line 2")
        app.wait_for("label", "It is not UTF-8. Save the file as UTF-8 in another program, then import it again.")
        app.wait_for("label", "Line 4")
        app.wait_for("button", "Import", states=("focused",))
        app.key("Return")
        self.shows(app, "one", "three")

    def test_a_full_disk_adds_nothing(self):
        self.come_back(["Buy milk"])
        app = self.start_on_a_small_disk()
        path = self.file("".join(f"Todo number {number}\n" for number in range(4000)))
        self.choose(app, "Import", path)
        app.wait_for("alert", "4000 todos are new.")
        app.wait_for("button", "Import", states=("focused",))
        app.key("Return")
        on_the_screen(app, "alert", "Nothing was added: the disk is full. Put that right, then import again.")
        self.assertEqual(self.todos_as_seen(app), ["Buy milk"])
        app.key("Escape")
        self.shows(app, "Buy milk")

    def start_on_a_small_disk(self):
        """The app with its list on a small file system, in its own mount namespace."""
        if os.geteuid() != 0:
            self.skipTest("only root can mount a small disk")
        user, become = self.world.user, self.world.user.become
        small = 'mount -t tmpfs -o size=200k none /mnt && cp -a "$0/." /mnt && mount --move /mnt "$0" && exec "$@"'
        user.become = lambda argv: ["sh", "-c", small, str(self.world.data / "app-gates"), *become(argv)]
        self.addCleanup(setattr, user, "become", become)
        app = self.start()
        app.wait_for("list item", "Buy milk")
        return app

    def todos_as_seen(self, app):
        """The list in the program's own namespace."""
        folder = f"/proc/{app.pid}/root{self.world.data}/app-gates"
        with tempfile.TemporaryDirectory() as copy:
            for part in ("todos.sqlite3", "todos.sqlite3-wal"):
                shutil.copy(f"{folder}/{part}", copy)
            database = sqlite3.connect(f"{copy}/todos.sqlite3")
            found = [title for (title,) in database.execute("SELECT title FROM todo ORDER BY position, id")]
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone(), ("ok",))
            database.close()
        return found


class ExportTest(TodoTxtTest):
    def test_samples_come_back_byte_for_byte(self):
        for sample in sorted(SAMPLES.iterdir()):
            with self.case(sample.name):
                content = sample.read_bytes()
                lines = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").split(b"\n")
                lines = [line for line in lines if line]
                app = self.shell()
                self.imports(app, self.file(content), f"{len(lines)} todos are new.")
                app.wait_for("label", f"{len(lines)} todos were imported.")
                self.assertEqual(self.exported(app), b"\n".join(lines) + b"\n")
                # What was exported is all there already.
                self.choose(app, "Import", self.world.home / "out.txt")
                app.wait_for("alert", re.compile(f"^There is nothing new in this file. {len(lines)} are here already"))
                (self.world.home / "out.txt").unlink()

    def test_a_change_keeps_what_it_is_not_about(self):
        app = self.shell()
        line = "(A) 2026-05-01 Buy  milk\t+home due:2026-06-01 "
        self.imports(app, self.file(line + "\n"), "1 todo is new.")
        app.wait_for("list item", "Buy milk +home due:2026-06-01, priority A")
        app.key("Down", "space")
        app.wait_for("list item", "Buy milk +home due:2026-06-01 pri:A, done")
        done = self.exported(app, "done.txt").decode()
        self.assertRegex(done, "^x \\d{4}-\\d\\d-\\d\\d 2026-05-01 Buy  milk\t\\+home due:2026-06-01  pri:A\n$")
        app.key("ctrl+n", "Down", "space")
        app.wait_for("list item", "Buy milk +home due:2026-06-01, priority A")
        self.assertEqual(self.exported(app, "open.txt").decode(), line + "\n")
        app.key("ctrl+n", "Down", "F2")
        app.wait_for("text", "Title", states=("focused",))
        app.type(" rec:1w")
        app.key("Return")
        app.wait_for("list item", "Buy milk +home due:2026-06-01 rec:1w, priority A")
        self.assertEqual(self.exported(app, "renamed.txt").decode(), line + "rec:1w \n".removeprefix(" "))

    def test_written_whole_or_not_at_all(self):
        app = self.shell(["Buy milk"])
        path = self.file("what was there\n", "out.txt")
        read_only(path)
        self.export_over(app, path)
        app.wait_for("label", "The file could not be written: it is read-only. Choose another place.")
        self.assertEqual(path.read_bytes(), b"what was there\n")
        path.chmod(0o600)
        self.export_over(app, path)
        app.wait_for("label", "1 todo was exported.")
        self.assertEqual(path.read_bytes(), b"2023-11-14 Buy milk\n")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual([found.name for found in self.world.home.glob("out.txt*")], ["out.txt"])

    def export_over(self, app, path):
        self.menu(app, "Export")
        app.look_until(lambda: len(app.windows()) == 2, "the chooser", 15)
        self.answer(app, path)
        app.look_until(lambda: len(app.windows()) == 3, "the question", 15)
        app.key("alt+r")
        app.look_until(lambda: len(app.windows()) == 1, "the chooser to be gone", 15)

    def test_nothing_to_export(self):
        app = self.shell()
        self.menu(app, "Export")
        app.wait_for("label", "There is nothing to export yet.")

    def test_a_full_disk(self):
        if os.geteuid() != 0:
            self.skipTest("only root can mount a small disk")
        small = self.world.home / "small"
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size=64k,uid={self.world.user.uid},mode=700", "none", small],
                       check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", small], check=True)
        app = self.shell(["Buy milk"])
        (small / "out.txt").write_bytes(b"what was there\n")
        self.world.own(small / "out.txt")
        fill(small / "filler")
        self.export_over(app, small / "out.txt")
        app.wait_for("label", "The file could not be written: the disk is full. Choose another place.")
        self.assertEqual((small / "out.txt").read_bytes(), b"what was there\n")
