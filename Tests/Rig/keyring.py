"""A Secret Service: gnome-keyring on the world's session bus."""

import pathlib
import shutil
import signal
import subprocess
import threading

from .children import Child
from .desk import PYTHON
from .wait import until

SERVICE = "org.freedesktop.secrets"


class Keyring:
    """Started unlocked, with a login keyring of its own; `lock` and `freeze` make it awkward."""

    def __init__(self, world, password="keyring"):
        self.world = world
        self.password = password
        self.daemon = None
        self.start(unlocked=True)

    def start(self, unlocked):
        """Starts the daemon; locked, it has the keyring that an earlier start made."""
        argv = ["gnome-keyring-daemon", "--components=secrets", "--foreground"]
        if unlocked:
            argv.insert(1, "--unlock")
        log = self.world.folder / "gnome-keyring.log"
        command = self.world.command(argv)
        self.daemon = Child(command, log, self.world.env, stdin=subprocess.PIPE)
        self.daemon.process.stdin.write(self.password.encode() if unlocked else b"")
        self.daemon.process.stdin.close()
        self.world.session.wait_for(SERVICE)

    def restart_locked(self):
        """The same keyring as after a login without its password: there, and locked."""
        self.end()
        self.start(unlocked=False)

    def freeze(self):
        """It answers nothing any more, as a daemon that hangs."""
        self.daemon.signal(signal.SIGSTOP)

    def thaw(self):
        if self.daemon.is_running:
            self.daemon.signal(signal.SIGCONT)

    def end(self):
        self.daemon.end()

    def recover(self):
        """Open and running, whatever was done to it."""
        self.thaw()
        if not self.daemon.is_running:
            self.end()
            self.start(unlocked=True)

    def search(self, **attributes):
        """What `secret-tool search` says of items with these attributes, secrets included."""
        pairs = [word for pair in attributes.items() for word in pair]
        done = self.world.run(["secret-tool", "search", "--all", *pairs], check=False)
        return (done.stdout + done.stderr).decode(errors="replace")

    def between(self):
        """What acts in the middle of a call; give the app its `env`."""
        return Between(self)


class Between:
    """`bus_between.py`, running: `arm` it, and wait until it has acted."""

    def __init__(self, keyring):
        self.keyring = keyring
        world = keyring.world
        script = world.folder / "bus_between.py"
        shutil.copy(pathlib.Path(__file__).with_name("bus_between.py"), script)
        script.chmod(0o644)
        socket = world.home / "between"
        bus = world.session.address.split("path=")[1].split(",")[0]
        self.child = world.start([PYTHON, script, socket, bus, str(keyring.daemon.pid)], "between",
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.env = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={socket}"}
        self.said = []
        threading.Thread(target=self.listen, daemon=True).start()
        until(lambda: "ready" in self.said, "the one between", 10)

    def listen(self):
        for line in self.child.process.stdout:
            self.said.append(line.decode().strip())

    @property
    def calls(self):
        """The calls to the Secret Service so far."""
        return [words.split()[1] for words in self.said if words.startswith("call ")]

    def tell(self, words):
        count = self.said.count("armed")
        self.child.process.stdin.write((words + "\n").encode())
        self.child.process.stdin.flush()
        until(lambda: self.said.count("armed") > count, "the one between", 10)

    def arm(self, act, phase, member, pid=None):
        """At the next call of this member: `act` is kill or stop, `phase` before or after; to the daemon, or another."""
        self.said = [words for words in self.said if words != "done"]
        self.tell(f"pid {pid or self.keyring.daemon.pid}")
        self.tell(f"{act} {phase} {member}")

    def wait(self, seconds=10):
        until(lambda: "done" in self.said, "the call", seconds)
