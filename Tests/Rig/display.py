"""What every display can do, however it shows windows: pictures, and running its tools from outside of the world."""

import contextlib
import os
import pathlib
import subprocess

from .wait import TimedOut, until


class Display:
    """Started by a World, as its user. X11 and Wayland add windows, keys and the taking of a picture.

    A window is a number that stays the same as long as the window is there.
    """

    # What a tool needs in order to find this display.
    env = {}

    def __init__(self, world, size):
        self.world = world
        self.size = size

    def tool(self, *argv, check=True, seconds=10, text=True):
        """Runs a tool on this display, from outside; gives its output."""
        env = dict(os.environ, LC_ALL="C.UTF-8", **self.env)
        try:
            done = subprocess.run(argv, env=env, capture_output=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise TimedOut(f"not within {seconds} s: {' '.join(argv)}") from None
        if check and done.returncode != 0:
            words = (done.stderr.strip() or done.stdout.strip()).decode(errors="replace")
            raise RuntimeError(f"{' '.join(argv)}: {words}")
        return done.stdout.decode(errors="replace") if text else done.stdout

    # Pictures

    def grab(self, path, window=None):
        """Writes a PNG of the screen or of one window, as it is now."""
        raise NotImplementedError

    def grab_part(self, left, top, width, height):
        """A part of the screen as a binary PPM."""
        raise NotImplementedError

    def screenshot(self, path, window=None, settled=True):
        """Writes a PNG of the screen or of one window; `settled`: once two pictures in a row are the same."""
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)

        def grab():
            self.grab(path, window)
            return self.signature(path)

        last = grab()

        def same():
            nonlocal last
            before, last = last, grab()
            return before == last

        if settled:
            with contextlib.suppress(TimedOut):  # a spinner never settles, and is a picture too
                until(same, "the picture to settle", 3.0, 0.05)
        return path

    def signature(self, path):
        """ImageMagick's hash of the pixels: equal where two pictures are."""
        return self.tool("identify", "-quiet", "-format", "%#", str(path))

    def part(self, left, top, width, height):
        """The pixels of a part of the screen, row by row, as (red, green, blue)."""
        ppm = self.grab_part(left, top, width, height)
        # P6, width, height, 255, then one white space and the bytes.
        body = ppm.split(maxsplit=3)[3].partition(b"\n")[2]
        return [tuple(body[place:place + 3]) for place in range(0, len(body), 3)]

    def pixel(self, x, y):
        """The colour at a place of the screen, as (red, green, blue)."""
        return self.part(x, y, 1, 1)[0]
