"""The PAM files, read by the real PAM: each line can be parsed, and each module and file that it names is found.

PAM says that only when it is asked to authenticate; so that is begun, with a conversation that answers nothing.
A folder lies over /etc/pam.d in a mount namespace, since includes are looked up there whatever PAM is told.
"""

import pathlib
import shutil
import tempfile
import unittest

from packaging import ROOT, run

SERVICES = ROOT / "data/pam.d"
FAMILIES = sorted(path.name for path in SERVICES.iterdir())
SUCCESS, OPEN_ERR, SYMBOL_ERR, SYSTEM_ERR, PERM_DENIED, UNAVAILABLE, ABORT, MODULE_UNKNOWN = 0, 1, 2, 4, 6, 9, 26, 28
# What PAM answers where a file or a line cannot be used, or where nothing stands in the stack.
BROKEN = {OPEN_ERR, SYMBOL_ERR, SYSTEM_ERR, PERM_DENIED, ABORT, MODULE_UNKNOWN}
# What the families' own files hold, in the simplest form that ends in a verdict.
OTHERS = {"arch": ["system-auth"], "debian": ["common-auth", "common-account"], "fedora": ["password-auth"],
          "opensuse": ["common-auth", "common-account"]}


def one(pattern):
    return next(iter(sorted(pathlib.Path("/usr/lib").glob(pattern))), None)


def why_no_namespace():
    probe = run("unshare", "-m", "mount", "--bind", "/etc", "/etc", check=False)
    return None if probe.returncode == 0 else "needs mount namespaces, as root: " + probe.stdout.strip()


@unittest.skipIf(why_no_namespace(), f"{why_no_namespace()}")
class PamTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def begin(self, service):
        """What pam_start and pam_authenticate answer."""
        enter = 'mount --bind "$1" /etc/pam.d && shift && exec "$@"'
        said = run("unshare", "-m", "--propagation", "private", "sh", "-c", enter, "sh", self.folder,
                   "/usr/bin/python3", ROOT / "Tests/Packaging/pam_begin.py", service).stdout
        return tuple(map(int, said.splitlines()[-1].split()))

    def take(self, family, name):
        shutil.copy(SERVICES / family / name, self.folder)

    def others(self, family, auth):
        for name in OTHERS[family]:
            (self.folder / name).write_text(f"auth {auth}\naccount required pam_permit.so\n")

    def test_every_family_is_known(self):
        self.assertEqual(FAMILIES, sorted(OTHERS))

    def test_the_password_is_for_the_systems_own_rules(self):
        for family in FAMILIES:
            for auth, verdict in (("required pam_permit.so", SUCCESS), ("required pam_deny.so", 7)):
                with self.subTest(family, auth=auth):
                    self.take(family, "app-gates")
                    self.others(family, auth)
                    self.assertEqual(self.begin("app-gates"), (SUCCESS, verdict))

    @unittest.skipIf(one("*/security/pam_fprintd.so") is None, "needs libpam-fprintd (make deps-test)")
    def test_the_finger_is_for_the_reader_alone(self):
        for family in FAMILIES:
            with self.subTest(family):
                self.take(family, "app-gates-fingerprint")
                # There is no finger of root's: the module was found, asked, and had nothing to ask with.
                self.assertEqual(self.begin("app-gates-fingerprint"), (SUCCESS, UNAVAILABLE))

    def test_what_is_broken_is_noticed(self):
        """The measure itself: a file that cannot be used is not taken for a refusal."""
        for text in ("auth required pam_not_there.so\n", "auth include not-there\n", "auth\n", "nonsense x y\n"):
            with self.subTest(text):
                (self.folder / "app-gates").write_text(text)
                started, answer = self.begin("app-gates")
                self.assertTrue(started in BROKEN or answer in BROKEN, (started, answer))


if __name__ == "__main__":
    unittest.main()
