"""An OpenID Connect issuer on loopback: strict with its clients, and able to misbehave."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx
from joserfc import jws
from joserfc.jwk import RSAKey

from bailiwick.config import Settings
from support.office import API, Office
from support.redirected import said

CLIENT_ID = "bailiwick-login"
CLIENT_SECRET = "the-client-secret-of-the-log-in"
KIM = {"sub": "kim-1", "email": "kim@example.com", "email_verified": True, "name": "Kim"}
# What a browser says when a provider's page sends it back to us.
NAVIGATION = {
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
}

Claims = dict[str, Any]
Fault = Callable[["Issuer", Claims], str]


@cache
def rsa_key(number: int) -> RSAKey:
    """A key pair; made once in a run, because making one is slow."""
    return RSAKey.generate_key(2048, {"kid": f"key-{number}", "use": "sig"})


@dataclass
class Issuer:
    """What the issuer knows, and how it misbehaves."""

    url: str
    key: RSAKey = field(default_factory=lambda: rsa_key(1))
    person: Claims = field(default_factory=lambda: dict(KIM))
    fault: Fault | None = None
    discovery: Claims = field(default_factory=dict)
    other_keys: list[Claims] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)
    hanging_up: bool = False
    asked: list[str] = field(default_factory=list)
    forms: list[dict[str, str]] = field(default_factory=list)
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def authorise(self, address: str) -> str:
        """Let the person at the browser sign in; returns where the browser is sent back to."""
        asked = dict(parse_qsl(urlsplit(address).query, strict_parsing=True))
        assert address.startswith(f"{self.url}/authorize?")
        assert asked["client_id"] == CLIENT_ID
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"], "iss": self.url})
        return f"{asked['redirect_uri']}?{back}"

    def claims(self, **changed: Any) -> Claims:
        """What a good token says of the person; None leaves a claim out."""
        now = int(time.time())
        said = {"iss": self.url, "aud": CLIENT_ID, "iat": now, "exp": now + 300, **self.person}
        return {name: value for name, value in {**said, **changed}.items() if value is not None}

    def sign(self, claims: Claims, *, key: RSAKey | None = None) -> str:
        """A token with this issuer's signature, unless another key is given."""
        header = {"alg": "RS256", "kid": self.key.kid, "typ": "JWT"}
        return jws.serialize_compact(header, json.dumps(claims), key or self.key)

    def bearer(self, audience: str | list[str], **changed: Any) -> str:
        """An access token for a program."""
        return self.sign(self.claims(aud=audience, **changed))

    def rotate(self) -> None:
        """Sign with a new key, and forget the old one."""
        self.key = rsa_key(2)

    def answer(self, path: str, form: dict[str, str] | None) -> tuple[int, Any]:
        """Serve one request."""
        if path in self.failing:
            return 500, {"error": "server_error"}
        if path == "/.well-known/openid-configuration":
            return 200, self._document()
        if path == "/keys":
            return 200, {"keys": [*self.other_keys, self.key.as_dict(private=False)]}
        if path == "/token" and form is not None:
            return self._redeem(form)
        return 404, {"error": "not_found"}

    def _document(self) -> Claims:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            **self.discovery,
        }

    def _redeem(self, form: dict[str, str]) -> tuple[int, Any]:
        self.forms.append(form)
        asked = self._codes.pop(form.get("code", ""), None)
        if form.get("client_secret") != CLIENT_SECRET or form.get("client_id") != CLIENT_ID:
            return 401, {"error": "invalid_client"}
        if (
            asked is None
            or form.get("grant_type") != "authorization_code"
            or form.get("redirect_uri") != asked["redirect_uri"]
            or s256(form.get("code_verifier", "")) != asked["code_challenge"]
        ):
            return 400, {"error": "invalid_grant"}
        claims = self.claims(nonce=asked["nonce"])
        token = self.fault(self, claims) if self.fault else self.sign(claims)
        return 200, {"token_type": "Bearer", "access_token": "opaque", "id_token": token}


def s256(verifier: str) -> str:
    """The challenge that belongs to a PKCE verifier."""
    return segment(hashlib.sha256(verifier.encode()).digest())


