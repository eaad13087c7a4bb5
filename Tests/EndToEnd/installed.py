"""The app as an installer leaves it: below a prefix of the world's own, put there by Scripts/install.sh."""

import os
import subprocess

from steps import BINARIES, ROOT


def install(world):
    """Installs into a folder of the world, and returns that folder.

    The PAM services are not among it: PAM reads /etc/pam.d alone, and there the world has put them.
    """
    prefix = world.folder / "installed"
    env = {**os.environ, "BUILT": str(BINARIES.resolve()), "PAM": "none"}
    subprocess.run([ROOT / "Scripts/install.sh", "", prefix], env=env, check=True)
    return prefix
