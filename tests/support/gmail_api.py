"""What the scripted Gmail answers to each request, as strict as the real one."""

import base64
import binascii
import email.utils
import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from support.gmail_state import SYSTEM, Account, Refused, Stored

SCOPE = "https://www.googleapis.com/auth/gmail."
READ, SEND, MODIFY, COMPOSE, BASIC = (
    SCOPE + one for one in ("readonly", "send", "modify", "compose", "settings.basic")
)
ALL = frozenset((READ, SEND, MODIFY, COMPOSE, BASIC))
ME = "/gmail/v1/users/me"


@dataclass
class Fault:
    """What goes wrong with one request."""

    begins: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    reason: str = "backendError"
    body: bytes | None = None  # instead of an error of Google's
    after: bool = False
    times: int = 1


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    query: dict[str, list[str]]
    body: bytes

    @property
    def text(self) -> str:
        return f"{self.method} {self.path}"


@dataclass
class GmailServer:
    url: str
    account: Account = field(default_factory=Account)
    tokens: dict[str, frozenset[str]] = field(default_factory=dict)  # access tokens, their scopes
    refresh_tokens: dict[str, frozenset[str]] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    has_batches: bool = True
    has_uploads: bool = True
    meanwhile: Callable[[Asked], None] | None = None  # before each request
    page: int = 500  # ids on a page, at most
    client_id: str = "our-client"
    client_secret: str = "our-client-secret"
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def options(self) -> dict[str, str]:
        return {
            "client_id": self.client_id,
            "client_secret": self.client_secret,
            "api_url": self.url,
            "authorize_url": f"{self.url}/o/oauth2/v2/auth",
            "token_url": f"{self.url}/token",
            "revoke_url": f"{self.url}/revoke",
        }

    def token(self, scopes: frozenset[str] = ALL) -> str:
        made = f"ya29.{secrets.token_urlsafe(24)}"
        self.tokens[made] = scopes
        return made

    def asked(self, text: str) -> list[Asked]:
        """The requests whose method and path begin like that."""
        return [one for one in self.requests if one.text.startswith(text)]

    def fault(self, text: str) -> Fault | None:
        with self.lock:
            found = next((one for one in self.faults if text.startswith(one.begins)), None)
            if found is not None:
                found.times -= 1
                if not found.times:
                    self.faults.remove(found)
            return found

    def answer(self, asked: Asked, token: str) -> Any:
        """What the API says, or `Refused`."""
        scopes = self.tokens.get(token)
        if scopes is None:
            raise Refused(401, "authError")
        path = asked.path.removeprefix("/upload") if self.has_uploads else asked.path
        for method, pattern, needed, act in ROUTES:
            found = re.fullmatch(ME + pattern, path)
            if found and method == asked.method:
                if not needed & scopes:
                    raise Refused(403, "insufficientPermissions")
                with self.account.lock:
                    return act(self, asked, *found.groups())
        raise Refused(404, "notFound")


def _query(asked: Asked, *known: str) -> dict[str, str]:
    if set(asked.query) - set(known):
        raise Refused(400, "invalidParameter")
    return {name: values[0] for name, values in asked.query.items()}


def _json(asked: Asked, *known: str) -> dict[str, Any]:
    body = json.loads(asked.body)
    if set(body) - set(known):
        raise Refused(400, "invalidArgument")
    return body


def _portion(items: list[Any], query: Mapping[str, str], most: int) -> tuple[list[Any], dict]:
    size = min(int(query.get("maxResults", 100)), most)
    if not 1 <= int(query.get("maxResults", 100)) <= 500:
        raise Refused(400, "invalidArgument")
    start = int(query.get("pageToken", "0"))
    more = {"nextPageToken": str(start + size)} if start + size < len(items) else {}
    return items[start : start + size], more


def profile(server: GmailServer, asked: Asked) -> Any:
    _query(asked)
    own = server.account
    return {
        "emailAddress": own.address,
        "messagesTotal": len(own.messages),
        "threadsTotal": len({one.thread for one in own.messages.values()}),
        "historyId": str(own.history),
    }


def list_messages(server: GmailServer, asked: Asked) -> Any:
    query = _query(asked, "q", "maxResults", "pageToken", "includeSpamTrash")
    found = sorted(server.account.messages.values(), key=lambda one: -one.date)
    if query.get("includeSpamTrash") != "true":
        found = [one for one in found if not one.labels & {"SPAM", "TRASH"}]
    for term in query.get("q", "").split():
        if term.startswith("rfc822msgid:"):
            found = [one for one in found if one.message_id == term[12:].strip("<>")]
        elif term == "in:sent":
            found = [one for one in found if "SENT" in one.labels]
        else:
            raise Refused(400, "invalidArgument")
    some, more = _portion(found, query, server.page)
    listed = [{"id": one.id, "threadId": one.thread} for one in some]
    return {**({"messages": listed} if listed else {}), **more, "resultSizeEstimate": len(found)}


def get_message(server: GmailServer, asked: Asked, id: str) -> Any:
    query = _query(asked, "format", "metadataHeaders")
    one = server.account.messages.get(id)
    if one is None:
        raise Refused(404, "notFound")
    return told(server.account, one, query.get("format", "full"), asked.query)


def told(own: Account, one: Stored, format: str, query: Mapping[str, list[str]]) -> Any:
    facts: dict[str, Any] = {
        "id": one.id,
        "threadId": one.thread,
        "snippet": "",
        "sizeEstimate": len(one.raw),
        "historyId": str(one.history),
        "internalDate": str(one.date),
    }
    if one.labels:
        facts["labelIds"] = sorted(one.labels)
    if format == "raw":
        facts["raw"] = own.encoded(one.raw)
    elif format == "metadata":
        wanted = {name.lower() for name in query.get("metadataHeaders", [])}
        pairs = [(k, str(v)) for k, v in one.headers.items() if not wanted or k.lower() in wanted]
        facts["payload"] = {"headers": [{"name": k, "value": v} for k, v in pairs]}
    elif format != "minimal":
        raise Refused(400, "invalidArgument")
    return facts


