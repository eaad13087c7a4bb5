"""The packets between app and helper, written a second time and independently of Sources/AuthWire.

What the two disagree on is a fault of one of them.
"""

import struct

VERSION_HEADER = "Sources/AuthWire/include/AppGatesVersion.h"
TYPES = {17: "hello", 18: "hidden", 19: "visible", 20: "info", 21: "error", 22: "delay", 23: "result"}
STATUS = {
    1: "authenticated", 2: "refused", 3: "unavailable", 4: "account-refused", 5: "conversation-ended", 6: "maxtries",
}
REASON = {
    0: None, 1: "version-mismatch", 2: "root", 3: "not-self", 4: "no-user", 5: "service-unknown", 6: "service-missing",
    7: "service-asks", 8: "no-new-privs", 9: "authinfo-unavail", 10: "user-unknown", 11: "user-changed",
    12: "pam-start", 13: "pam-error", 32: "account-expired", 33: "account-denied",
}


def packet(kind, payload):
    return struct.pack("<HH", kind, len(payload)) + payload


def hello(version, service):
    return packet(1, bytes([len(version)]) + version.encode() + service.encode())


def answer(secret):
    return packet(2, secret)


def decode(data):
    """One packet of the helper's as a dictionary; raises ValueError where it is malformed."""
    if len(data) < 4:
        raise ValueError("short packet")
    kind, size = struct.unpack_from("<HH", data)
    payload = data[4:]
    if size != len(payload) or kind not in TYPES:
        raise ValueError("malformed packet")
    event = {"type": TYPES[kind]}
    if kind == 22:
        (event["us"],) = struct.unpack("<Q", payload)
    elif kind == 23:
        status, reason, flags, pam, account = struct.unpack("<BBBii", payload)
        event.update(
            status=STATUS[status], reason=REASON[reason], newPassword=bool(flags & 1), unchecked=bool(flags & 2),
            hidden=bool(flags & 4), pam=pam, account=account)
    else:
        event["text"] = payload.decode("latin-1")
    return event
