"""A Secret Service: gnome-keyring on the world's session bus."""

import signal
import subprocess

from .children import Child

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
        self.daemon.signal(signal.SIGCONT)

    def end(self):
        self.daemon.end()

    def search(self, **attributes):
        """What `secret-tool search` says of items with these attributes, secrets included."""
        pairs = [word for pair in attributes.items() for word in pair]
        done = self.world.run(["secret-tool", "search", "--all", *pairs], check=False)
        return (done.stdout + done.stderr).decode(errors="replace")
