"""A provider that gives what a test wrote down, drops out when told, and tells of news."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from sqlalchemy import func, select

from bailiwick.accounts.models import Account
from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors.connector import AccountAccess, Connector
from bailiwick.connectors.mail import ArrivedMessage, Cursor, Identity, MailPage, RemoteFolder
from bailiwick.connectors.registry import Connectors
from bailiwick.kit import clock, ids
from bailiwick.mail.fetcher.fetch import Fetcher, FetchOutcome
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.intake import Intake
from bailiwick.mail.models import MailMessage, MailSync, Routing
from support.office import API, Office, user_id

INBOX = RemoteFolder("INBOX", "Inbox", role="inbox")


def letter(
    number: int, *, subject: str = "Hello", sender: str = "ann@client.example"
) -> ArrivedMessage:
    """A mail of its own."""
    made = EmailMessage()
    made["From"], made["To"] = f"Ann <{sender}>", "me@example.com"
    made["Subject"], made["Message-ID"] = f"{subject} {number}", f"<{number}@client.example>"
    made.set_content(f"Text of mail {number}.")
    return ArrivedMessage(
        remote_id=f"INBOX/{number}",
        folders=("INBOX",),
        flags=frozenset(),
        received_at=datetime(2026, 3, 31, 12, number % 60, tzinfo=UTC),
        raw=made.as_bytes(),
    )


@dataclass
class Provider:
    """What is at the other side. A page that is an error is raised instead of given."""

    pages: list[MailPage | Exception] = field(default_factory=list)
    asked: list[Cursor | None] = field(default_factory=list)
    opened: int = 0
    # What `wait` says, one by one; after the last it waits for ever.
    news: asyncio.Queue[bool | Exception] = field(default_factory=asyncio.Queue)
    # How many mailboxes are being closed; while `slow` is clear, that takes for ever.
    closing: int = 0
    slow: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.slow.set()

    def add(self, *letters: ArrivedMessage, **more: Any) -> None:
        """A page behind the others."""
        number = len(self.pages) + 1
        cursor = {"page": number}
        self.pages.append(MailPage(cursor=cursor, folders=(INBOX,), arrived=letters, **more))


class Mailbox:
    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        provider.opened += 1

    async def probe(self) -> Identity:
        return Identity("me@example.com")

    async def changes(self, cursor: Cursor | None) -> AsyncIterator[MailPage]:
        self._provider.asked.append(cursor)
        start = cursor["page"] if cursor else 0
        pages = self._provider.pages[start:]
        for page in pages or [MailPage(cursor=cursor or {"page": 0})]:
            if isinstance(page, Exception):
                # The next time it is well again.
                self._provider.pages.remove(page)
                raise page
            yield page

    async def wait(self, seconds: float) -> bool:
        if not seconds:
            return False
        found = await self._provider.news.get()
        if isinstance(found, Exception):
            raise found
        return found

    async def close(self) -> None:
        self._provider.closing += 1
        await self._provider.slow.wait()


@dataclass
class Post:
    """An office with accounts at scripted providers."""

    office: Office
    workspace_id: str
    opener: AccountOpener
    fetcher: Fetcher
    providers: dict[str, Provider]

    async def account(self, label: str = "Mine", **more: Any) -> tuple[str, Provider]:
        """A connected account, and what is at its other side."""
        now = clock.now()
        values = {
            "id": ids.new("acc"),
            "workspace_id": self.workspace_id,
            "connector": "scripted",
            "label": label,
            "address": "me@example.com",
            "display_name": "Me",
            "is_primary": not self.providers,
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
        provider = self.providers[values["id"]] = Provider()
        return values["id"], provider

    async def fetch(self, account_id: str, why: Any = "due") -> FetchOutcome:
        asked = clock.now().isoformat()
        return await self.fetcher.fetch(account_id, why, asked)

    async def sync(self, account_id: str) -> MailSync:
        async with self.office.product.storage.app.read() as session:
            return await session.get_one(MailSync, account_id)

    async def subjects(self, account_id: str) -> list[str]:
        """What is here, in the order of arrival."""
        async with self.office.product.storage.app.read() as session:
            statement = select(MailMessage.subject).where(MailMessage.account_id == account_id)
            return sorted(await session.scalars(statement))

    async def routings(self) -> int:
        async with self.office.product.storage.app.read() as session:
            return await session.scalar(select(func.count()).select_from(Routing)) or 0

    async def status(self, account_id: str) -> dict[str, Any]:
        """What the API says of an account."""
        owner = await self.office.owner()
        found = (await owner.get(f"{API}/fetcher/status")).json()
        return next(each for each in found["accounts"] if each["accountId"] == account_id)

    async def filter(self, field: str, regex: str) -> str:
        """A filter with a director of its own."""
        owner = await self.office.owner()
        agent = {"workspaceId": self.workspace_id, "name": regex, "kind": "director"}
        director = (await owner.post(f"{API}/agents", json=agent)).json()["id"]
        body = {"workspaceId": self.workspace_id, "field": field, "regex": regex}
        made = await owner.post(f"{API}/filters", json=body | {"directorId": director})
        assert made.status_code == 201, made.text
        return made.json()["id"]


async def post_in(office: Office) -> Post:
    """Open it."""
    owner = await office.owner()
    workspace = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    providers: dict[str, Provider] = {}

    def open_mail(access: AccountAccess) -> Any:
        return Mailbox(providers[access.account_id])

    connector = Connector(
        name="scripted", title="Scripted", summary="For tests.", open_mail=open_mail
    )
    runtime = office.product
    opener = AccountOpener(
        runtime.storage, runtime.vault, Connectors([connector]), data=runtime.settings.data
    )
    intake = Intake(runtime.storage, runtime.blobs, FilterCache(), runtime.extractor)
    fetcher = Fetcher(runtime.storage, opener, intake, runtime.changeable)
    return Post(office, workspace, opener, fetcher, providers)
