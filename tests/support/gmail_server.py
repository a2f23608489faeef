"""Gmail's REST API and Google's OAuth on loopback, as strict as the real ones.

    with serving_gmail() as server:
        server.account.add(raw, {"INBOX", "UNREAD"})   # a message comes in
        server.options                                  # what the connector's form holds
        server.token()                                  # an access token with every scope
        server.faults.append(Fault("GET /gmail/v1/users/me/history", 429, {"Retry-After": "0"}))

A fault answers the next request whose method and path begin like that, then it is used up; status 0
drops the connection, after doing what was asked if `after` says so. `server.requests` has all.
"""

import base64
import hashlib
import json
import re
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

from support.gmail_api import BASIC, COMPOSE, ME, MODIFY, READ, SEND, Asked, Fault, GmailServer
from support.gmail_state import Refused

__all__ = [
    "BASIC",
    "COMPOSE",
    "ME",
    "MODIFY",
    "READ",
    "SEND",
    "Asked",
    "Fault",
    "GmailServer",
    "serving_gmail",
]


@contextmanager
def serving_gmail() -> Iterator[GmailServer]:
    """A server that listens until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.gmail = made = GmailServer(f"http://127.0.0.1:{server.server_port}")  # pyright: ignore[reportAttributeAccessIssue]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # an answer in one piece, or each would wait for the other side

    @property
    def gmail(self) -> GmailServer:
        return self.server.gmail  # pyright: ignore[reportAttributeAccessIssue]

    def do_GET(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def do_DELETE(self) -> None:
        self._handle()

    def _handle(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        asked = Asked(self.command, parts.path, parse_qs(parts.query), body)
        self.gmail.requests.append(asked)
        if self.gmail.meanwhile:
            self.gmail.meanwhile(asked)
        fault = self.gmail.fault(asked.text)
        if fault and not fault.after:
            self._fail(fault)
            return
        try:
            self._route(asked, fault)
        except Refused as no:
            self._json(no.status, no.body, no.headers)

    def _route(self, asked: Asked, fault: Fault | None) -> None:
        if asked.path == "/token":
            self._json(200, grant(self.gmail, dict(parse_qsl(asked.body.decode()))))
        elif asked.path == "/revoke":
            given = dict(parse_qsl(asked.body.decode()))["token"]
            self.gmail.refresh_tokens.pop(given, None)
            self.gmail.tokens.pop(given, None)
            self._json(200, {})
        elif asked.path == "/o/oauth2/v2/auth":
            self._send(302, b"", {"Location": consented(self.gmail, asked)})
        elif asked.path == "/batch/gmail/v1" and self.gmail.has_batches:
            self._batch(asked)
        else:
            answer = self.gmail.answer(asked, self._token)
            if fault:
                self._fail(fault)
            else:
                self._json(200, answer) if answer is not None else self._send(204, b"")

    @property
    def _token(self) -> str:
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        return token if kind == "Bearer" else ""

    def _batch(self, asked: Asked) -> None:
        found = re.fullmatch(r'multipart/mixed; boundary="?([^"]+)"?', self.headers["Content-Type"])
        if found is None or self._token not in self.gmail.tokens:
            raise Refused(401 if found else 400, "badRequest")
        answers = b""
        inner = asked.body.split(b"--" + found.group(1).encode())[1:-1]
        assert len(inner) <= 100
        for part in inner:
            head, _, request = part.partition(b"\r\n\r\n")
            item = re.search(rb"Content-ID: <([^>]+)>", head)
            assert b"Content-Type: application/http" in head
            line = re.match(rb"(\w+) (\S+)", request)
            assert item
            assert line
            status, body = self._inner(line[1].decode(), line[2].decode())
            answers += (
                b"--batch_answer\r\nContent-Type: application/http\r\nContent-ID: <response-"
                + item[1]
                + f">\r\n\r\nHTTP/1.1 {status} Whatever\r\nContent-Type: application/json".encode()
                + b"; charset=UTF-8\r\n\r\n"
                + json.dumps(body).encode()
                + b"\r\n"
            )
        type = {"Content-Type": "multipart/mixed; boundary=batch_answer"}
        self._send(200, answers + b"--batch_answer--", type)

    def _inner(self, method: str, target: str) -> tuple[int, Any]:
        parts = urlsplit(target)
        asked = Asked(method, parts.path, parse_qs(parts.query), b"")
        fault = self.gmail.fault(f"BATCHED {asked.text}")
        if fault:
            return fault.status, Refused(fault.status, fault.reason).body
        try:
            return 200, self.gmail.answer(asked, self._token)
        except Refused as no:
            return no.status, no.body

    def _fail(self, fault: Fault) -> None:
        if fault.body is not None:
            self._send(fault.status, fault.body, fault.headers)
        elif fault.status:
            no = Refused(fault.status, fault.reason)
            self._json(no.status, no.body, fault.headers)
        else:
            self.close_connection = True
            self.connection.close()

    def _json(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        type = {"Content-Type": "application/json; charset=UTF-8"}
        self._send(status, json.dumps(body).encode(), {**type, **(headers or {})})

    def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def consented(server: GmailServer, asked: Asked) -> str:
    """Where the browser goes once the user said yes."""
    query = {name: values[0] for name, values in asked.query.items()}
    assert query["client_id"] == server.client_id
    assert query["response_type"] == "code"
    assert query["code_challenge_method"] == "S256"
    code = secrets.token_urlsafe(16)
    server.codes[code] = query
    given = {"code": code, "state": query["state"], "scope": query["scope"]}
    return f"{query['redirect_uri']}?{urlencode(given, quote_via=quote)}"


def grant(server: GmailServer, form: Mapping[str, str]) -> dict[str, Any]:
    """Tokens for a code, or for a refresh token."""
    if (form.get("client_id"), form.get("client_secret")) != (
        server.client_id,
        server.client_secret,
    ):
        raise _no_grant(401, "invalid_client")
    if form["grant_type"] == "authorization_code":
        begun = server.codes.pop(form["code"], None)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if begun is None or begun["code_challenge"] != challenge:
            raise _no_grant(400, "invalid_grant")
        assert begun["redirect_uri"] == form["redirect_uri"]
        scopes = frozenset(begun["scope"].split())
        refresh = f"1//{secrets.token_urlsafe(24)}"
        server.refresh_tokens[refresh] = scopes
        more = {"refresh_token": refresh} if begun.get("access_type") == "offline" else {}
    else:
        if form["refresh_token"] not in server.refresh_tokens:
            raise _no_grant(400, "invalid_grant")
        scopes, more = server.refresh_tokens[form["refresh_token"]], {}
    return {
        "access_token": server.token(scopes),
        "expires_in": 3599,
        "scope": " ".join(sorted(scopes)),
        "token_type": "Bearer",
        **more,
    }


def _no_grant(status: int, code: str) -> Refused:
    no = Refused(status, code)
    no.body = {"error": code, "error_description": "In Google's words."}  # pyright: ignore[reportAttributeAccessIssue]
    return no
