"""A Gmail account as its API tells of it: messages, labels, drafts and history."""

import base64
import email
import email.policy
import secrets
import threading
from dataclasses import dataclass, field
from typing import Any

SYSTEM = (
    *("INBOX", "SENT", "DRAFT", "TRASH", "SPAM", "UNREAD", "STARRED", "IMPORTANT", "CHAT"),
    *(f"CATEGORY_{one}" for one in ("PERSONAL", "SOCIAL", "PROMOTIONS", "UPDATES", "FORUMS")),
)
FIXED = ("SENT", "DRAFT", "CHAT")  # nobody can put these on or take these off


class Refused(Exception):
    """An error as Google answers it."""

    def __init__(self, status: int, reason: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.headers = headers or {}
        self.body = {
            "error": {
                "code": status,
                "message": f"In words of Google's own: {reason}",
                "errors": [{"domain": "global", "reason": reason, "message": "More words."}],
            }
        }


@dataclass
class Stored:
    id: str
    thread: str
    raw: bytes
    labels: set[str]
    date: int  # milliseconds
    history: int

    @property
    def headers(self):
        return email.message_from_bytes(self.raw, policy=email.policy.default)

    @property
    def message_id(self) -> str:
        return str(self.headers["Message-ID"]).strip("<> ")


@dataclass
class Account:
    """Everything that the account has."""

    address: str = "me@gmail.example"
    messages: dict[str, Stored] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)  # the user's own: id and name
    drafts: dict[str, str] = field(default_factory=dict)  # id, and the message that it is
    records: list[dict[str, Any]] = field(default_factory=list)
    forgotten: int = 0  # history up to here is not kept any more
    outbox: list[tuple[bytes, list[str]]] = field(default_factory=list)
    signature: str = ""
    padded: bool = True
    clock: int = 1_700_000_000_000
    history: int = 1000
    lock: threading.RLock = field(default_factory=threading.RLock)

    def add(self, raw: bytes, labels: set[str], *, thread: str | None = None) -> Stored:
        """A message comes in."""
        with self.lock:
            id = secrets.token_hex(8)
            self.clock += 60_000
            made = Stored(id, thread or id, raw, set(labels), self.clock, self.history + 1)
            self.messages[id] = made
            self._record("messagesAdded", made)
            return made

    def remove(self, id: str) -> None:
        """A message goes for good."""
        with self.lock:
            gone = self.messages.pop(id)
            self.drafts = {draft: one for draft, one in self.drafts.items() if one != id}
            self._record("messagesDeleted", gone)

    def relabel(self, id: str, add: list[str], remove: list[str]) -> Stored:
        """Labels are put on and taken off."""
        with self.lock:
            one = self.messages.get(id)
            if one is None:
                raise Refused(404, "notFound")
            known = {*SYSTEM, *self.labels}
            if {*add, *remove} - known or {*add} & {*remove} or {*add, *remove} & {*FIXED}:
                raise Refused(400, "invalidArgument")
            more, less = {*add} - one.labels, {*remove} & one.labels
            one.labels = (one.labels | more) - less
            if more:
                self._record("labelsAdded", one, sorted(more))
            if less:
                self._record("labelsRemoved", one, sorted(less))
            return one

    def make_label(self, name: str) -> dict[str, str]:
        """A label of the user's own."""
        with self.lock:
            if not name or name.upper() in SYSTEM:
                raise Refused(400, "invalidArgument")
            if name.casefold() in {one.casefold() for one in self.labels.values()}:
                raise Refused(409, "aborted")
            id = f"Label_{len(self.labels) + 1}"
            self.labels[id] = name
            return {"id": id, "name": name, "type": "user"}

    def since(self, start: str, kinds: list[str]) -> list[dict[str, Any]]:
        """The records behind a point of history."""
        if not start.isdecimal():
            raise Refused(400, "invalidArgument")
        if int(start) <= self.forgotten:
            raise Refused(404, "notFound")
        names = {
            "messageAdded": "messagesAdded",
            "messageDeleted": "messagesDeleted",
            "labelAdded": "labelsAdded",
            "labelRemoved": "labelsRemoved",
        }
        if set(kinds) - names.keys():
            raise Refused(400, "invalidArgument")
        wanted = {names[kind] for kind in kinds} or set(names.values())
        return [one for one in self.records if int(one["id"]) > int(start) and wanted & one.keys()]

    def of(self, message_id: str) -> Stored:
        """The message with this Message-ID."""
        return next(one for one in self.messages.values() if one.message_id == message_id)

    def encoded(self, raw: bytes) -> str:
        text = base64.urlsafe_b64encode(raw).decode()
        return text if self.padded else text.rstrip("=")

    def _record(self, kind: str, one: Stored, labels: list[str] | None = None) -> None:
        self.history += 1
        one.history = self.history
        told: dict[str, Any] = {"message": {"id": one.id, "threadId": one.thread}}
        if labels is not None:
            told["labelIds"] = labels
        self.records.append({"id": str(self.history), kind: [told]})
