"""A real OpenID Connect provider: a private glewlwyd on 127.0.0.1, with a database of its own.

    with Provider() as provider:
        provider.issuer                      # http://127.0.0.1:<port>/api/oidc
        browser = provider.browser()         # signed in as provider.user
        browser.visit(address)               # the address that it is sent on to

It is ended by its process id. `stop()` and `start()` are the provider going down and coming back, with all it knew.
"""

import http.cookiejar
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

SCHEMA = pathlib.Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
CLIENT = "app-gates-test"
ADMIN = {"username": "admin", "password": "password"}
USER = {"username": "bob", "password": "a password of bob's"}

CONFIG = """
bind_address="127.0.0.1"
port={port}
external_url="http://127.0.0.1:{port}"
login_url="login.html"
api_prefix="api"
static_files_path="{folder}"
log_mode="file"
log_level="INFO"
log_file="{folder}/g.log"
cookie_domain="127.0.0.1"
cookie_secure=0
session_expiration=2419200
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="/usr/lib/glewlwyd/user_middleware"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database={{type="sqlite3";path="{folder}/g.db";}};
"""


def why_no_provider():
    """Why there can be no provider here, or nothing."""
    if not shutil.which("glewlwyd"):
        return "glewlwyd is not installed"
    if not SCHEMA.exists():
        return f"{SCHEMA} is missing"
    return "" if shutil.which("sqlite3") else "sqlite3 is not installed"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """An HTTP client with cookies, which follows no redirect by itself."""

    def __init__(self, api):
        self.api = api
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), NoRedirect,
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def send(self, method, address, body=None, form=None, timeout=10):
        """(status, headers, body)."""
        headers, data = {}, None
        if body is not None:
            headers["Content-Type"], data = "application/json", json.dumps(body).encode()
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(address, data=data, headers=headers, method=method)
        try:
            with self.opener.open(request, timeout=timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def call(self, method, path, body=None):
        status, _, answer = self.send(method, self.api + path, body)
        if status >= 300:
            raise AssertionError(f"{method} {path}: {status} {answer[:300]!r}")
        return json.loads(answer) if answer else None

    def authorize(self, address):
        """Follows an authorization request up to the redirect, whose address this is; nothing has been sent there yet.

        The provider's login page is a script of its own: it sends the signed-in user back with one word more.
        """
        return self.visit(address + "&g_continue=")

    def visit(self, address):
        """The address that this one sends the browser on to."""
        status, headers, body = self.send("GET", address)
        if status not in (302, 303, 307) or not headers.get("Location"):
            raise AssertionError(f"{status} instead of a redirect: {body[:300]!r}")
        return headers["Location"]


class Provider:
    """access: how long an access token is good, in seconds; issuer: how it names itself, where it lies elsewhere."""

    def __init__(self, access=3600, rolling=True, issuer=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="app-gates-provider-"))
        self.port = free_port()
        self.api = f"http://127.0.0.1:{self.port}/api"
        self.issuer = issuer or f"{self.api}/oidc"
        self.process = None
        with open(SCHEMA) as schema:
            subprocess.run(["sqlite3", self.folder / "g.db"], stdin=schema, check=True)
        (self.folder / "g.conf").write_text(CONFIG.format(port=self.port, folder=self.folder))
        try:
            self.start()
            self.admin = self.browser(ADMIN)
            self.set_up(access, rolling)
        except BaseException:
            self.close()
            raise

    def start(self):
        self.process = subprocess.Popen(
            ["glewlwyd", f"--config-file={self.folder}/g.conf"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError as error:
                if self.process.poll() is not None or time.monotonic() > end:
                    log = self.folder / "g.log"
                    raise AssertionError(log.read_text() if log.exists() else "no log") from error
                time.sleep(0.02)  # there is nothing to wait on but the port itself

    def stop(self):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def browser(self, who=None):
        browser = Browser(self.api)
        browser.call("POST", "/auth/", who or USER)
        if not who:
            browser.call("PUT", f"/auth/grant/{CLIENT}", {"scope": "openid"})
        return browser

    def set_up(self, access, rolling):
        self.admin.call("POST", "/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "OIDC", "order_rank": 0, "parameters": {
                "iss": self.issuer, "jwt-type": "sha", "jwt-key-size": "256", "key": "0123456789abcdef" * 2,
                "cert": "", "access-token-duration": access, "refresh-token-duration": 1209600, "code-duration": 120,
                "refresh-token-rolling": rolling, "refresh-token-one-use": "always", "allow-non-oidc": True, "auth-type-code-enabled": True,
                "auth-type-code-revoke-replayed": False, "auth-type-token-enabled": False,
                "auth-type-id-token-enabled": True, "auth-type-password-enabled": False,
                "auth-type-client-enabled": False, "auth-type-device-enabled": False,
                "auth-type-refresh-enabled": True, "scope": [], "additional-parameters": [], "claims": [],
                "service-documentation": "", "op-policy-uri": "", "op-tos-uri": "", "jwks-show": True,
                "jwks-x5c": [], "request-parameter-allow": False, "request-parameter-allow-encrypted": False,
                "request-maximum-exp": 3600, "request-uri-allow-https-non-secure": False, "secret-type": "pairwise",
                "address-claim": {"type": "no", "formatted": "", "street_address": "", "locality": "", "region": "",
                                  "postal_code": "", "country": "", "mandatory": False},
                "name-claim": "mandatory", "name-claim-scope": [], "email-claim": "no", "email-claim-scope": [],
                "scope-claim": "no", "scope-claim-scope": [], "allowed-scope": ["openid"], "pkce-allowed": True,
                "pkce-method-plain-allowed": False, "pkce-required": True, "pkce-required-public-client": True,
                "introspection-revocation-allowed": True, "introspection-revocation-auth-scope": [],
                "introspection-revocation-allow-target-client": True, "register-client-allowed": False,
                "session-management-allowed": False, "client-pubkey-parameter": "pubkey"}})
        self.admin.call("POST", "/client/", self.client([]))
        self.admin.call("POST", "/user/", {
            **USER, "name": "Bob Example", "email": "bob@example.org", "enabled": True,
            "scope": ["openid", "g_profile"]})

    @staticmethod
    def client(redirects):
        return {"client_id": CLIENT, "name": "App Gates", "confidential": False, "enabled": True,
                "redirect_uri": redirects, "authorization_type": ["code", "refresh_token"], "scope": ["openid"],
                "token_endpoint_auth_method": ["none"]}

    def register(self, address):
        """Registers the redirect that an authorization request names, and returns it.

        glewlwyd compares it letter by letter, port included; RFC 8252 (7.3) wants any port to do.
        """
        query = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)
        redirect = query["redirect_uri"][0]
        self.admin.call("PUT", f"/client/{CLIENT}", self.client([redirect]))
        return redirect

    def token(self, **form):
        """(status, what the token endpoint answers)."""
        status, _, body = Browser(self.api).send("POST", f"{self.api}/oidc/token", form={"client_id": CLIENT, **form})
        return status, json.loads(body) if body.startswith(b"{") else body

    def refresh_tokens(self, browser):
        """What the user sees of the refresh tokens that were given out."""
        return browser.call("GET", "/oidc/token/")

    def revoke_all(self, browser):
        """The user, on the provider's own page, takes every refresh token back."""
        for token in self.refresh_tokens(browser):
            if token["enabled"]:
                browser.call("DELETE", "/oidc/token/" + urllib.parse.quote(token["token_hash"], safe=""))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