def list_history(server: GmailServer, asked: Asked) -> Any:
    query = _query(asked, "startHistoryId", "historyTypes", "maxResults", "pageToken", "labelId")
    own = server.account
    found = own.since(query.get("startHistoryId", ""), asked.query.get("historyTypes", []))
    some, more = _portion(found, query, server.page)
    return {**({"history": some} if some else {}), **more, "historyId": str(own.history)}


def list_labels(server: GmailServer, asked: Asked) -> Any:
    _query(asked)
    system = [{"id": one, "name": one, "type": "system"} for one in SYSTEM]
    own = server.account.labels.items()
    return {"labels": [*system, *({"id": id, "name": n, "type": "user"} for id, n in own)]}


def create_label(server: GmailServer, asked: Asked) -> Any:
    body = _json(asked, "name", "labelListVisibility", "messageListVisibility")
    return server.account.make_label(body["name"])


def modify(server: GmailServer, asked: Asked, id: str) -> Any:
    body = _json(asked, "addLabelIds", "removeLabelIds")
    one = server.account.relabel(id, body.get("addLabelIds", []), body.get("removeLabelIds", []))
    return told(server.account, one, "minimal", {})


def raw_of(body: Mapping[str, Any]) -> bytes:
    text = body.get("raw")
    if not isinstance(text, str) or "+" in text or "/" in text:
        raise Refused(400, "invalidArgument")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise Refused(400, "invalidArgument") from None


def send(server: GmailServer, asked: Asked) -> Any:
    own = server.account
    if asked.path.startswith("/upload"):
        _query(asked, "uploadType")
        facts, raw = _uploaded(asked)
    else:
        _query(asked)
        facts = _json(asked, "raw", "threadId")
        raw = raw_of(facts)
    thread = facts.get("threadId")
    if thread and thread not in {one.thread for one in own.messages.values()}:
        raise Refused(404, "notFound")
    headers = email.message_from_bytes(raw)
    fields = [headers.get_all(name, []) for name in ("To", "Cc", "Bcc")]
    to = [address for _, address in email.utils.getaddresses([str(v) for f in fields for v in f])]
    if not to:
        raise Refused(400, "invalidArgument")
    own.outbox.append((raw, sorted(to)))
    made = own.add(raw, {"SENT"}, thread=thread)
    return {"id": made.id, "threadId": made.thread, "labelIds": ["SENT"]}


def _uploaded(asked: Asked) -> tuple[dict[str, Any], bytes]:
    boundary = asked.body.partition(b"\r\n")[0]
    _, first, second, end = asked.body.split(boundary)
    assert end == b"--\r\n"
    facts = json.loads(first.partition(b"\r\n\r\n")[2])
    head, _, raw = second.partition(b"\r\n\r\n")
    assert b"message/rfc822" in head
    return facts, raw.removesuffix(b"\r\n")


def create_draft(server: GmailServer, asked: Asked) -> Any:
    message = _json(asked, "message")["message"]
    if set(message) - {"raw", "threadId"}:
        raise Refused(400, "invalidArgument")
    made = server.account.add(raw_of(message), {"DRAFT"}, thread=message.get("threadId"))
    id = f"r{secrets.token_hex(6)}"
    server.account.drafts[id] = made.id
    return {"id": id, "message": {"id": made.id, "threadId": made.thread, "labelIds": ["DRAFT"]}}


def list_drafts(server: GmailServer, asked: Asked) -> Any:
    query = _query(asked, "maxResults", "pageToken", "q", "includeSpamTrash")
    some, more = _portion(list(server.account.drafts.items()), query, server.page)
    return {"drafts": [{"id": id, "message": {"id": one}} for id, one in some], **more}


def delete_draft(server: GmailServer, asked: Asked, id: str) -> Any:
    if id not in server.account.drafts:
        raise Refused(404, "notFound")
    server.account.remove(server.account.drafts[id])
    return None


def send_as(server: GmailServer, asked: Asked) -> Any:
    own = server.account
    other = {"sendAsEmail": "alias@example.org", "signature": "<b>An alias</b>"}
    mine = {"sendAsEmail": own.address, "signature": own.signature, "isPrimary": True}
    return {"sendAs": [other, {**mine, "isDefault": True}]}


_READING = frozenset((READ, MODIFY))
_ANY = _READING | {COMPOSE}
ROUTES = (
    ("GET", "/profile", _ANY, profile),
    ("GET", "/messages", _READING, list_messages),
    ("GET", "/messages/([^/]+)", _READING, get_message),
    ("GET", "/history", _READING, list_history),
    ("GET", "/labels", _READING, list_labels),
    ("POST", "/labels", frozenset((MODIFY,)), create_label),
    ("POST", "/messages/send", frozenset((SEND, MODIFY, COMPOSE)), send),
    ("POST", "/messages/([^/]+)/modify", frozenset((MODIFY,)), modify),
    ("POST", "/drafts", frozenset((MODIFY, COMPOSE)), create_draft),
    ("GET", "/drafts", _ANY, list_drafts),
    ("DELETE", "/drafts/([^/]+)", frozenset((MODIFY, COMPOSE)), delete_draft),
    ("GET", "/settings/sendAs", _READING | {BASIC}, send_as),
)
