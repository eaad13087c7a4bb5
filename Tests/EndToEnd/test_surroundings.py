"""What the app is started with does not reach its helper: here, another PAM that the loader would put under it.

Tests/Auth/test_matrix.py shows that it works on a helper that is handed these variables.
"""

import pathlib
import unittest

from steps import LOCKED, WorldTest, needs_user

WRONG = "That was not right. Try again."
LETS_IN = "letmein"


def one(pattern):
    return next(pathlib.Path("/usr/lib").glob(pattern), None)


@needs_user
class SurroundingsTest(WorldTest):
    def locked_with(self, env):
        self.come_back(["Buy milk"], lock=True)
        app = self.world.app(env=env)
        app.wait_for("label", LOCKED)
        app.wait_for("password text", states=("focused", "editable"))
        return app

    def assert_only_the_password_opens(self, app, wrong):
        app.type(wrong)
        app.key("Return")
        app.wait_for("alert", WRONG)
        self.assert_hidden(app, "Buy milk")
        self.unlock(app)
        app.wait_for("text", "Add a todo")

    @unittest.skipIf(one("*/pam_wrapper/pam_matrix.so") is None, "needs the package libpam-wrapper")
    def test_another_pam_through_the_loader(self):
        passwords = self.world.write("passwords", f"{self.world.user.name}:{LETS_IN}:app-gates\n")
        line = f"required {one('*/pam_wrapper/pam_matrix.so')} passdb={passwords}"
        services = self.world.write("services/app-gates", f"auth {line}\naccount {line}\n").parent
        app = self.locked_with({"LD_PRELOAD": str(one("*/libpam_wrapper.so")), "PAM_WRAPPER": "1",
                                "PAM_WRAPPER_SERVICE_DIR": str(services)})
        mapped = pathlib.Path(f"/proc/{app.pid}/maps").read_text()
        self.assertIn("libpam_wrapper", mapped, "it did not even reach the app")
        self.assert_only_the_password_opens(app, LETS_IN)
