"""Where messages are: placements, and what follows from them for the messages; with their SQL."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, and_, bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.connectors.mail import MailFlag
from bailiwick.kit.db.chunks import chunks
from bailiwick.mail import folder_roles
from bailiwick.mail.intake.folders import Folders
from bailiwick.mail.models import MailFolder, MailMessage, Placement

FLAGS: tuple[MailFlag, ...] = ("seen", "flagged", "answered", "draft")


@dataclass(frozen=True, slots=True)
class MovedMessages:
    """A known message that is elsewhere now."""

    number: int
    before: int
    places: int


async def put(
    session: AsyncSession,
    account_id: str,
    folders: Folders,
    where: Mapping[str, tuple[int | None, Sequence[str]]],
) -> set[int]:
    """Let each remote id be in these folders and no others; the messages that this touches.

    A remote id comes with the number of its message, or None for the one that it has already.
    """
    now = await _placements(session, account_id, list(where))
    unwanted: list[dict[str, Any]] = []
    missing: list[dict[str, Any]] = []
    touched: set[int] = set()
    for remote_id, (given, remotes) in where.items():
        there = now.get(remote_id, {})
        number = given if given is not None else next(iter(there.values()), None)
        if number is None:
            continue  # of a message that never came: it will
        wanted = {folders.by_remote[remote].id for remote in remotes}
        for folder_id, held in there.items():
            if folder_id not in wanted or held != number:
                unwanted.append({"in_folder": folder_id, "under": remote_id})
                touched.add(held)
        for folder_id in wanted:
            if there.get(folder_id) != number:
                row = {"folder_id": folder_id, "remote_id": remote_id, "number": number}
                missing.append({**row, "account_id": account_id})
                touched.add(number)
    if unwanted:
        await session.execute(_REMOVE, unwanted)
    if missing:
        await session.execute(insert(_PLACEMENTS), missing)
    return touched


async def take_away(
    session: AsyncSession, account_id: str, remote_ids: Collection[str]
) -> set[int]:
    """These are at the provider no more; the messages that were."""
    touched: set[int] = set()
    for some in chunks(remote_ids):
        here = and_(Placement.account_id == account_id, Placement.remote_id.in_(some))
        touched.update(await session.scalars(select(Placement.number).where(here)))
        await session.execute(delete(Placement).where(here))
    return touched


async def others(session: AsyncSession, account_id: str, complete: Collection[str]) -> set[str]:
    """The remote ids that are known of an account, but for these."""
    statement = select(Placement.remote_id).where(Placement.account_id == account_id).distinct()
    return set(await session.scalars(statement)).difference(complete)


async def settle(
    session: AsyncSession, touched: Collection[int], *, now: datetime
) -> list[MovedMessages]:
    """Note at each message where it is now; one that is nowhere is gone, one that is back is not.

    Those that are in another kind of folder than before, or in none.
    """
    moved: list[MovedMessages] = []
    for some in chunks(touched):
        statement = select(MailMessage.number, MailMessage.places).where(
            MailMessage.number.in_(some)
        )
        before = {row.number: row.places for row in await session.execute(statement)}
        after = dict.fromkeys(before, 0)
        roles = (
            select(Placement.number, MailFolder.role)
            .join(MailFolder)
            .where(Placement.number.in_(some))
        )
        for number, role in await session.execute(roles):
            after[number] |= folder_roles.bit(role)
        moved += [
            MovedMessages(number, before[number], after[number])
            for number in before
            if before[number] != after[number]
        ]
    if moved:
        await session.execute(_SET, [_moved(one, now) for one in moved])
    return moved


async def set_flags(session: AsyncSession, flags_of: Mapping[int, frozenset[MailFlag]]) -> int:
    """Let messages have these flags; how many had others."""
    changed: list[dict[str, Any]] = []
    columns = [getattr(MailMessage, flag) for flag in FLAGS]
    for some in chunks(flags_of):
        statement = select(MailMessage.number, *columns).where(MailMessage.number.in_(some))
        for number, *held in await session.execute(statement):
            # Not every provider knows what was answered from here: what once was stays so.
            flags = [
                flag in flags_of[number] or (flag == "answered" and was)
                for flag, was in zip(FLAGS, held, strict=True)
            ]
            if flags != held:
                changed.append({"of": number, **dict(zip(FLAGS, flags, strict=True))})
    if changed:
        await session.execute(_SET, changed)
    return len(changed)


async def numbers_of(
    session: AsyncSession, account_id: str, remote_ids: Collection[str]
) -> dict[str, int]:
    """The messages that are known under these ids."""
    found = await _placements(session, account_id, list(remote_ids))
    return {remote_id: next(iter(there.values())) for remote_id, there in found.items()}


async def _placements(
    session: AsyncSession, account_id: str, remote_ids: Sequence[str]
) -> dict[str, dict[str, int]]:
    """By remote id: the folders that hold it, and the message in each."""
    found: dict[str, dict[str, int]] = {}
    for some in chunks(remote_ids):
        statement = select(Placement.remote_id, Placement.folder_id, Placement.number).where(
            Placement.account_id == account_id, Placement.remote_id.in_(some)
        )
        for remote_id, folder_id, number in await session.execute(statement):
            found.setdefault(remote_id, {})[folder_id] = number
    return found


def _moved(one: MovedMessages, now: datetime) -> dict[str, Any]:
    return {"of": one.number, "places": one.places, "gone_at": None if one.places else now}


_PLACEMENTS: Table = Placement.__table__  # pyright: ignore[reportAssignmentType]
_MESSAGES: Table = MailMessage.__table__  # pyright: ignore[reportAssignmentType]
_REMOVE = delete(_PLACEMENTS).where(
    _PLACEMENTS.c.folder_id == bindparam("in_folder"), _PLACEMENTS.c.remote_id == bindparam("under")
)
# What is set comes with the rows.
_SET = update(_MESSAGES).where(_MESSAGES.c.number == bindparam("of"))
