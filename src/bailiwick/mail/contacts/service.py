"""Verbs of contacts.

Contacts decide what a mail may lead to, so only a person at the keyboard lists one; all others come
from mail that was sent. Addresses are compared letter by letter, in lower case: a part behind a
plus, or dots within, make another address.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.errors import Conflict, Invalid, RuleViolated
from bailiwick.identity.principal import Principal
from bailiwick.instance import changes
from bailiwick.instance.changes import Values
from bailiwick.kit import clock, ids
from bailiwick.mail.contacts import repository
from bailiwick.mail.contacts.vcards import Card
from bailiwick.mail.models import Contact
from bailiwick.mail.parsing import addresses as parsing
from bailiwick.workspaces.access import AccessibleWorkspaceID

MOST = 50_000
# On so many days must the owner have written to someone whom they did not list.
SEVERAL = 3
ContactStanding = Literal["listed", "several", "met"]
_MOST_AT_ONCE = 1_000  # recipients of one mail, or of one page of mails


class ImportedContacts(NamedTuple):
    """What an import did."""

    added: int
    changed: int
    unchanged: int


def key_of(address: str) -> str:
    """The form in which an address is stored and compared; "" if it is not valid."""
    key = parsing.normal(address).lower()
    # A few letters of other alphabets become ASCII in lower case: those are other people.
    return key if key.isascii() == address.isascii() else ""


async def knows(session: AsyncSession, workspace_id: str, owner_id: str, address: str) -> bool:
    """Whether someone listed the address, has it, or wrote to it on several days."""
    found = await standings(session, workspace_id, owner_id, [address])
    return found.get(address) in ("listed", "several")


async def standings(
    session: AsyncSession, workspace_id: str, owner_id: str, addresses: Collection[str]
) -> dict[str, ContactStanding]:
    """How well someone knows the addresses, as they were given; their own as if listed."""
    keys = {address: key for address in addresses if (key := key_of(address))}
    wanted = set(keys.values())
    found: dict[str, ContactStanding] = {
        address: "listed" if listed else "several" if len(days) >= SEVERAL else "met"
        for address, listed, days in await repository.met(session, workspace_id, owner_id, wanted)
    }
    for address in await repository.own(session, workspace_id, owner_id, wanted):
        found[address] = "listed"
    return {address: found[key] for address, key in keys.items() if key in found}


async def learn(
    session: AsyncSession,
    workspace_id: str,
    owner_id: str,
    recipients: Iterable[tuple[str, str, datetime]],
) -> None:
    """Note that the owner has written to these (name, address, when)."""
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    moments: dict[str, list[datetime]] = {}
    for name, address, at in recipients:
        if key := key_of(address):
            counts[key] += 1
            names[key] = names.get(key) or name[:200]
            moments.setdefault(key, []).append(at)
    now = clock.now()
    rows = [
        repository.learned(
            ids.new("ctc"),
            workspace_id,
            owner_id,
            address=key,
            name=names[key],
            count=count,
            at=max(moments[key]),
            now=now,
        )
        for key, count in counts.most_common(_MOST_AT_ONCE)
    ]
    if not rows:
        return
    await repository.learn(session, rows)
    addresses = [row["address"] for row in rows]
    met = await repository.by_address(session, workspace_id, owner_id, addresses)
    for key, contact in met.items():
        if len(contact.sent_days) < SEVERAL:
            days = {at.astimezone(UTC).date().isoformat() for at in moments[key]}
            contact.sent_days = sorted(days.union(contact.sent_days))[:SEVERAL]


async def add(
    session: AsyncSession,
    principal: Principal,
    workspace_id: AccessibleWorkspaceID,
    *,
    address: str,
    name: str,
) -> Contact:
    """List a contact; one that was learned before becomes listed."""
    key = key_of(address)
    if not key:
        raise Invalid.field("address", "this is no e-mail address")
    owner_id = (await reader_of(session, principal)).id
    found = (await repository.by_address(session, workspace_id, owner_id, [key])).get(key)
    if found and found.listed:
        raise Conflict(f"{key} is in the address book already.")
    if found is None:
        await _room(session, workspace_id, owner_id, 1)
    contact = _listed(session, found, workspace_id, owner_id, address=key, name=name)
    await _flush(session)
    _record(session, principal, "contact.added", contact, after=described(contact))
    return contact


async def rename(
    session: AsyncSession,
    principal: Principal,
    workspace_id: AccessibleWorkspaceID,
    id: str,
    *,
    name: str,
) -> Contact:
    """Give a contact another name."""
    contact = await repository.get(session, await reader_of(session, principal), workspace_id, id)
    before = described(contact)
    contact.name = name
    if (after := described(contact)) != before:
        _record(session, principal, "contact.changed", contact, before=before, after=after)
    return contact


async def remove(
    session: AsyncSession, principal: Principal, workspace_id: AccessibleWorkspaceID, id: str
) -> None:
    """Take a contact out: what they write from now on is a stranger's."""
    contact = await repository.get(session, await reader_of(session, principal), workspace_id, id)
    before = described(contact)
    await session.delete(contact)
    _record(session, principal, "contact.removed", contact, before=before)


async def take_in(
    session: AsyncSession,
    principal: Principal,
    workspace_id: AccessibleWorkspaceID,
    *,
    cards: Iterable[Card],
) -> ImportedContacts:
    """List everyone in an address book."""
    names = {card.address: card.name for card in cards}
    owner_id = (await reader_of(session, principal)).id
    found = await repository.by_address(session, workspace_id, owner_id, names)
    await _room(session, workspace_id, owner_id, len(names) - len(found))
    changed = 0
    for address, name in names.items():
        known = found.get(address)
        if known and known.listed and (not name or known.name == name):
            continue
        changed += known is not None
        _listed(session, known, workspace_id, owner_id, address=address, name=name)
    await _flush(session)
    done = ImportedContacts(len(names) - len(found), changed, len(found) - changed)
    if done.added or done.changed:
        changes.record(
            session,
            principal.actor,
            action="contact.imported",
            subject=workspace_id,
            after=done._asdict(),
            workspace=workspace_id,
            owner=owner_id,
        )
    return done


def described(contact: Contact) -> dict[str, Any]:
    """What the change record keeps."""
    return {"address": contact.address, "name": contact.name}


def _record(
    session: AsyncSession,
    principal: Principal,
    action: str,
    contact: Contact,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    changes.record(
        session,
        principal.actor,
        action=action,
        subject=contact.id,
        before=before,
        after=after,
        workspace=contact.workspace_id,
        owner=contact.owner_id,
    )


def _listed(
    session: AsyncSession,
    found: Contact | None,
    workspace_id: str,
    owner_id: str,
    *,
    address: str,
    name: str,
) -> Contact:
    if found:
        found.listed, found.name = True, name or found.name
        return found
    contact = Contact(
        id=ids.new("ctc"),
        workspace_id=workspace_id,
        owner_id=owner_id,
        address=address,
        name=name,
        listed=True,
        sent_count=0,
        sent_days=[],
        created_at=clock.now(),
    )
    session.add(contact)
    return contact


async def _flush(session: AsyncSession) -> None:
    try:
        await session.flush()
    except IntegrityError as error:
        raise Conflict("The address book was changed at the same moment. Try again.") from error


async def _room(session: AsyncSession, workspace_id: str, owner_id: str, wanted: int) -> None:
    if await repository.count(session, workspace_id, owner_id) + wanted > MOST:
        raise RuleViolated(f"There are at most {MOST} contacts. Remove some first.")
