"""All SQL of conversations."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Row, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.artifacts.models import Artifact
from bailiwick.chat.models import (
    MessageReaction,
    MessageStar,
    Thread,
    ThreadMessage,
    ThreadShare,
    ThreadStatus,
)
from bailiwick.errors import NotFound
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.runs.models import ProviderEvent, Run, RunMessage

GONE = "That thread does not exist, or you may not see it."


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactSearch:
    """Which artifacts a list shows."""

    thread_id: str | None = None
    workspace_id: str | None = None
    kind: str | None = None
    author_id: str | None = None
    words: str = ""
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadSearch:
    """Which threads a list shows."""

    status: ThreadStatus = "active"
    agent_id: str | None = None
    workspace_id: str | None = None
    tag: str | None = None
    is_pinned: bool | None = None
    words: str = ""


async def get(session: AsyncSession, reader: Reader, id: str) -> Thread:
    """A thread that someone may read, or `NotFound`."""
    found = await session.scalars(select(Thread).where(Thread.id == id, _seen(reader)))
    thread = found.one_or_none()
    if thread is None:
        raise NotFound(GONE)
    return thread


async def is_seen(session: AsyncSession, reader: Reader, id: str) -> bool:
    """Whether someone may read a thread."""
    found = await session.scalars(select(Thread.id).where(Thread.id == id, _seen(reader)))
    return found.one_or_none() is not None


async def locked(session: AsyncSession, reader: Reader, id: str) -> Thread:
    """A thread of someone's own, held until the transaction ends; or `NotFound`."""
    statement = select(Thread).where(Thread.id == id, reader.owns(Thread.owner_id))
    found = await session.scalars(
        statement.with_for_update().execution_options(populate_existing=True)
    )
    thread = found.one_or_none()
    if thread is None:
        raise NotFound(GONE)
    return thread


async def held(session: AsyncSession, id: str) -> Thread | None:
    """A thread, whoever asks, held until the transaction ends."""
    statement = select(Thread).where(Thread.id == id).with_for_update()
    found = await session.scalars(statement.execution_options(populate_existing=True))
    return found.one_or_none()


async def listed(
    session: AsyncSession, reader: Reader, wanted: ThreadSearch, page: PageRequest
) -> Rows[Thread]:
    """Threads, the liveliest first."""
    statement = select(Thread).where(_seen(reader), *_asked(wanted))
    return await paginate(session, statement, page, by=(Thread.last_activity_at, Thread.id))


async def said_with(
    session: AsyncSession, thread_ids: Collection[str], words: str
) -> dict[str, ThreadMessage]:
    """The newest message of each thread that has one of the words."""
    any_word = [
        ThreadMessage.content.icontains(word, autoescape=True) for word in words.split()[:8]
    ]
    if not any_word:
        return {}
    statement = select(ThreadMessage).where(
        ThreadMessage.thread_id.in_(thread_ids), ThreadMessage.hidden.is_(False), or_(*any_word)
    )
    found = await session.scalars(statement.order_by(ThreadMessage.number))
    return {row.thread_id: row for row in found}


async def shared_with(session: AsyncSession, thread_id: str) -> Sequence[str]:
    """Who may read a thread beside its owner."""
    statement = select(ThreadShare.user_id).where(ThreadShare.thread_id == thread_id)
    return (await session.scalars(statement.order_by(ThreadShare.created_at))).all()


async def shared_to(session: AsyncSession, names: Collection[str]) -> Sequence[str]:
    """The threads that others share with someone."""
    statement = select(ThreadShare.thread_id).where(ThreadShare.user_id.in_(names))
    return (await session.scalars(statement)).all()


async def tree(
    session: AsyncSession, thread_id: str
) -> Sequence[Row[str, str | None, int, str | None, bool]]:
    """Every message of a thread in brief, oldest first: id, parent, number, run, hidden."""
    statement = select(
        ThreadMessage.id,
        ThreadMessage.parent_id,
        ThreadMessage.number,
        ThreadMessage.run_id,
        ThreadMessage.hidden,
    ).where(ThreadMessage.thread_id == thread_id)
    return (await session.execute(statement.order_by(ThreadMessage.number))).all()


