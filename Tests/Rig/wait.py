"""Waiting with a deadline, for what tells of itself by no event."""

import time


class TimedOut(AssertionError):
    """What a test waited for did not come in time, which a busy machine may be the cause of."""

    is_late = True


def until(look, what, seconds=10.0, pause=0.02):
    """Calls `look` until it gives something true, and returns that; otherwise raises TimedOut."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() >= end:
            raise TimedOut(f"not within {seconds:g} s: {what() if callable(what) else what}")
        time.sleep(pause)
