"""The pages of a Maildir since a cursor.

The first sync gives messages in the order of their ids; its cursor is the last id and a sum over
the messages given, which is small however large the mailbox is. If the sum differs after a crash,
the messages given have changed meanwhile: everything is given again, with the list of all ids.
Later cursors are snapshots.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from bailiwick.connectors.local.maildir import Maildir, MaildirContent, described
from bailiwick.connectors.local.snapshot import MessageSnapshot, Snapshot, mark, restored, taken
from bailiwick.connectors.mail import ArrivedMessage, ChangedMessage, Cursor, MailPage

# The first pages are small, so that the first mail shows soon; later ones are larger and faster.
_LEAST, _MOST = 50, 200
_BYTES = 8 * 1024 * 1024
_SUM = 2**64
# A snapshot is large, so it is stored only after this many pages.
_PAGES_BETWEEN = 20


@dataclass(slots=True)
class _ReadMaildir:
    arrived: list[ArrivedMessage]
    lost: list[str]  # gone since they were listed
    rest: Sequence[str]


async def changes(maildir: Maildir, cursor: Cursor | None) -> AsyncIterator[MailPage]:
    """What happened since the cursor."""
    begun = cursor is not None and "snapshot" in cursor
    before = await asyncio.to_thread(restored, cursor["snapshot"]) if cursor and begun else None
    now = await asyncio.to_thread(taken, maildir, before)
    folders = described({remote: one.table for remote, one in now.folders.items()})
    if cursor and before:
        pages = _later(maildir, cursor, before=before, now=now)
    else:
        pages = _first(maildir, cursor if cursor and "first" in cursor else None, now=now)
    async for page in pages:
        yield replace(page, folders=folders)
        folders = None


async def _first(
    maildir: Maildir, cursor: Cursor | None, *, now: Snapshot
) -> AsyncIterator[MailPage]:
    states = await asyncio.to_thread(now.states)
    done, total, again = _progress(cursor, states)
    wanted = [id for id in sorted(states) if done is None or id > done]
    async for read in _reading(maildir, now, wanted, states):
        for id in read.lost:
            del states[id]
        total += sum(mark(one.remote_id, states[one.remote_id]) for one in read.arrived)
        if read.rest:
            done = read.arrived[-1].remote_id
            at: Cursor = {"first": {"done": done, "sum": str(total % _SUM), "again": again}}
        else:
            at = {"snapshot": await asyncio.to_thread(now.only(states).cursor)}
        yield MailPage(
            cursor=at,
            arrived=tuple(read.arrived),
            complete=frozenset(states) if again and not read.rest else None,
            left=len(read.rest),
        )


def _progress(
    cursor: Cursor | None, states: Mapping[str, MessageSnapshot]
) -> tuple[str | None, int, bool]:
    """The last id given, the sum up to it, and whether everything is given again."""
    if cursor is None:
        return None, 0, False
    first = cursor["first"]
    done, total = str(first["done"]), int(first["sum"])
    now = sum(mark(id, state) for id, state in states.items() if id <= done) % _SUM
    return (done, total, bool(first["again"])) if now == total else (None, 0, True)


async def _later(
    maildir: Maildir, cursor: Cursor, *, before: Snapshot, now: Snapshot
) -> AsyncIterator[MailPage]:
    if now.folders == before.folders:
        yield MailPage(cursor=cursor, left=0)
        return
    old, new = await asyncio.to_thread(lambda: (before.states(), now.states()))
    changed = tuple(
        ChangedMessage(id, folders=state.folders, flags=state.flags)
        for id, state in new.items()
        if id in old and state != old[id]
    )
    gone = tuple(id for id in old if id not in new)
    wanted = sorted(id for id in new if id not in old)
    given: dict[str, object] = {id: None for id in new if id in old}
    pages = 0
    async for read in _reading(maildir, now, wanted, new):
        given |= {one.remote_id: None for one in read.arrived}
        if not read.rest or pages % _PAGES_BETWEEN == 0:
            cursor = {"snapshot": await asyncio.to_thread(now.only(given).cursor)}
        yield MailPage(
            cursor=cursor,
            changed=changed,
            gone=gone,
            arrived=tuple(read.arrived),
            left=len(read.rest),
        )
        changed, gone, pages = (), (), pages + 1


async def _reading(
    maildir: Maildir, now: Snapshot, wanted: Sequence[str], states: dict[str, MessageSnapshot]
) -> AsyncIterator[_ReadMaildir]:
    """The messages in portions, at least one, so that there is a last one."""
    rest = wanted
    while True:
        most = min(max(_LEAST, len(wanted) - len(rest)), _MOST)
        read = await asyncio.to_thread(_portion, maildir, now, rest[:most], states)
        read.rest = [*read.rest, *rest[most:]]
        yield read
        if not read.rest:
            return
        rest = read.rest


def _portion(
    maildir: Maildir, now: Snapshot, wanted: Sequence[str], states: dict[str, MessageSnapshot]
) -> _ReadMaildir:
    arrived: list[ArrivedMessage] = []
    lost: list[str] = []
    size = used = 0
    for id in wanted:
        if size >= _BYTES:
            break
        used += 1
        content = _content(maildir, id, now.paths.get(id))
        if content is None:
            lost.append(id)
            continue
        size += len(content.raw)
        arrived.append(_arrived(id, states[id], content))
    return _ReadMaildir(arrived, lost, wanted[used:])


def _content(maildir: Maildir, id: str, path: str | None) -> MaildirContent | None:
    found = maildir.read(Path(path)) if path else None
    if found is None:
        # Renamed since: another program set a flag, or moved it.
        places = maildir.find(id)
        found = maildir.read(places[0].path) if places else None
    return found


def _arrived(id: str, state: MessageSnapshot, content: MaildirContent) -> ArrivedMessage:
    return ArrivedMessage(
        remote_id=id,
        folders=state.folders,
        flags=state.flags,
        received_at=datetime.fromtimestamp(content.changed_at, UTC),
        raw=content.raw,
        cut_size=content.cut_size,
    )
