"""An office with mail accounts of the scripted connector, and what they got and sent."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select, update

from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors.mail import ArrivedMessage, MailPage, RemoteFolder
from bailiwick.gate.call import Call, Caller, Outcome, Result
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.filters.service import KnowsDirectors
from bailiwick.mail.intake import Intake
from bailiwick.mail.models import MailMessage, Outgoing
from bailiwick.mail.outbox.sender import Sender
from bailiwick.tools.scope import ALL, Limits
from support.office import API, Office, user_id
from support.post import NAME, Post

FOLDERS = (
    RemoteFolder("INBOX", "Inbox", role="inbox"),
    RemoteFolder("Sent", "Sent", role="sent"),
    RemoteFolder("Archive", "Archive", role="archive"),
    RemoteFolder("Trash", "Trash", role="trash"),
    RemoteFolder("todo", "todo", kind="label"),
)
LONG_AGO = datetime(2026, 3, 1, 8, tzinfo=UTC)


def letter(
    sender: str = "Stan <stan@stranger.example>",
    *,
    to: str = "me@office.example",
    subject: str = "Hello",
    text: str = "How are you?",
    **headers: str,
) -> bytes:
    """A mail as it comes in."""
    made = EmailMessage(policy=SMTP)
    made["From"], made["To"], made["Subject"] = sender, to, subject
    made["Date"] = format_datetime(LONG_AGO)
    made["Message-ID"] = f"<{abs(hash((sender, subject, text)))}@stranger.example>"
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    return made.as_bytes()


@dataclass
class Mailroom:
    """Where the tests sit."""

    office: Office
    owner: httpx.AsyncClient
    owner_id: str
    workspace_id: str
    folder: Path
    posts: dict[str, Post] = field(default_factory=dict[str, Post])
    count: int = 0

    @property
    def post(self) -> Post:
        """The other side of the first account."""
        return next(iter(self.posts.values()))

    async def connect(
        self, label: str = "Work", address: str = "me@office.example", **more: Any
    ) -> str:
        """Connect an account; the first is the primary one."""
        self.posts[label] = Post(self.folder / label)
        body = {
            "workspaceId": self.workspace_id,
            "connector": NAME,
            "label": label,
            "settings": {"folder": str(self.folder / label), "address": address},
            **more,
        }
        made = await self.owner.post(f"{API}/accounts", json=body)
        assert made.status_code == 201, made.text
        return made.json()["id"]

    async def got(
        self,
        account_id: str,
        raw: bytes,
        *,
        folder: str = "INBOX",
        cycle_id: str = "",
        **more: Any,
    ) -> str:
        """A mail comes in; its id."""
        self.count += 1
        arrived = ArrivedMessage(
            remote_id=f"r{self.count}",
            folders=(folder,),
            flags=more.pop("flags", frozenset()),
            received_at=LONG_AGO + timedelta(minutes=self.count),
            raw=raw,
            **more,
        )
        runtime = self.office.product
        page = MailPage(cursor={"n": self.count}, folders=FOLDERS, arrived=(arrived,))
        (directors,) = runtime.facts(KnowsDirectors)
        intake = Intake(
            runtime.storage,
            runtime.blobs,
            FilterCache(),
            runtime.extractor,
            taking=directors.taking,
        )
        taken = await intake.take_in(account_id, page, cycle_id=cycle_id)
        assert taken.new, "it was known"
        return taken.new[0]

    async def use(self, tool: str, /, **arguments: Any) -> httpx.Response:
        """The owner calls a tool under their own name, by REST."""
        path = f"{API}/workspaces/{self.workspace_id}/tools/{tool}"
        return await self.owner.post(path, json={"arguments": arguments})

    async def done(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The same, and it works."""
        answer = await self.use(tool, **arguments)
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] == "done", answer.json()
        return answer.json()["result"]

    async def send(self, **more: Any) -> dict[str, Any]:
        """A plain mail, put into the outbox."""
        given = {"to": ["ada@example.org"], "subject": "Hi", "body": "Good morning."}
        return await self.done("send_email", **{**given, **more})

    def agent(self, id: str = "agt-tester", **changes: Any) -> Caller:
        """An agent that may do everything, unless told otherwise."""
        given: dict[str, Any] = {
            "kind": "agent",
            "id": id,
            "name": "Tester",
            "workspace_id": self.workspace_id,
            "user_id": self.owner_id,
            "roles": ("admin", "workspace:admin"),
            "scope": ALL,
            "limits": Limits(requests_per_hour=None),
            "agent_kind": "assistant",
        }
        return Caller(**{**given, **changes})

    async def call(self, caller: Caller, tool: str, /, **arguments: Any) -> Outcome:
        """What an agent asks of the gate; what it reads is remembered."""
        call = Call(caller, tool, arguments, context_id=f"{caller.kind}:{caller.id}")
        return await self.office.gate.call(call)

    async def told(self, caller: Caller, tool: str, /, **arguments: Any) -> Any:
        outcome = await self.call(caller, tool, **arguments)
        assert isinstance(outcome, Result), outcome
        return outcome.data

    @property
    def sender(self) -> Sender:
        """What the job does, without the engine that begins it; each is a process of its own."""
        runtime = self.office.product
        return Sender(runtime.storage, runtime.blobs, self.office.product[AccountOpener], None)  # pyright: ignore[reportArgumentType]

    async def go(self, id: str) -> Outgoing:
        """Let the job that is due have a message."""
        await self.sender.attend(id, (await self.row(id)).turn)
        return await self.row(id)

    async def row(self, id: str) -> Outgoing:
        async with self.office.product.storage.app.read() as session:
            return (await session.scalars(select(Outgoing).where(Outgoing.id == id))).one()

    async def rows(self) -> list[Outgoing]:
        async with self.office.product.storage.app.read() as session:
            return list(await session.scalars(select(Outgoing).order_by(Outgoing.created_at)))

    async def age(self, id: str, by: timedelta) -> None:
        """As if it had been handed over earlier."""
        row = await self.row(id)
        assert row.handed_over_at
        async with self.office.product.storage.app.write() as session:
            earlier = row.handed_over_at - by
            await session.execute(
                update(Outgoing).where(Outgoing.id == id).values(handed_over_at=earlier)
            )

    async def rows_of_mail(self) -> list[str]:
        """The real ids of all mails."""
        async with self.office.product.storage.app.read() as session:
            return list(await session.scalars(select(MailMessage.id).order_by(MailMessage.number)))

    async def message(self, id: str) -> MailMessage:
        async with self.office.product.storage.app.read() as session:
            return (await session.scalars(select(MailMessage).where(MailMessage.id == id))).one()


async def mailroom_in(office: Office, folder: Path) -> Mailroom:
    """The mail room of an office."""
    owner = await office.owner()
    spaces = (await owner.get(f"{API}/workspaces")).json()["items"]
    return Mailroom(office, owner, await user_id(owner), spaces[0]["id"], folder)
