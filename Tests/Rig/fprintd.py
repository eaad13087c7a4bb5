"""A fingerprint reader: the real fprintd, with libfprint's virtual reader, on the world's own system bus."""

import contextlib
import importlib.util
import os
import pathlib
import re
import signal
import socket
import sys

from .polkit import Polkit
from .system_client import BUS, DBusError, SystemClient
from .wait import until

NAME = "net.reactivated.Fprint"
MANAGER = (NAME, "/net/reactivated/Fprint/Manager", NAME + ".Manager")
DAEMON = pathlib.Path("/usr/libexec/fprintd")
MODULE = "pam_fprintd.so"
SCANS_TO_ENROLL = 5
FINGER = "right-index-finger"


def why_not():
    """Why there can be no fingerprint reader here, as one sentence; None where there can."""
    if not DAEMON.exists():
        return "needs the package fprintd"
    if not list(pathlib.Path("/usr/lib").glob(f"*/security/{MODULE}")):
        return "needs the package libpam-fprintd"
    if importlib.util.find_spec("dbusmock") is None:
        return f"needs the package python3-dbusmock for {sys.executable}"
    return None


def with_fingerprint_profile(common_auth, options="max-tries=1 timeout=10"):
    """Debian's common-auth as `pam-auth-update --enable fprintd` leaves it: the finger first, then the password."""
    unix = re.search(r"^auth\s+\[success=(\d+) default=ignore\]\s+pam_unix\.so.*\n", common_auth, re.MULTILINE)
    if unix is None:
        raise RuntimeError("common-auth is not Debian's own: there is no line of pam_unix to put the finger before")
    line = f"auth\t[success={int(unix[1]) + 1} default=ignore]\t{MODULE} {options}\n"
    return common_auth[:unix.start()] + line + common_auth[unix.start():]


