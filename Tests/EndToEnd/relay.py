"""Looks at envelopes: by a strict reader of our own for the framing, by Sentry's own validator for what is in them."""

import fcntl
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/relay"
PACKAGE = "sentry-relay==0.10.1"
ID = re.compile("[0-9a-f]{32}")

# What the server itself does with an event: complaints are in "errors", what it had to change is in "_meta".
CHECK = """
import json, sys
from sentry_relay.processing import StoreNormalizer
events = json.load(sys.stdin)
normalizer = StoreNormalizer(project_id=42, received_at="2027-01-15T08:01:00Z")
json.dump([normalizer.normalize_event(event) for event in events], sys.stdout)
"""


def why_no_relay():
    """Why Sentry's validator cannot be had, or None; the first call fetches it into build/."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:  # test classes run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = FOLDER / PACKAGE
        if done.exists():
            return None
        # A user's own site packages and settings of Python have no say in it.
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        for argv in (["/usr/bin/python3", "-m", "venv", "--clear", FOLDER / "venv"],
                     [FOLDER / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1",
                      "--timeout", "15", PACKAGE]):
            try:
                run = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=180)
            except (OSError, subprocess.TimeoutExpired) as error:
                return f"sentry-relay cannot be fetched: {error}"
            if run.returncode != 0:
                last = (run.stderr.strip() or run.stdout.strip() or "no reason given").splitlines()[-1]
                return f"sentry-relay cannot be fetched: {last}"
        done.touch()
        return None


def normalized(events):
    """The events as the server keeps them."""
    run = subprocess.run([FOLDER / "venv/bin/python", "-c", CHECK], input=json.dumps(events), env={"PATH": "/usr/bin:/bin"},
                         capture_output=True, text=True, timeout=60, check=True)
    return json.loads(run.stdout)


def read_envelope(body):
    """(header, item header, payload, payload's bytes) of an envelope with one item; any slip in its form is an error.

    The form is Sentry's (develop.sentry.dev, "Envelopes"): lines of JSON, and a payload as long as its header says.
    """
    head, found, rest = body.partition(b"\n")
    if not found:
        raise AssertionError("there is no end of the header")
    line, found, rest = rest.partition(b"\n")
    if not found:
        raise AssertionError("there is no end of the item's header")
    header, item = json.loads(head), json.loads(line)
    length = item["length"]
    if type(length) is not int or len(rest) != length + 1 or rest[length:] != b"\n":
        raise AssertionError(f"the length is {length!r}, and {len(rest)} bytes follow")
    if not ID.fullmatch(header["event_id"]) or set(header) != {"event_id", "sent_at"}:
        raise AssertionError(f"no header: {header}")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", header["sent_at"]):
        raise AssertionError(f"no moment: {header['sent_at']}")
    payload = json.loads(rest[:length].decode())
    if payload["event_id"] != header["event_id"]:
        raise AssertionError("the header names another event")
    return header, item, payload, rest[:length]
