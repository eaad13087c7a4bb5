"""The pictures of one pass through the program."""

import pathlib
import subprocess

# Where nothing composes the screen, GTK draws this many pixels of frame around a window in place of its shadow.
FRAME = 5


class Album:
    """A folder of numbered pictures, with one suffix for all of a pass."""

    def __init__(self, folder, suffix=""):
        self.folder, self.suffix = pathlib.Path(folder), suffix
        self.names = {}
        self.seen = {}

    def take(self, app, name, shows, window=None):
        """Takes the next picture once nothing moves any more; refuses one that shows nothing, or nothing new.

        Of the app's first window, or of the one that is named.
        """
        path = self.folder / f"{len(self.names) + 1:02}-{name}{self.suffix}.png"
        app.display.screenshot(path, window or app.window)
        self.refuse_what_shows_nothing(app.display, path)
        self.names[name] = path
        print(f"{path.name:32} {shows}", flush=True)
        return path

    def refuse_what_shows_nothing(self, display, path):
        colours = int(display.tool("identify", "-format", "%k", str(path)))
        if colours < 8:
            raise AssertionError(f"{path.name} shows nothing: it has {colours} colours")
        same = self.seen.setdefault(display.signature(path), path)
        if same != path:
            raise AssertionError(f"{path.name} shows the same as {same.name}")

    def copy_small(self, name, target):
        """A copy for the README: no more colours than it needs, nothing but the picture in the file."""
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["convert", self.names[name], "-shave", f"{FRAME}x{FRAME}", "-bordercolor", "#c0bfbc", "-border", "1",
             "-strip", "+dither", "-colors", "128", "-define", "png:compression-level=9", f"PNG8:{target}"],
            check=True)