class Fingerprints:
    """Started with a reader and no finger enrolled; polkit allows everything until `deny`.

    reader: False for a fprintd that finds no reader.
    start: False for a bus without fprintd; `restart` starts it.
    """

    def __init__(self, world, reader=True, start=True):
        self.world = world
        self.reader = reader
        self.daemon = None
        if world.system is None:
            world.system_bus()
        self.folder = world.folder / "fprint"
        (self.folder / "state").mkdir(parents=True)
        self.socket = self.folder / "reader"
        self.polkit = Polkit(world)
        world.started.append(self)
        self.client = SystemClient(world)
        self.client.listen(NAME)
        if start:
            self.restart()

    # The daemon

    def settings(self):
        env = {"STATE_DIRECTORY": self.folder / "state", "FP_DRIVERS_ALLOWLIST": "virtual_device",
               "G_MESSAGES_DEBUG": "all"}
        if self.reader:
            env["FP_VIRTUAL_DEVICE"] = self.socket
        return {key: str(value) for key, value in env.items()}

    def restart(self):
        """Starts fprintd, after ending one that runs; the reader is plugged in, and what was enrolled is known."""
        self.end_daemon()
        self.socket.unlink(missing_ok=True)
        # -t: it stays without a client, too; otherwise it ends after 30 seconds.
        self.daemon = self.world.start([DAEMON, "-t"], "fprintd", self.settings(), as_root=True)
        until(lambda: self.client.owner(NAME) or not self.daemon.is_running, "fprintd on the bus")
        if not self.daemon.is_running:
            raise RuntimeError(f"fprintd ended: {self.daemon.output()[-500:]}")

    def activate_on_demand(self):
        """From now on the bus starts fprintd when a program asks for it, as the machine's own bus does; it ends by
        itself 30 seconds after its last client has gone."""
        self.end_daemon()
        lines = [f"export {key}='{value}'" for key, value in self.settings().items()]
        script = self.folder / "activate"
        script.write_text("\n".join([*lines, f"exec {DAEMON} >>'{self.folder}/log' 2>&1"]) + "\n")
        # The bus is the user's, and so is what it starts.
        for path in (self.folder, *self.folder.rglob("*")):
            self.world.own(path)
        (self.world.system.services / f"{NAME}.service").write_text(
            f"[D-BUS Service]\nName={NAME}\nExec=/bin/sh {script}\n")
        self.client.call(*BUS, "ReloadConfig")

    @property
    def pid(self):
        """fprintd's process id, or None where none runs."""
        try:
            return self.client.call(*BUS, "GetConnectionUnixProcessID", "(s)", NAME)[0]
        except DBusError as error:
            if error.name.endswith(".NameHasNoOwner"):
                return None
            raise

    def end_daemon(self, number=signal.SIGKILL):
        """Ends fprintd, as by a crash; a SIGTERM is the polite way. The bus has forgotten it afterwards."""
        pid = self.pid
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
                os.kill(pid, signal.SIGCONT)
            until(lambda: self.pid != pid, "fprintd gone from the bus")
        if self.daemon is not None:
            self.daemon.end()
            self.daemon = None

    def freeze(self):
        """It answers nothing any more, as a daemon that hangs."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self):
        os.kill(self.pid, signal.SIGCONT)

    # The reader

    @property
    def device(self):
        """The object path of the reader; raises DBusError (…Error.NoSuchDevice) where there is none."""
        return self.client.call(*MANAGER, "GetDefaultDevice")[0]

    def ask(self, method, signature=None, *arguments, client=None):
        """Calls a method of the reader."""
        return (client or self.client).call(NAME, self.device, NAME + ".Device", method, signature, *arguments)

    def state(self, name):
        """A property of the reader."""
        return self.client.call(NAME, self.device, "org.freedesktop.DBus.Properties", "Get", "(ss)",
                                NAME + ".Device", name)[0]

    @property
    def is_claimed(self):
        """Whether somebody holds the reader."""
        # Release by one who has not claimed it changes nothing, and the error tells the two cases apart.
        try:
            self.ask("Release")
        except DBusError as error:
            if error.name.endswith((".ClaimDevice", ".AlreadyInUse")):
                return error.name.endswith(".AlreadyInUse")
            raise
        raise AssertionError("the rig itself held the reader")

    @property
    def is_waiting(self):
        """Whether the reader waits for a finger: somebody is verifying or enrolling."""
        return self.state("finger-needed")

    def wait_claimed(self, seconds=10.0):
        until(lambda: self.is_claimed, "the reader claimed", seconds)

    def wait_released(self, seconds=10.0):
        until(lambda: not self.is_claimed, "the reader released", seconds)

    def wait_waiting(self, seconds=10.0):
        """Waits until a finger is asked for."""
        until(lambda: self.is_waiting, "the reader waits for a finger", seconds)

    def send(self, *commands):
        """Tells the virtual reader something at once, for example "SET_CANCELLATION_ENABLED 0"."""
        for command in commands:
            with until(self.connected, "the socket of the virtual reader, there from its first claim on") as peer:
                peer.settimeout(10)
                peer.sendall(command.encode())
                # The reader takes one connection at a time, and drops what it has not read when the next one comes.
                peer.shutdown(socket.SHUT_WR)
                with contextlib.suppress(ConnectionResetError):
                    peer.recv(1)

    def connected(self):
        peer = socket.socket(socket.AF_UNIX)
        try:
            peer.connect(str(self.socket))
            return peer
        except (FileNotFoundError, ConnectionRefusedError):
            peer.close()
            return None

    def act(self, command):
        self.wait_waiting()
        self.send(command)

    def scan(self, print="mine"):
        """Puts the finger with that print on the reader, as soon as a finger is asked for."""
        self.act(f"SCAN {print}")

    def retry(self, number):
        """A scan that went wrong: 0 in general, 1 too short, 2 not centred, 3 finger to be removed first."""
        self.act(f"RETRY {number}")

    def error(self, number):
        """A failure of the reader: 0 in general, 1 not supported, 2 not open, 3 already open, 4 busy, 5 protocol,
        6 data invalid."""
        self.act(f"ERROR {number}")

    def unplug(self):
        """Pulls the reader out; `restart` plugs it in again."""
        self.send("UNPLUG")

    # Fingers

    def enroll(self, finger=FINGER, print="mine", user=None):
        """Enrols a finger of the world's user."""
        name = user or self.user_name
        self.ask("Claim", "(s)", name)
        try:
            self.ask("EnrollStart", "(s)", finger)
            self.client.forget()
            for number in range(1, SCANS_TO_ENROLL + 1):
                self.scan(print)
                self.client.wait_for(lambda: len(self.statuses("EnrollStatus")) >= number, "the scan taken")
            self.client.wait_for(lambda: ("enroll-completed", True) in self.statuses("EnrollStatus"), "enrolled")
            self.ask("EnrollStop")
        finally:
            self.ask("Release")
        return finger

    def forget(self, user=None):
        """Deletes every finger of the world's user."""
        self.ask("DeleteEnrolledFingers", "(s)", user or self.user_name)

    def enrolled(self, user=None):
        """The names of the enrolled fingers."""
        try:
            return self.ask("ListEnrolledFingers", "(s)", user or self.user_name)[0]
        except DBusError as error:
            if error.name.endswith(".NoEnrolledPrints"):
                return []
            raise

    @property
    def user_name(self):
        return self.world.user.name if self.world.user else self.world.env["USER"]

    # Others on the bus

    @property
    def signals(self):
        """What another program on the bus has heard of fprintd since the last look: (member, arguments)."""
        heard = self.client.hear()
        self.client.signals = []
        return heard

    def statuses(self, member="VerifyStatus"):
        return [tuple(arguments) for name, arguments in self.client.hear() if name == member]

    @contextlib.contextmanager
    def claim_elsewhere(self, user=None, verify=False):
        """Another program holds the reader for the length of the block, and verifies where asked to."""
        other = SystemClient(self.world)
        self.ask("Claim", "(s)", user or self.user_name, client=other)
        if verify:
            self.ask("VerifyStart", "(s)", "any", client=other)
        try:
            yield other
        finally:
            # Closing is what a program that ends does: fprintd then frees the reader by itself.
            other.close()

    def deny(self, *allowed):
        """polkit refuses every action of fprintd but those named."""
        self.polkit.allow_only(*allowed)

    def allow(self):
        self.polkit.allow_all()

    def into_common_auth(self, options="max-tries=1 timeout=10"):
        """The PAM variant of a machine with Debian's fingerprint profile: common-auth asks for a finger first."""
        path = self.world.etc.path / "pam.d/common-auth"
        path.write_text(with_fingerprint_profile(path.read_text(), options))

    def end(self):
        with contextlib.suppress(DBusError):  # a bus that has ended tells of nobody; its processes end with the world
            self.end_daemon()
        if self.daemon is not None:
            self.daemon.end()
        self.polkit.end()
        self.client.close()
