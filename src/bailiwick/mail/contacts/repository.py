"""All SQL of contacts."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, func, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import Reader
from bailiwick.errors import NotFound
from bailiwick.kit.db import UtcDateTime
from bailiwick.kit.db.chunks import chunks
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.mail.models import Contact
from bailiwick.workspaces.access import AccessibleWorkspaceID

# One statement: two accounts of a workspace may be fetched at once.
_LEARN = text("""
    INSERT INTO contacts
      (id, workspace_id, owner_id, address, name, listed, sent_count, last_sent_at, sent_days,
       created_at)
    VALUES (:id, :workspace_id, :owner_id, :address, :name, :listed, :count, :at, '[]', :now)
    ON CONFLICT (workspace_id, owner_id, address) DO UPDATE SET
      sent_count = contacts.sent_count + excluded.sent_count,
      name = CASE WHEN contacts.name = '' THEN excluded.name ELSE contacts.name END,
      last_sent_at = CASE
        WHEN contacts.last_sent_at > excluded.last_sent_at THEN contacts.last_sent_at
        ELSE excluded.last_sent_at END
""").bindparams(bindparam("at", type_=UtcDateTime), bindparam("now", type_=UtcDateTime))


async def page(
    session: AsyncSession,
    reader: Reader,
    workspace_id: AccessibleWorkspaceID,
    page: PageRequest,
    *,
    q: str,
) -> Rows[Contact]:
    """Whom someone knows in a workspace, the newest first."""
    statement: Select[Contact] = select(Contact).where(
        Contact.workspace_id == workspace_id, reader.owns(Contact.owner_id)
    )
    for word in q.split():
        statement = statement.where(
            or_(
                Contact.name.icontains(word, autoescape=True),
                Contact.address.icontains(word, autoescape=True),
            )
        )
    return await paginate(session, statement, page, by=(Contact.created_at, Contact.id))


async def get(
    session: AsyncSession, reader: Reader, workspace_id: AccessibleWorkspaceID, id: str
) -> Contact:
    """Someone's contact, for a change, or `NotFound`."""
    statement = select(Contact).where(
        Contact.id == id, Contact.workspace_id == workspace_id, reader.owns(Contact.owner_id)
    )
    contact = (await session.scalars(statement.with_for_update())).one_or_none()
    if contact is None:
        raise NotFound("That contact does not exist, or was removed.")
    return contact


async def by_address(
    session: AsyncSession, workspace_id: str, owner_id: str, addresses: Collection[str]
) -> dict[str, Contact]:
    """Someone's contacts with these addresses, for a change."""
    found: dict[str, Contact] = {}
    for some in chunks(sorted(addresses)):
        statement = select(Contact).where(
            Contact.workspace_id == workspace_id,
            Contact.owner_id == owner_id,
            Contact.address.in_(some),
        )
        statement = statement.order_by(Contact.address).with_for_update()
        found |= {contact.address: contact for contact in await session.scalars(statement)}
    return found


async def own(
    session: AsyncSession, workspace_id: str, owner_id: str, addresses: Collection[str]
) -> set[str]:
    """Those of the addresses, in lower case, that are someone's own."""
    found: set[str] = set()
    for some in chunks(sorted(addresses)):
        address = func.lower(Account.address)
        statement = select(address).where(
            Account.workspace_id == workspace_id, Account.owner_id == owner_id, address.in_(some)
        )
        found |= set(await session.scalars(statement))
    return found


async def met(
    session: AsyncSession, workspace_id: str, owner_id: str, addresses: Collection[str]
) -> list[tuple[str, bool, Sequence[str]]]:
    """Of the addresses, in lower case, those of contacts: listed or not, and written to when."""
    found: list[tuple[str, bool, Sequence[str]]] = []
    for some in chunks(sorted(addresses)):
        statement = select(Contact.address, Contact.listed, Contact.sent_days).where(
            Contact.workspace_id == workspace_id,
            Contact.owner_id == owner_id,
            Contact.address.in_(some),
        )
        found += [(row[0], row[1], row[2]) for row in await session.execute(statement)]
    return found


async def count(session: AsyncSession, workspace_id: str, owner_id: str) -> int:
    """How many contacts someone has in a workspace."""
    statement = select(func.count(Contact.id)).where(
        Contact.workspace_id == workspace_id, Contact.owner_id == owner_id
    )
    return await session.scalar(statement) or 0


async def learn(session: AsyncSession, rows: Sequence[dict[str, Any]]) -> None:
    """Add new contacts, and count one more mail for the others."""
    # Sorted, so that two transactions do not wait for each other.
    await session.execute(_LEARN, sorted(rows, key=lambda row: row["address"]))


def learned(
    id: str,
    workspace_id: str,
    owner_id: str,
    *,
    address: str,
    name: str,
    count: int,
    at: datetime,
    now: datetime,
) -> dict[str, Any]:
    """One row for `learn`."""
    return {
        "id": id,
        "workspace_id": workspace_id,
        "owner_id": owner_id,
        "address": address,
        "name": name,
        "listed": False,
        "count": count,
        "at": at,
        "now": now,
    }
