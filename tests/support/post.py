"""A connector that does what a test tells it: what it took is in a folder, whoever is killed.

The folder is the account's setting. A file `block` there holds a hand-over before anything is
taken, `linger` after it was; `fail` says how the next ones fail; `answer` says what a search of
Sent gives instead of the truth.
"""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from bailiwick import features
from bailiwick.connectors.connector import AccountAccess, Connector, Permission
from bailiwick.connectors.errors import ConnectorFailed, SubmissionFailed
from bailiwick.connectors.mail import (
    Cursor,
    FoundMessage,
    Identity,
    MailFlag,
    MailPage,
    OutgoingMessage,
    SubmittedMessage,
)
from bailiwick.feature import Feature

NAME = "scripted"
_ENTRY = EntryPoint(NAME, "support.post:plugin", features.GROUP)
_FORM = {
    "type": "object",
    "properties": {
        "folder": {"type": "string", "title": "Folder"},
        "address": {"type": "string", "title": "Address"},
    },
    "required": ["folder", "address"],
    "additionalProperties": False,
}


@dataclass
class Post:
    """What the other side of the connector saw, and how it behaves."""

    folder: Path

    def __post_init__(self) -> None:
        for name in ("sent", "begun", "done"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    @property
    def sent(self) -> list[EmailMessage]:
        """What was taken, as often as it was."""
        return [self._read(path) for path in sorted((self.folder / "sent").iterdir())]

    @property
    def begun(self) -> int:
        return len(list((self.folder / "begun").iterdir()))

    @property
    def done(self) -> list[dict[str, Any]]:
        """What else was asked of it."""
        return [json.loads(path.read_text()) for path in sorted((self.folder / "done").iterdir())]

    def say(self, name: str, value: Any = True) -> None:
        """Set how it behaves."""
        self._put(self.folder / name, json.dumps(value).encode())

    def hush(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)

    def told(self, name: str) -> Any:
        try:
            return json.loads((self.folder / name).read_text())
        except FileNotFoundError:
            return None

    def note(self, kind: str, value: Any) -> None:
        # In the order of time: that of the files is too coarse for it.
        path = self.folder / kind / f"{time.monotonic_ns():020}-{secrets.token_hex(4)}"
        self._put(path, value if isinstance(value, bytes) else json.dumps(value).encode())

    def _put(self, path: Path, content: bytes) -> None:
        """At once: another process may be reading."""
        new = self.folder / f".new-{secrets.token_hex(4)}"
        new.write_bytes(content)
        new.replace(path)

    def _read(self, path: Path) -> EmailMessage:
        return message_from_bytes(path.read_bytes(), policy=policy.default)  # pyright: ignore[reportReturnType]


class PostMailbox:
    """One account of it."""

    def __init__(self, access: AccountAccess) -> None:
        self._address = access.settings["address"]
        self._post = Post(Path(access.settings["folder"]))

    async def probe(self) -> Identity:
        return Identity(self._address, "Olive Owner")

    async def changes(self, cursor: Cursor | None) -> AsyncIterator[MailPage]:
        yield MailPage(cursor={"n": 1})

    async def wait(self, seconds: float) -> bool:
        return False

    async def submit(self, message: OutgoingMessage) -> SubmittedMessage:
        self._post.note("begun", {"id": message.message_id, "to": message.recipients})
        await self._while("block")
        fails = self._post.told("fail") or []
        if fails:
            self._post.say("fail", fails[1:])
            raise SubmissionFailed(**fails[0])
        self._post.note("sent", message.raw)
        await self._while("linger")
        if self._post.told("lost"):
            raise ConnectorFailed("network", "The scripted server hung up.")
        return SubmittedMessage(remote_id="1", note=self._post.told("note"))

    async def find_sent(self, message_id: str) -> FoundMessage:
        self._post.note("done", {"asked": message_id})
        answer = self._post.told("answer")
        if answer == "away":
            raise ConnectorFailed("network", "The scripted server is away.")
        if answer == "broken":
            raise KeyError("canary")
        if answer:
            return FoundMessage(answer)
        ids = [str(message["Message-ID"]).strip("<>") for message in self._post.sent]
        return FoundMessage("yes" if message_id in ids else "no")

    async def save_draft(self, raw: bytes, *, thread: str | None = None) -> str:
        self._act("save_draft", raw=raw.decode(), thread=thread)
        return "draft-1"

    async def remove_draft(self, remote_id: str) -> None:
        self._act("remove_draft", remote_id=remote_id)

    async def relabel(
        self, remote_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> None:
        self._act("relabel", remote_id=remote_id, add=list(add), remove=list(remove))

    async def move(self, remote_id: str, *, to: str, out_of: str | None = None) -> str:
        self._act("move", remote_id=remote_id, to=to, out_of=out_of)
        return f"{remote_id}@{to}"

    async def set_flags(
        self, remote_id: str, *, add: Sequence[MailFlag] = (), remove: Sequence[MailFlag] = ()
    ) -> None:
        self._act("set_flags", remote_id=remote_id, add=list(add), remove=list(remove))

    async def signature(self) -> str | None:
        return None

    async def close(self) -> None:
        if self._post.told("break on close"):
            raise ConnectorFailed("network", "The scripted server broke off.")

    def _act(self, verb: str, **facts: Any) -> None:
        if self._post.told("refuse"):
            raise ConnectorFailed("network", "imap.provider.example says no.")
        self._post.note("done", {"verb": verb, **facts})

    async def _while(self, name: str) -> None:
        while self._post.told(name):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


plugin = Feature(
    name=NAME,
    connectors=[
        Connector(
            name=NAME,
            title="Scripted Provider",
            summary="For tests.",
            settings=_FORM,
            permissions=tuple(
                Permission(name, title, title)
                for name, title in (
                    ("read", "Read mail"),
                    ("send", "Send mail"),
                    ("organise", "File mail"),
                    ("drafts", "Write drafts"),
                )
            ),
            open_mail=PostMailbox,
        )
    ],
)


@contextmanager
def installed() -> Iterator[None]:
    """The connector is installed beside the built-in ones while the block runs."""
    real = features.entry_points
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features, "entry_points", lambda *, group: [*real(group=group), _ENTRY])
        yield


def bailiwick_with_post(*arguments: str) -> None:
    """The `bailiwick` command of an installation that has it."""
    from support.processes import bailiwick

    with installed():
        bailiwick(*arguments)
