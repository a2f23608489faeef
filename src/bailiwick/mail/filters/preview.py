"""Tries a pattern on recent mail, with the code that routes mail, within a few seconds."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from bailiwick.accounts.reader import Reader
from bailiwick.kit.db import Storage
from bailiwick.kit.patterns import Pattern
from bailiwick.mail.filters import cache, fields, repository
from bailiwick.mail.filters.compiled import CompiledFilters, FilterEntry
from bailiwick.mail.filters.fields import FieldName, Fields, data_of
from bailiwick.mail.models import MailMessage
from bailiwick.workspaces.access import AccessibleWorkspaceID

LOOKED, SHOWN = 500, 20
_BATCH = 50
_SECONDS = 3.0
_AROUND = 60
# The steps allowed for finding where a match begins: about 0.1 s.
_STEPS = 4_000_000


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a field around a match, and the match's place in it."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A mail that matches."""

    message: MailMessage
    sender: str
    excerpt: Excerpt


@dataclass(slots=True)
class Seen:
    """The result so far."""

    looked: int = 0
    matched: int = 0
    added: int = 0
    dropped: int = 0
    shown: list[Shown] = field(default_factory=list[Shown])


async def preview(
    storage: Storage,
    reader: Reader,
    workspace_id: AccessibleWorkspaceID,
    trial: FilterEntry,
    *,
    pattern: Pattern,
    other: FilterEntry | None,
) -> Seen:
    """Try a pattern on the newest mails; with a second one, report the difference."""
    seen, deadline = Seen(), time.monotonic() + _SECONDS
    same = other is None or other.account_id == trial.account_id
    looking = _Looking(
        field=cast("FieldName", trial.field),
        pattern=pattern,
        ours=CompiledFilters([trial]),
        theirs=CompiledFilters([other] if other else []),
        deadline=deadline,
    )
    for offset in range(0, LOOKED, _BATCH):
        async with storage.app.read() as session:
            zone = await cache.zone(session)
            rows = await repository.recent(
                session,
                reader,
                workspace_id,
                account_id=trial.account_id if same else None,
                limit=_BATCH,
                offset=offset,
            )
        some = [(row, fields.of(row, zone=zone)) for row in rows]
        await asyncio.to_thread(looking.look, seen, some)
        if len(rows) < _BATCH or time.monotonic() > deadline:
            break
    return seen


@dataclass(frozen=True, slots=True)
class _Looking:
    """Runs one or two patterns until the time is over."""

    field: FieldName
    pattern: Pattern
    ours: CompiledFilters
    theirs: CompiledFilters
    deadline: float

    def look(self, seen: Seen, some: Sequence[tuple[MailMessage, Fields]]) -> None:
        for row, given in some:
            if time.monotonic() > self.deadline:
                return
            matches, matched = bool(self.ours.route(given)), bool(self.theirs.route(given))
            seen.looked += 1
            seen.matched += matches
            seen.added += matches and not matched
            seen.dropped += matched and not matches
            if matches and len(seen.shown) < SHOWN:
                found = excerpt(data_of(given, self.field), self.pattern)
                seen.shown.append(Shown(row, given.sender, found))


def excerpt(data: bytes, pattern: Pattern) -> Excerpt:
    """Text around the first match; only the beginning, if finding it would take long."""
    window = data[: _STEPS // max(pattern.size, 1)]
    start, end = next(pattern.spans(window), (0, 0))
    end = min(end, start + 4 * _AROUND)
    before = data[max(0, start - 4 * _AROUND) : start].decode(errors="ignore")[-_AROUND:]
    matched = data[start:end].decode(errors="ignore")
    after = data[end : end + 4 * _AROUND].decode(errors="ignore")[:_AROUND]
    return Excerpt(before + matched + after, len(before), len(before) + len(matched))