async def messages(session: AsyncSession, ids: Collection[str]) -> dict[str, ThreadMessage]:
    """Messages by id."""
    found = await session.scalars(select(ThreadMessage).where(ThreadMessage.id.in_(ids)))
    return {row.id: row for row in found}


async def message(session: AsyncSession, thread_id: str, id: str) -> ThreadMessage:
    """A message of a thread, or `NotFound`."""
    found = await session.get(ThreadMessage, id)
    if found is None or found.thread_id != thread_id:
        raise NotFound("There is no such message in this thread.")
    return found


async def last_of_run(session: AsyncSession, run_id: str) -> ThreadMessage | None:
    """The newest message that belongs to a run."""
    statement = select(ThreadMessage).where(ThreadMessage.run_id == run_id)
    newest = statement.order_by(ThreadMessage.number.desc()).limit(1)
    return (await session.scalars(newest)).one_or_none()


async def known_keys(session: AsyncSession, keys: Collection[str]) -> set[str]:
    """Those of some answers that the thread has already."""
    statement = select(ThreadMessage.key).where(ThreadMessage.key.in_(keys))
    return {key for key in await session.scalars(statement) if key}


async def place_of(session: AsyncSession, run_id: str, message_id: str) -> int | None:
    """Where in a transcript the words of a message are."""
    statement = select(func.max(RunMessage.position)).where(
        RunMessage.run_id == run_id, RunMessage.message_id == message_id
    )
    return await session.scalar(statement)


async def spoken_rows(session: AsyncSession, message_id: str) -> Sequence[RunMessage]:
    """Every place in transcripts that has the words of a message."""
    statement = select(RunMessage).where(RunMessage.message_id == message_id)
    return (await session.scalars(statement)).all()


async def runs_of(session: AsyncSession, thread_ids: Collection[str]) -> Sequence[Run]:
    """The runs behind threads, oldest first."""
    statement = select(Run).where(Run.thread_id.in_(thread_ids), Run.parent_id.is_(None))
    return (await session.scalars(statement.order_by(Run.created_at, Run.id))).all()


async def in_threads(session: AsyncSession, run_ids: Collection[str]) -> set[str]:
    """Those of some runs that are a part of a thread."""
    statement = select(Run.id).where(
        Run.id.in_(run_ids), Run.thread_id.is_not(None), Run.parent_id.is_(None)
    )
    return set(await session.scalars(statement))


async def model_of(session: AsyncSession, run_id: str) -> str | None:
    """The model that a run asked last."""
    statement = select(ProviderEvent.model).where(ProviderEvent.run_id == run_id)
    latest = statement.order_by(ProviderEvent.at.desc(), ProviderEvent.id.desc()).limit(1)
    return await session.scalar(latest)


async def tokens_of_run(session: AsyncSession, run_id: str) -> int:
    """The tokens of a run that its messages account for."""
    statement = select(func.sum(ThreadMessage.tokens)).where(ThreadMessage.run_id == run_id)
    return await session.scalar(statement) or 0


async def reactions(
    session: AsyncSession, message_ids: Collection[str]
) -> Sequence[MessageReaction]:
    """Reactions to messages, oldest first."""
    statement = select(MessageReaction).where(MessageReaction.message_id.in_(message_ids))
    ordered = statement.order_by(MessageReaction.created_at, MessageReaction.user_id)
    return (await session.scalars(ordered)).all()


async def starred(
    session: AsyncSession, user_id: str, message_ids: Collection[str]
) -> Collection[str]:
    """Those of some messages that someone keeps in mind."""
    statement = select(MessageStar.message_id).where(
        MessageStar.user_id == user_id, MessageStar.message_id.in_(message_ids)
    )
    return set(await session.scalars(statement))


async def statistics(
    session: AsyncSession, thread_ids: Collection[str]
) -> Sequence[Row[str, str | None, int, int | None, int]]:
    """How threads were answered, by model: thread, model, answers, milliseconds, messages."""
    statement = (
        select(
            ThreadMessage.thread_id,
            ThreadMessage.model,
            func.count(ThreadMessage.model),
            func.coalesce(func.sum(ThreadMessage.milliseconds), 0),
            func.count(),
        )
        .where(ThreadMessage.thread_id.in_(thread_ids), ThreadMessage.hidden.is_(False))
        .group_by(ThreadMessage.thread_id, ThreadMessage.model)
    )
    return (await session.execute(statement)).all()


