"""What a run or an outside client has read so far, and whose words that was.

The label of a reading only ever goes down. It starts anew when a person gives a new task; the
owner's words count only if they were captured before the first untrusted read. The SQL of both is
here.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import bindparam, delete, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.models import Mention, ReadContext
from bailiwick.gate.trust.orders import BETWEEN
from bailiwick.gate.trust.typed import PastedRange, typed
from bailiwick.kit import clock
from bailiwick.kit.db import Storage, UtcDateTime
from bailiwick.kit.eventlog import Event, Recorded, record
from bailiwick.tools.trust import Label, Source, is_untrusted, lowest

FRESH = "reading.fresh"
_KEPT = 5_000
_MOST_SOURCES = 20
_MOST_MENTIONS = 500
_NEW = text(
    "INSERT INTO read_contexts (id, workspace_id, label, sources, updated_at) "
    "VALUES (:id, :workspace_id, 'owner', '[]', :updated_at) ON CONFLICT DO NOTHING"
).bindparams(bindparam("updated_at", type_=UtcDateTime))


@dataclass(frozen=True, slots=True)
class ReadState:
    """Where a context stands."""

    id: str | None = None
    label: Label = "owner"
    words: str | None = None
    sources: tuple[Source, ...] = ()
    steps: int = 0

    @property
    def is_tainted(self) -> bool:
        """Whether anything untrusted was read."""
        return is_untrusted(self.label)


class ReadStates:
    """All contexts; where this process is the only one, the hot ones are in memory."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._is_alone = storage.kind == "sqlite"
        self._hot: OrderedDict[str, ReadState] = OrderedDict()
        self._steps: dict[str, int] = {}

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Read again what was started afresh."""
        for event in batch:
            if event.type == FRESH and event.subject_id:
                self._hot.pop(event.subject_id, None)

    async def get(self, id: str | None) -> ReadState:
        """Where a context stands; a new one is clean."""
        if id is None:
            return ReadState()
        reading = self._hot.get(id) if self._is_alone else None
        if reading is None:
            async with self._storage.app.read() as session:
                reading = _reading(id, await session.get(ReadContext, id))
            self._keep(reading)
        self._steps[id] = self._steps.get(id, 0) + 1
        return replace(reading, steps=self._steps[id])

    async def read(
        self,
        id: str,
        *,
        workspace_id: str,
        sources: Iterable[Source],
        mentions: Iterable[tuple[str, str]],
    ) -> None:
        """Remember what was read, before anyone can act on it."""
        before = await self.get(id)
        new = [source for source in dict.fromkeys(sources) if source not in before.sources]
        if not new and lowest((before.label, *(s.label for s in sources))) == before.label:
            return
        async with self._storage.app.write() as session:
            row = await _locked(session, id, workspace_id)
            merged = _merged(row, new)
            row.label = lowest((row.label, *(source.label for source in new)))
            row.sources = [[source.label, source.about] for source in merged]
            row.tainted_at = row.tainted_at or (clock.now() if is_untrusted(row.label) else None)
            row.updated_at = clock.now()
            await _remember(session, id, mentions, source=new[0].about if new else "")
            reading = _reading(id, row)
        self._keep(reading)

    async def mentioned(self, id: str, values: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Which of the targets untrusted content named to this context, and where."""
        wanted = {value[:300] for _, value in values}
        statement = select(Mention.value, Mention.source).where(
            Mention.context_id == id, Mention.value.in_(wanted)
        )
        async with self._storage.app.read() as session:
            return {row[0]: row[1] for row in await session.execute(statement)}

    def _keep(self, reading: ReadState) -> None:
        assert reading.id
        self._hot[reading.id] = reading
        self._hot.move_to_end(reading.id)
        if len(self._hot) > _KEPT:
            self._hot.popitem(last=False)


async def begin(
    session: AsyncSession,
    id: str,
    *,
    workspace_id: str,
    words: str,
    pasted: Sequence[PastedRange] | None = None,
) -> None:
    """A person gave a task in these words; said after an untrusted read, they do not count.

    What was pasted is no word of theirs; None: nobody marked what was.
    """
    row = await _locked(session, id, workspace_id)
    if not is_untrusted(row.label):
        said = typed(words, pasted)
        row.words = f"{row.words}{BETWEEN}{said}" if row.words else said
        row.updated_at = clock.now()
        _emit(session, id)


