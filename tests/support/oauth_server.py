"""A mail provider's OAuth on loopback: strict with its clients, and able to misbehave."""

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from support.processes import PATIENCE

CLIENT_ID = "canary-client-id"
CLIENT_SECRET = "canary-client-secret"


@dataclass
class Provider:
    """What the provider knows, and how it misbehaves."""

    url: str
    address: str = "olive@mail.example"
    lifetime: Any = 3600  # of access tokens, in seconds
    granted: str | None = None  # other scopes than asked for
    refreshes: bool = True  # whether it gives refresh tokens
    rotates: bool = False  # whether each refresh gives another refresh token
    failing: int | None = None  # the status of every token request
    slow: threading.Event | None = None  # refreshes wait for it
    forms: list[dict[str, str]] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)
    asking: threading.Event = field(default_factory=threading.Event)
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)
    _refresh: set[str] = field(default_factory=set)
    _access: dict[str, str] = field(default_factory=dict)

    @property
    def refreshed(self) -> int:
        """How often a refresh was asked for."""
        return sum(form["grant_type"] == "refresh_token" for form in self.forms)

    def consent(self, address: str) -> str:
        """Say yes at the provider's page; returns where the browser is sent back to."""
        asked = self._asked(address)
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def deny(self, address: str) -> str:
        """Say no there."""
        asked = self._asked(address)
        back = {"error": "access_denied", "error_description": "canary", "state": asked["state"]}
        return f"{asked['redirect_uri']}?{urlencode(back)}"

    def scopes(self, address: str) -> list[str]:
        """What a page asks for."""
        return self._asked(address)["scope"].split()

    def forget(self) -> None:
        """The person takes the consent back."""
        self._refresh.clear()
        self._access.clear()

    def outdate(self) -> None:
        """Access tokens end before their time, as if our clock were wrong."""
        self._access.clear()

    def answer(self, path: str, form: dict[str, str], bearer: str) -> tuple[int, Any]:
        """Serve one request."""
        if path == "/token":
            return self._token(form)
        if path == "/revoke":
            self.revoked.append(form["token"])
            return 200, {}
        if path == "/me":
            known = self._access.get(bearer)
            return (200, {"address": known}) if known else (401, {"error": "invalid_token"})
        return 404, {}

    def _asked(self, address: str) -> dict[str, str]:
        asked = dict(parse_qsl(urlsplit(address).query, strict_parsing=True))
        assert address.startswith(f"{self.url}/authorize?")
        assert asked["client_id"] == CLIENT_ID
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert len(asked["state"]) >= 32
        return asked

    def _token(self, form: dict[str, str]) -> tuple[int, Any]:
        self.forms.append(form)
        if self.failing:
            return self.failing, {"error": "server_error"}
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return 401, {"error": "invalid_client", "error_description": "canary"}
        if form["grant_type"] == "refresh_token":
            self.asking.set()
            if self.slow:
                self.slow.wait(PATIENCE)
            if form["refresh_token"] not in self._refresh:
                return 400, {"error": "invalid_grant", "error_description": "canary"}
            if self.rotates:
                self._refresh.discard(form["refresh_token"])
            return 200, self._tokens(scope=None, refresh=self.rotates)
        asked = self._codes.pop(form["code"], None)
        verifier = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).decode().rstrip("=")
        if asked is None or challenge != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        if form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        return 200, self._tokens(scope=self.granted or asked["scope"], refresh=self.refreshes)

    def _tokens(self, *, scope: str | None, refresh: bool) -> dict[str, Any]:
        access = f"canary-access-{secrets.token_hex(8)}"
        self._access[access] = self.address
        made: dict[str, Any] = {"access_token": access, "token_type": "Bearer"}
        if self.lifetime is not None:
            made["expires_in"] = self.lifetime
        if scope:
            made["scope"] = scope
        if refresh:
            made["refresh_token"] = f"canary-refresh-{secrets.token_hex(8)}"
            self._refresh.add(made["refresh_token"])
        return made


@contextmanager
def running_provider() -> Iterator[Provider]:
    """A provider that listens until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.provider = provider = Provider(f"http://127.0.0.1:{server.server_port}")  # pyright: ignore[reportAttributeAccessIssue]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        if provider.slow:
            provider.slow.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer({name: values[-1] for name, values in parse_qs(body).items()})

    def _answer(self, form: dict[str, str]) -> None:
        provider: Provider = self.server.provider  # pyright: ignore[reportAttributeAccessIssue]
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        status, document = provider.answer(self.path, form, bearer)
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
