"""What agents answered, taken into the thread when a run has come to an end.

A transcript has turns: what a person said, and what the agent said and did until the next words. An
answer is the last text of a turn. Taking a run in again adds only what is new, so that it may
happen twice, or late.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.artifacts import events as artifact_events
from bailiwick.artifacts.models import ArtifactLink
from bailiwick.chat import events, messages, repository
from bailiwick.chat.models import Thread, ThreadMessage
from bailiwick.gate.trust import reads
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.eventlog import Recorded
from bailiwick.office import Office
from bailiwick.runs import events as run_events
from bailiwick.runs import repository as runs
from bailiwick.runs.models import Run, RunMessage
from bailiwick.runs.states import LIVE

ANSWER = "chat.answer"
_MOST_SOURCES = 20


@dataclass(slots=True)
class SpokenTurn:
    """What a person said in a transcript, and what came of it."""

    message_id: str
    position: int
    rows: list[RunMessage] = field(default_factory=list[RunMessage])

    @property
    def answer(self) -> str:
        """The last text: what comes after the last call, in one where it was cut off."""
        said = [row for row in self.rows if row.role == "assistant"]
        calls = [place for place, row in enumerate(said) if row.tool_calls]
        return "".join(row.content for row in said[calls[-1] + 1 if calls else 0 :])

    @property
    def end(self) -> int:
        """Where in the transcript the next words come."""
        return self.rows[-1].position + 1 if self.rows else self.position + 1


async def take(office: Office, run_id: str) -> int:
    """Take the answers of a run into its thread; says how many were new."""
    async with office.storage.app.write() as session:
        run = await runs.locked(session, run_id)
        thread = await repository.held(session, run.thread_id) if run and run.thread_id else None
        if run is None or thread is None:
            return 0
        return await _taken(session, thread, run)


async def catch_up(session: AsyncSession, thread: Thread) -> None:
    """Take in what is over in a thread that this transaction holds, before someone speaks."""
    head = await session.get(ThreadMessage, thread.head_id) if thread.head_id else None
    if head and head.run_id and head.role == "user":
        run = await runs.locked(session, head.run_id)
        if run and run.status not in LIVE:
            await _taken(session, thread, run)


async def _taken(session: AsyncSession, thread: Thread, run: Run) -> int:
    found = turns(await runs.messages(session, run.id))
    if run.status in LIVE:
        found = found[:-1]
    keys = {_key(run, turn): turn for turn in found}
    known = await repository.known_keys(session, list(keys))
    new = [(key, turn) for key, turn in keys.items() if key not in known and turn.answer.strip()]
    for key, turn in new:
        await _answered(session, thread, run, turn, key)
    if found and run.status in ("failed", "expired", "cancelled"):
        await _ended(session, thread, run, found[-1])
    return len(new)


def turns(rows: Sequence[RunMessage]) -> list[SpokenTurn]:
    """The turns of a transcript; a prompt that holds the first words is a part of the first."""
    found = list[SpokenTurn]()
    for row in rows:
        if row.message_id:
            if found and found[-1].message_id == row.message_id:
                found[-1].position = row.position
            else:
                found.append(SpokenTurn(row.message_id, row.position))
        elif found:
            found[-1].rows.append(row)
    return found


async def _answered(
    session: AsyncSession, thread: Thread, run: Run, turn: SpokenTurn, key: str
) -> ThreadMessage:
    asked = await repository.messages(session, [turn.message_id])
    head = thread.head_id
    message = await messages.add(
        session,
        thread,
        role="assistant",
        content=turn.answer,
        parent=await _parent(session, run, turn),
        agent_id=run.agent_id,
    )
    message.key, message.run_id, message.position = key, run.id, turn.end
    message.subtype = "assistant_message"
    message.model = await repository.model_of(session, run.id)
    counted = run.input_tokens + run.output_tokens
    message.tokens = max(0, counted - await repository.tokens_of_run(session, run.id))
    thread.tokens += message.tokens
    if (said := asked.get(turn.message_id)) and turn.rows:
        took = turn.rows[-1].created_at - said.created_at
        message.milliseconds = max(0, round(took.total_seconds() * 1000))
    sources = await reads.sources_of(session, [run.id])
    if sources:
        told = [source.about for source in sources][:_MOST_SOURCES]
        message.about = {**message.about, "sources": told}
    await _link(session, run, message)
    if head is not None and message.parent_id != head:
        thread.head_id = head  # someone looks at another branch by now
    await session.flush()
    events.emit(session, thread, events.SAID, by=run.agent_id, message=message)
    events.emit(session, thread, events.RESPONSE, by=run.agent_id, message=message)
    return message


async def _link(session: AsyncSession, run: Run, message: ThreadMessage) -> None:
    """Show what was made on the way with the answer."""
    made = await repository.unlinked_artifacts(session, run.id)
    for artifact in made:
        artifact.message_id = message.id
        session.add(ArtifactLink(artifact_id=artifact.id, message_id=message.id))
        artifact_events.emit(
            session, artifact, artifact_events.LINKED, by=run.agent_id, messageId=message.id
        )
    if made:
        message.about = {**message.about, "artifacts": [each.id for each in made]}


async def _ended(session: AsyncSession, thread: Thread, run: Run, turn: SpokenTurn) -> None:
    """Say in the thread why there is no answer, or no whole one."""
    key = f"{_key(run, turn)}:{run.segment}"
    if await repository.known_keys(session, [key]):
        return
    message = await messages.add(
        session,
        thread,
        role="system",
        content=run.error or "The work on this ended.",
        parent=await _parent(session, run, turn),
    )
    message.key, message.run_id, message.position = key, run.id, turn.end
    message.subtype = f"run_{run.status}"
    await session.flush()
    events.emit(session, thread, events.SAID, by=None, message=message)


async def _parent(session: AsyncSession, run: Run, turn: SpokenTurn) -> str:
    """What an answer follows: the words, or what was said of them before."""
    last = await repository.last_of_run(session, run.id)
    asked = await repository.messages(session, [turn.message_id])
    said = asked.get(turn.message_id)
    if last and said and last.number > said.number and last.role == "system":
        return last.id
    return turn.message_id


def _key(run: Run, turn: SpokenTurn) -> str:
    return f"{run.id}:{turn.message_id}"


async def _ends(session: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    """Where a run ended that is a part of a thread."""
    ended = {
        event.position: event.subject_id
        for event in batch
        if event.type in run_events.ENDS.values()
    }
    if not ended:
        return set()
    wanted = await repository.in_threads(session, set(filter(None, ended.values())))
    return {position for position, id in ended.items() if id in wanted}


WAKES = [Wake(ANSWER, _ends, arguments=lambda event: (event.subject_id,))]
