"""Threads: mails that answer one another by their headers, never by subject alone.

A thread is named after its oldest known message, whether that one is stored or not. So an answer
that comes before its parent, and a sibling that answers the same missing mail, are found by an
index. Only threads that wait for a message are merged with its thread. The SQL of threads is here.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit import ids
from bailiwick.kit.db.chunks import chunks
from bailiwick.mail.models import MailMessage

# Of a message's references only these many are looked up: the oldest, and the nearest.
_NEAREST = 20


@dataclass(frozen=True, slots=True)
class ThreadLinks:
    """A message's own statements about its thread."""

    message_id: str
    parents: tuple[str, ...]  # oldest first
    remote_thread: str | None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "ThreadLinks":
        """The links in a message's columns."""
        id, said = row["message_id"], (*row["references"], row["in_reply_to"])
        parents = tuple(dict.fromkeys(one for one in said if one and one != id))
        if len(parents) > _NEAREST + 1:
            parents = (parents[0], *parents[-_NEAREST:])
        return cls(id, parents, row["remote_thread"])


@dataclass(slots=True)
class _KnownThread:
    """Known threads, by message id and by name."""

    by_id: dict[str, str]
    threads: set[str]
    merged: dict[str, str] = field(default_factory=dict[str, str])


async def assign(session: AsyncSession, account_id: str, new: Sequence[ThreadLinks]) -> list[str]:
    """Assign each new message of an account to a thread; threads that waited for it are merged."""
    if not new:
        return []
    known = await _known(session, account_id, new)
    chosen: list[str] = []
    for links in new:
        thread = _thread(account_id, links, known)
        if links.message_id:
            _join(_name(account_id, links.message_id), thread, known)
            known.by_id[links.message_id] = thread
        known.threads.add(thread)
        chosen.append(thread)
    for old, thread in known.merged.items():
        await session.execute(
            update(MailMessage)
            .where(MailMessage.thread_id == old, MailMessage.account_id == account_id)
            .values(thread_id=_final(thread, known))
        )
    return [_final(thread, known) for thread in chosen]


def _thread(account_id: str, links: ThreadLinks, known: _KnownThread) -> str:
    for parent in (*reversed(links.parents), links.message_id):
        if parent and parent in known.by_id:
            return _final(known.by_id[parent], known)
    for parent in links.parents:
        if (waiting := _name(account_id, parent)) in known.threads:
            return _final(waiting, known)
    if links.parents:
        return _name(account_id, links.parents[0])
    if links.message_id and (own := _name(account_id, links.message_id)) in known.threads:
        return _final(own, known)
    if links.remote_thread:
        return _final(_name(account_id, links.remote_thread, kind="provider"), known)
    return _name(account_id, links.message_id) if links.message_id else ids.new("thr")


def _join(waiting: str, thread: str, known: _KnownThread) -> None:
    if waiting in known.threads and waiting not in known.merged and waiting != thread:
        known.merged[waiting] = thread


def _final(thread: str, known: _KnownThread) -> str:
    seen = {thread}
    while (following := known.merged.get(thread)) and following not in seen:
        thread = following
        seen.add(thread)
    return thread


async def _known(
    session: AsyncSession, account_id: str, new: Sequence[ThreadLinks]
) -> _KnownThread:
    said = {id for links in new for id in (*links.parents, links.message_id) if id}
    remote = {links.remote_thread for links in new if links.remote_thread and not links.parents}
    names = {_name(account_id, id) for id in said}
    names |= {_name(account_id, thread, kind="provider") for thread in remote}
    by_id: dict[str, str] = {}
    for some in chunks(sorted(said)):
        statement = select(MailMessage.message_id, MailMessage.thread_id).where(
            MailMessage.account_id == account_id, MailMessage.message_id.in_(some)
        )
        by_id.update((id, thread) for id, thread in await session.execute(statement))
    threads: set[str] = set()
    for some in chunks(sorted(names)):
        statement = select(MailMessage.thread_id).where(MailMessage.thread_id.in_(some)).distinct()
        threads.update(await session.scalars(statement))
    return _KnownThread(by_id, threads)


def _name(account_id: str, said: str, *, kind: str = "message") -> str:
    digest = hashlib.sha256(f"{account_id}\0{kind}\0{said}".encode()).digest()
    return "thr-" + base64.b64encode(digest[:9], altchars=b"xy").decode()