async def deleted_before(session: AsyncSession, moment: datetime, *, limit: int) -> Sequence[str]:
    """Threads that were removed before a moment."""
    statement = select(Thread.id).where(Thread.deleted_at < moment).limit(limit)
    return (await session.scalars(statement)).all()


async def erase(session: AsyncSession, ids: Collection[str]) -> None:
    """Remove threads for good."""
    await session.execute(delete(Thread).where(Thread.id.in_(ids)))


async def artifact(session: AsyncSession, reader: Reader, id: str) -> tuple[Artifact, Thread]:
    """An artifact of a thread that someone may read, and that thread; or `NotFound`."""
    statement = (
        select(Artifact, Thread)
        .join(Thread, Thread.id == Artifact.thread_id)
        .where(Artifact.id == id, _seen(reader))
    )
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        raise NotFound("That artifact does not exist, or you may not see it.")
    return row[0], row[1]


async def artifacts(
    session: AsyncSession, reader: Reader, wanted: ArtifactSearch, page: PageRequest
) -> Rows[Artifact]:
    """Artifacts of threads that someone may read, newest first."""
    equal = {
        Artifact.thread_id: wanted.thread_id,
        Artifact.workspace_id: wanted.workspace_id,
        Artifact.kind: wanted.kind,
        Artifact.author_id: wanted.author_id,
    }
    archived = Artifact.archived_at.is_not(None)
    conditions: list[ColumnElement[bool]] = [
        Artifact.deleted_at.is_(None),
        archived if wanted.archived else ~archived,
        *(column == value for column, value in equal.items() if value is not None),
        *(Artifact.title.icontains(word, autoescape=True) for word in wanted.words.split()[:8]),
    ]
    theirs = select(Thread.id).where(_seen(reader), Thread.status != "deleted")
    statement = select(Artifact).where(Artifact.thread_id.in_(theirs), *conditions)
    return await paginate(session, statement, page, by=(Artifact.created_at, Artifact.id))


async def artifact_ids(
    session: AsyncSession, thread_ids: Collection[str]
) -> Sequence[Row[str | None, str]]:
    """The artifacts of threads, oldest first: thread, artifact."""
    statement = select(Artifact.thread_id, Artifact.id).where(
        Artifact.thread_id.in_(thread_ids), Artifact.deleted_at.is_(None)
    )
    return (await session.execute(statement.order_by(Artifact.created_at, Artifact.id))).all()


async def unlinked_artifacts(session: AsyncSession, run_id: str) -> Sequence[Artifact]:
    """What a run, or an agent that it asked, has made since it last answered."""
    asked = select(Run.id).where(or_(Run.id == run_id, Run.parent_id == run_id))
    statement = select(Artifact).where(
        Artifact.run_id.in_(asked), Artifact.thread_id.is_not(None), Artifact.message_id.is_(None)
    )
    return (await session.scalars(statement.order_by(Artifact.created_at, Artifact.id))).all()


def _seen(reader: Reader) -> ColumnElement[bool]:
    shared = Thread.id.in_(
        select(ThreadShare.thread_id).where(ThreadShare.user_id.in_(reader.names))
    )
    return or_(reader.owns(Thread.owner_id), shared) & Thread.workspace_id.in_(reader.workspaces)


def _asked(wanted: ThreadSearch) -> list[ColumnElement[bool]]:
    equal = {
        Thread.status: wanted.status,
        Thread.agent_id: wanted.agent_id,
        Thread.workspace_id: wanted.workspace_id,
        Thread.is_pinned: wanted.is_pinned,
    }
    found: list[ColumnElement[bool]] = [
        column == value for column, value in equal.items() if value is not None
    ]
    if wanted.tag:
        found.append(Thread.tags.contains(f"\n{wanted.tag}\n", autoescape=True))
    for word in wanted.words.split()[:8]:
        said = select(ThreadMessage.thread_id).where(
            ThreadMessage.hidden.is_(False), ThreadMessage.content.icontains(word, autoescape=True)
        )
        named = select(Run.thread_id).where(
            Run.thread_id.is_not(None), Run.title.icontains(word, autoescape=True)
        )
        found.append(
            or_(
                Thread.title.icontains(word, autoescape=True),
                Thread.id.in_(said),
                Thread.id.in_(named),
            )
        )
    return found
