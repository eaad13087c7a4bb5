"""One private place to run the program in: user, home, display, buses, PAM. Everything ends with it."""

import atexit
import os
import pathlib
import shutil
import subprocess
import tempfile

from . import children
from .app import App
from .buses import A11Y, Bus
from .desk import Desk
from .etc import PrivateEtc, TestUser
from .etc import why_not as why_no_user
from .fprintd import Fingerprints
from .keyring import Keyring
from .logind import Logind
from .modules import build_module
from .saver import Saver
from .wayland import WaylandDisplay
from .x11 import X11Display

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# No settings daemon runs here, and without one GTK falls to another font than GNOME's.
SETTINGS = """[Settings]
gtk-enable-animations={animations}
gtk-font-name=Cantarell 11
gtk-icon-theme-name=Adwaita
"""
GROUPS = {"preferences.ini": "preferences", "app-gates.conf": "app-gates"}


class World:
    """A context manager. As root with mount namespaces it makes a user of its own; otherwise the user is you, with a
    home in a temporary folder, and `user` is None: tests of the password then skip with `why_no_user()`.

    size: of the screen; None for a world without one. language: a locale. scheme: "light" or "dark". animations: off unless
    asked for. display: "x11" or "wayland". binaries: the folder of app-gates and its helpers; otherwise
    $APP_GATES_BIN, or .build/debug of the checkout.
    """

    def __init__(self, size=(1280, 800), language="C.UTF-8", scheme="light", animations=False, accessible=True,
                 binaries=None, window_manager=True, display="x11"):
        children.adopt_orphans()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="app-gates-"))
        self.folder.chmod(0o755)
        self.etc = self.user = self.session = self.system = self.display = self._desk = None
        self.started = []
        self.closed = False
        atexit.register(self.close)
        try:
            self.build(size, language, scheme, animations, accessible, binaries, window_manager, display)
        except BaseException:
            self.close()
            raise

    def build(self, size, language, scheme, animations, accessible, binaries, window_manager, display):
        given = binaries or os.environ.get("APP_GATES_BIN") or ROOT / ".build/debug"
        self.binaries = pathlib.Path(given).resolve()
        self.home, self.bin, self.runtime = (self.folder / name for name in ("home", "bin", "run"))
        if why_no_user() is None:
            self.etc = PrivateEtc(self.folder)
            self.user = TestUser(self.etc, self.home)
            self.etc.put_back_services(ROOT / "data/pam.d/debian")
            self.show_checkout()
        for folder in (self.home, self.bin, self.runtime):
            folder.mkdir(mode=0o700)
            self.own(folder)
        self.config, self.data, self.state = (
            self.home / name for name in (".config", ".local/share", ".local/state"))
        self.env = self.surroundings(language, scheme)
        self.write(self.config / "gtk-4.0/settings.ini", SETTINGS.format(animations=str(animations).lower()))
        self.hide_system_bus()
        if size is not None:
            self.display = X11Display(self, size, window_manager) if display == "x11" else WaylandDisplay(self, size)
        self.session = Bus(self, "session", self.runtime / "bus", [A11Y] if accessible else [])
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self.session.address
        self.accessible = accessible

    def surroundings(self, language, scheme):
        """A whole environment; nothing of the one that the tests run in gets through."""
        name = self.user.name if self.user else os.environ.get("USER", "user")
        env = {
            "HOME": self.home, "USER": name, "LOGNAME": name, "SHELL": "/bin/sh",
            "PATH": f"{self.bin}:/usr/local/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR": self.runtime,
            "XDG_CONFIG_HOME": self.config, "XDG_DATA_HOME": self.data, "XDG_STATE_HOME": self.state,
            "XDG_CACHE_HOME": self.home / ".cache", "LANG": language, "LC_ALL": language,
            "GSK_RENDERER": "cairo", "GTK_A11Y": "atspi", "GSETTINGS_BACKEND": "memory", "GTK_USE_PORTAL": "0",
            "ADW_DISABLE_PORTAL": "1", "ADW_DEBUG_COLOR_SCHEME": f"prefer-{scheme}", "NO_AT_BRIDGE": "1",
        }
        # Only a copy that weakened.py has patched looks at this; a program that ships does not know of it.
        if "APP_GATES_WEAKENED" in os.environ:
            env["APP_GATES_WEAKENED"] = os.environ["APP_GATES_WEAKENED"]
        return {key: str(value) for key, value in env.items()}

    def show_checkout(self):
        """Our files where the user can read them: the checkout itself may lie in a closed folder such as /root."""
        view = self.folder / "checkout"
        binaries = view / ".build" / self.binaries.name
        for target in (binaries, view / "data"):
            target.mkdir(parents=True)
        (view / "Package.swift").touch()
        self.etc.mounts[str(view / "data")] = str(ROOT / "data")
        if self.binaries.is_dir():
            self.etc.mounts[str(binaries)] = str(self.binaries)
        self.binaries = binaries

    def hide_system_bus(self):
        """The program meets the rig's system bus, or none; never the machine's."""
        folder = self.folder / "system"
        folder.mkdir()
        self.own(folder)
        if self.etc:
            os.makedirs("/run/dbus", exist_ok=True)
            self.etc.mounts["/run/dbus"] = str(folder)
        else:
            self.env["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/system_bus_socket"

    @property
    def desk(self):
        """What reads the accessible tree, started at its first use; None in a world without accessibility."""
        if self._desk is None and self.accessible:
            self._desk = Desk(self)
        return self._desk

    # What a test may put into it

    def own(self, path):
        """Gives a file or folder to the user."""
        if self.user:
            os.chown(path, self.user.uid, self.user.gid, follow_symlinks=False)

    def write(self, path, text, mode=0o600):
        """Writes a file of the user, with the folders above it; `path` may be relative to the home folder."""
        path = self.home / path
        missing = [folder for folder in path.parents if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700)
            self.own(folder)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(mode)
        self.own(path)
        return path

    def preferences(self, **values):
        """Writes preferences.ini with these keys, and no others."""
        return self.write_keys("preferences.ini", values)

    def secrets(self, **values):
        """Writes app-gates.conf, the packager's settings, into the user's own configuration."""
        return self.write_keys("app-gates.conf", values)

    def write_keys(self, name, values):
        def text(value):
            return str(value).lower() if isinstance(value, bool) else str(value)
        lines = [f"[{GROUPS[name]}]"] + [f"{key}={text(value)}" for key, value in values.items()]
        return self.write(self.config / "app-gates" / name, "\n".join(lines) + "\n")

    def program(self, name, script):
        """Puts a program of the test's first on PATH; returns the path of a log that it may append to, as $LOG."""
        log = self.write(self.bin / f"{name}.log", "")
        self.write(self.bin / name, f"#!/bin/sh\nLOG='{log}'\n{script}\n", 0o755)
        return log

    def keyring(self, **options):
        """A Secret Service, unlocked."""
        keyring = Keyring(self, **options)
        self.started.append(keyring)
        return keyring

    def system_bus(self):
        """A system bus at its usual place, empty."""
        self.system = Bus(self, "system", self.folder / "system/system_bus_socket")
        return self.system

    def fingerprints(self, **options):
        """The real fprintd with a virtual reader, on the system bus, which is started where there is none."""
        return Fingerprints(self, **options)

    def saver(self, name, path):
        """A screen saver or lock screen of that name on the session bus."""
        saver = Saver(self, name, path)
        self.started.append(saver)
        return saver

    def logind(self, **options):
        """logind with a session of the user, on the system bus, which is started where there is none."""
        return Logind(self, **options)

    def pam_module(self):
        """Builds the PAM module of the tests; returns its path, for a line such as "auth required PATH hang"."""
        return build_module(self.folder)

    # Running things

    def command(self, argv, as_root=False):
        """The command line that runs `argv` in this world."""
        argv = list(map(str, argv))
        if self.etc is None:
            return ["setpriv", "--pdeathsig", "KILL", *argv]
        return self.etc.enter(["setpriv", "--pdeathsig", "KILL", *argv] if as_root else self.user.become(argv))

    def start(self, argv, name, env=None, as_root=False, **options):
        """Starts a process as the user; it is ended with the world."""
        log = self.folder / f"{name}.log"
        child = children.Child(self.command(argv, as_root), log, dict(self.env, **(env or {})), cwd="/", **options)
        self.started.append(child)
        return child

    def run(self, argv, env=None, check=True, as_root=False, seconds=60, **options):
        """Runs a command as the user and returns it with its output, in bytes."""
        done = subprocess.run(self.command(argv, as_root), env=dict(self.env, **(env or {})), cwd="/",
                              capture_output=True, timeout=seconds, **options)
        if check and done.returncode != 0:
            raise RuntimeError(f"{argv[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    def app(self, *arguments, env=None, program=None, wait=True):
        """Starts app-gates and waits until its window can be read; `program` is for another GTK program."""
        app = App(self, [program or self.binaries / "app-gates", *arguments], env)
        if wait:
            app.wait_for_window()
        return app

    # The end of it

    def close(self):
        """Ends every process and removes every file. A second call does nothing: the user's id may be another's."""
        atexit.unregister(self.close)
        if self.closed:
            return
        for child in reversed(self.started):
            child.end()
        children.end_strays(self.folder, self.user.uid if self.user else None)
        if self.user:
            self.user.id.release()
        if self.etc:
            self.etc.remove()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