async def inherit(session: AsyncSession, id: str, *, of: str, words: bool) -> None:
    """What another context has read counts as read here too; a child hears the owner's words."""
    known = await session.get(ReadContext, of)
    if known is None:
        return
    row = await _locked(session, id, known.workspace_id)
    if words and not is_untrusted(row.label):
        row.words = known.words
    row.sources = [[s.label, s.about] for s in _merged(row, [Source(*s) for s in known.sources])]
    row.label = lowest((row.label, known.label))
    row.tainted_at = row.tainted_at or known.tainted_at
    row.updated_at = clock.now()
    for mention in await session.scalars(select(Mention).where(Mention.context_id == of)):
        if await session.get(Mention, (id, mention.kind, mention.value)) is None:
            session.add(
                Mention(
                    context_id=id, kind=mention.kind, value=mention.value, source=mention.source
                )
            )
    _emit(session, id)


async def heard(
    session: AsyncSession,
    id: str,
    *,
    workspace_id: str,
    source: Source,
    mentions: Iterable[tuple[str, str]],
) -> None:
    """Words that a context begins with, and that are not the owner's, count as read."""
    row = await _locked(session, id, workspace_id)
    row.sources = [[each.label, each.about] for each in _merged(row, [source])]
    row.label = lowest((row.label, source.label))
    row.tainted_at = row.tainted_at or (clock.now() if is_untrusted(row.label) else None)
    row.updated_at = clock.now()
    await _remember(session, id, mentions, source=source.about)
    _emit(session, id)


async def sources_of(session: AsyncSession, ids: Iterable[str]) -> list[Source]:
    """All that these contexts have read."""
    statement = select(ReadContext.label, ReadContext.sources).where(ReadContext.id.in_(list(ids)))
    found: list[Source] = []
    for label, sources in (await session.execute(statement)).all():
        known = [Source(*pair) for pair in sources]
        found += known
        if lowest(source.label for source in known) != label:
            found.append(Source(label, "what a session has read"))
    return found


async def strangers(session: AsyncSession, ids: Iterable[str]) -> dict[str, list[str]]:
    """What each of these contexts has read that nobody here wrote."""
    statement = select(ReadContext.id, ReadContext.sources).where(ReadContext.id.in_(list(ids)))
    return {
        id: [about for label, about in sources if is_untrusted(label)]
        for id, sources in (await session.execute(statement)).all()
    }


async def start_afresh(session: AsyncSession, id: str) -> None:
    """Forget what a context has read, because a person gave a new task."""
    await forget(session, [id])
    _emit(session, id)


async def forget(session: AsyncSession, ids: Sequence[str]) -> None:
    """Drop what contexts have read, which are gone or begin anew."""
    await session.execute(delete(Mention).where(Mention.context_id.in_(ids)))
    await session.execute(delete(ReadContext).where(ReadContext.id.in_(ids)))


def _emit(session: AsyncSession, id: str) -> None:
    # Nobody's to see: only processes follow it.
    record(session, Event(FRESH, audience=(), subject_id=id))


async def _locked(session: AsyncSession, id: str, workspace_id: str) -> ReadContext:
    # Two that read first at the same time make one row.
    await session.execute(_NEW, {"id": id, "workspace_id": workspace_id, "updated_at": clock.now()})
    statement = select(ReadContext).where(ReadContext.id == id).with_for_update()
    return (await session.scalars(statement)).one()


async def _remember(
    session: AsyncSession, id: str, mentions: Iterable[tuple[str, str]], *, source: str
) -> None:
    values = list(dict.fromkeys((kind, value[:300]) for kind, value in mentions))[:_MOST_MENTIONS]
    for kind, value in values:
        if await session.get(Mention, (id, kind, value)) is None:
            session.add(Mention(context_id=id, kind=kind, value=value, source=source[:300]))


def _merged(row: ReadContext, new: Sequence[Source]) -> list[Source]:
    """The newest sources, those that lowered the label before all others."""
    known = [Source(*pair) for pair in row.sources]
    merged = [*dict.fromkeys((*known, *new))]
    merged.sort(key=lambda source: not is_untrusted(source.label))
    return merged[:_MOST_SOURCES]


def _reading(id: str, row: ReadContext | None) -> ReadState:
    if row is None:
        return ReadState(id)
    sources = tuple(Source(*pair) for pair in row.sources)
    return ReadState(id, row.label, row.words, sources)


async def label_of(session: AsyncSession, id: str) -> Label:
    """The label of what a context writes."""
    row = await session.get(ReadContext, id)
    return row.label if row else "owner"
