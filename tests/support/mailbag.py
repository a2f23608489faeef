"""An office with accounts whose mail a test gives in pages of its own."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

import httpx
from sqlalchemy import select

from bailiwick.accounts.models import Account
from bailiwick.connectors.mail import ArrivedMessage, MailPage, RemoteFolder
from bailiwick.kit import clock, ids
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.intake import Intake, TakenPage
from bailiwick.mail.models import MailMessage
from support.office import API, Office, user_id

FOLDERS = (
    RemoteFolder("INBOX", "Inbox", role="inbox"),
    RemoteFolder("Sent", "Sent Items", role="sent"),
    RemoteFolder("Drafts", "Drafts", role="drafts"),
    RemoteFolder("Archive", "Archive", role="archive"),
    RemoteFolder("Junk", "Junk", role="junk"),
    RemoteFolder("Trash", "Bin", role="trash"),
    RemoteFolder("Clients", "Clients"),
)
START = datetime(2026, 3, 31, 8, tzinfo=UTC)


def letter(
    subject: str = "Hello",
    text: str = "Some words.",
    *,
    sender: str = "Ann Client <ann@client.example>",
    to: str = "me@office.example",
    files: Iterable[tuple[str, str, bytes]] = (),
    html: str | None = None,
    **headers: str,
) -> bytes:
    """A mail as it comes in; files are names, types and contents."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, to, subject
    made["Date"] = format_datetime(START)
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    if html is not None:
        made.add_alternative(html, subtype="html")
    for name, kind, content in files:
        main, _, sub = kind.partition("/")
        made.add_attachment(content, maintype=main, subtype=sub, filename=name)
    return made.as_bytes()


@dataclass
class Mailbag:
    """Where mail comes from."""

    office: Office
    workspace_id: str
    intake: Intake
    count: int = 0
    cursors: dict[str, int] = field(default_factory=dict[str, int])

    async def account(self, label: str = "Work", **more: Any) -> str:
        """A connected account."""
        now = clock.now()
        values = {
            "id": ids.new("acc"),
            "workspace_id": self.workspace_id,
            "connector": "scripted",
            "label": label,
            "address": "me@office.example",
            "display_name": "Me",
            "is_primary": False,
            "enabled": True,
            "categories": ["mail"],
            "permissions": ["read"],
            "settings": {},
            "private_network": False,
            "signature_source": "none",
            "owner_id": await user_id(await self.office.owner()),
            "created_at": now,
            "updated_at": now,
            **more,
        }
        async with self.office.product.storage.app.write() as session:
            session.add(Account(**values))
        return values["id"]

    def arrived(self, raw: bytes, *folders: str, **more: Any) -> ArrivedMessage:
        """A message of its own, a minute after the one before."""
        self.count += 1
        given: dict[str, Any] = {
            "remote_id": f"r{self.count}",
            "folders": folders or ("INBOX",),
            "flags": frozenset(),
            "received_at": START + timedelta(minutes=self.count),
            "raw": raw,
        }
        return ArrivedMessage(**{**given, **more})

    async def take(self, account_id: str, *arrived: ArrivedMessage, **more: Any) -> TakenPage:
        """Take in a page."""
        self.cursors[account_id] = self.cursors.get(account_id, 0) + 1
        given: dict[str, Any] = {"folders": FOLDERS, "cursor": {"n": self.cursors[account_id]}}
        page = MailPage(**{**given, "arrived": arrived, **more})
        return await self.intake.take_in(account_id, page)

    async def got(self, account_id: str, raw: bytes, *folders: str, **more: Any) -> str:
        """One mail comes in; its id."""
        (id,) = (await self.take(account_id, self.arrived(raw, *folders, **more))).new
        return id

    async def row(self, id: str) -> MailMessage:
        async with self.office.product.storage.app.read() as session:
            return (await session.scalars(select(MailMessage).where(MailMessage.id == id))).one()

    async def rows(self) -> list[MailMessage]:
        async with self.office.product.storage.app.read() as session:
            return list(await session.scalars(select(MailMessage).order_by(MailMessage.number)))

    async def get(self, path: str, *, by: httpx.AsyncClient | None = None, **more: Any) -> Any:
        """What the API says to the owner, or to someone else."""
        answer = await (by or await self.office.owner()).get(f"{API}{path}", params=more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def found(self, q: str, **more: Any) -> list[str]:
        """The subjects of what a query finds."""
        given = {"workspaceId": self.workspace_id, "q": q, **more}
        return [hit["subject"] for hit in (await self.get("/mail/search", **given))["items"]]

    async def listed(self, **more: Any) -> list[str]:
        """The subjects of a list."""
        given = {"workspaceId": self.workspace_id, **more}
        return [line["subject"] for line in (await self.get("/mail", **given))["items"]]


async def mailbag_in(office: Office) -> Mailbag:
    """The mailbag of an office."""
    owner = await office.owner()
    spaces = (await owner.get(f"{API}/workspaces")).json()["items"]
    runtime = office.product
    return Mailbag(
        office,
        spaces[0]["id"],
        Intake(runtime.storage, runtime.blobs, FilterCache(), runtime.extractor),
    )