def segment(content: bytes) -> str:
    """A part of a token."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def saying(**changed: Any) -> Fault:
    """A token that is signed well but says something else."""
    return lambda issuer, claims: issuer.sign(
        {name: value for name, value in {**claims, **changed}.items() if value is not None}
    )


def unsigned(_: Issuer, claims: Claims) -> str:
    """A token of the algorithm none."""
    head, said = (segment(json.dumps(part).encode()) for part in ({"alg": "none"}, claims))
    return f"{head}.{said}."


def signed_with_the_public_key(issuer: Issuer, claims: Claims) -> str:
    """The public key taken for the secret of an HMAC; by hand, as no library would do it."""
    header = {"alg": "HS256", "kid": issuer.key.kid}
    text = ".".join(segment(json.dumps(part).encode()) for part in (header, claims))
    made = hmac.new(issuer.key.as_pem(private=False), text.encode(), hashlib.sha256)
    return f"{text}.{segment(made.digest())}"


def signed_with_another_key(issuer: Issuer, claims: Claims) -> str:
    """A key that the issuer never published, under the name of one that it did."""
    return issuer.sign(claims, key=rsa_key(3))


FAULTS: dict[str, Fault] = {
    "another log-in's nonce": saying(nonce="another"),
    "a nonce that is not ASCII": saying(nonce="nönce"),
    "a nonce with half a character": saying(nonce="\ud800"),
    "no nonce": saying(nonce=None),
    "another audience": saying(aud="another-client"),
    "another party": saying(aud=[CLIENT_ID, "another-client"], azp="another-client"),
    "only other audiences": saying(aud=["another-client"], azp=CLIENT_ID),
    "several audiences and no party": saying(aud=[CLIENT_ID, "another-client"]),
    "another issuer": saying(iss="https://accounts.example.net"),
    "expired": saying(exp=1_700_000_000),
    "no expiry": saying(exp=None),
    "not valid yet": saying(nbf=4_000_000_000),
    "nobody": saying(sub=None),
    "a subject that cannot be kept": saying(sub="kim\x00"),
    "unsigned": unsigned,
    "signed with the public key": signed_with_the_public_key,
    "signed with another key": signed_with_another_key,
    "not a token": lambda *_: "nonsense",
}


@contextmanager
def running_issuer() -> Iterator[Issuer]:
    """An issuer that listens until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.issuer = issuer = Issuer(f"http://127.0.0.1:{server.server_port}")  # pyright: ignore[reportAttributeAccessIssue]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer({name: values[-1] for name, values in parse_qs(body).items()})

    def _answer(self, form: dict[str, str] | None) -> None:
        issuer: Issuer = self.server.issuer  # pyright: ignore[reportAttributeAccessIssue]
        issuer.asked.append(self.path)
        if issuer.hanging_up:
            return
        status, document = issuer.answer(self.path, form)
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def reaching_issuers(settings: Settings) -> Settings:
    """The operator has allowed loopback, where issuers of tests are."""
    return settings.model_copy(update={"allowed_networks": (ip_network("127.0.0.1/32"),)})


async def provider(office: Office, issuer: Issuer, /, **given: Any) -> str:
    """Let people of this issuer come in; returns the provider's id."""
    body = {
        "name": "Example",
        "issuer": issuer.url,
        "clientId": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
        "allowedDomains": ["example.com"],
        **given,
    }
    made = await office.operator.post(f"{API}/login-providers", json=body)
    assert made.status_code == 201, made.text
    return made.json()["id"]


async def begin(browser: httpx.AsyncClient, id: str, **query: str) -> str:
    """Start a log-in; returns the address of the issuer's page."""
    begun = await browser.get(f"{API}/auth/providers/{id}/initiate", params=query)
    assert begun.status_code == 200, begun.text
    return begun.json()["authorizeUrl"]


async def sign_in(
    browser: httpx.AsyncClient, issuer: Issuer, id: str, **query: str
) -> httpx.Response:
    """The whole way through the issuer and back."""
    back = issuer.authorise(await begin(browser, id, **query))
    return await browser.get(back, headers=NAVIGATION)


def was_refused(answer: httpx.Response) -> bool:
    """Whether the browser ended on our log-in page with a problem, and without a session."""
    to_the_page = (answer.status_code, answer.headers.get("Location")) == (303, "/login")
    return to_the_page and bool(said(answer)) and "_session" not in answer.headers["set-cookie"]
