"""One answer of the model: it is asked, and what it said is stored before anything is done."""

import asyncio
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial

from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents.models import Agent
from bailiwick.gate.gate import Gate
from bailiwick.gate.halts import service
from bailiwick.gate.halts.service import Halts
from bailiwick.gate.meters import Meters
from bailiwick.kit import clock
from bailiwick.kit.engine.flags import Stopped
from bailiwick.llm import prices, tokens
from bailiwick.llm.adapter import Models
from bailiwick.llm.chat import (
    ChatMessage,
    ModelReply,
    ModelRequest,
    ModelToolCall,
    OfferedTool,
    TokenUsage,
)
from bailiwick.llm.config import Config
from bailiwick.llm.errors import ModelFailed, RequestTooLong
from bailiwick.llm.outgoing import OutgoingRedaction
from bailiwick.office import Office
from bailiwick.runs import end, enqueue, events, replay, repository, transcript
from bailiwick.runs.models import Run, RunCall, RunMessage
from bailiwick.runs.provider_events import AttemptLog
from bailiwick.runs.segment import Segment
from bailiwick.runs.steps import (
    budget,
    compaction,
    cutoff,
    plain_results,
    tool_choice,
    written_calls,
)
from bailiwick.runs.steps.budget import Reserved
from bailiwick.runs.steps.stream import AnswerStream

_MOST_CALLS = 32
_GOOD_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_ANSWER = 8_192
_MOST_FOLDS = 2
_ONLY_ASKS = (
    "The model asked for the same again and again, and did not answer. A larger model may do "
    "better; what it was told is in the session."
)
_REFUSED = "The model refused to do this. What it said of it is its last message."


class Halted(Exception):
    """Everything was stopped while the model was asked."""


class TimeOver(Exception):
    """The run has worked as long as it may."""


async def ask_model(office: Office, segment: Segment, config: Config) -> bool:
    """Ask the model and store its answer; whether the run goes on.

    What a model finds too long is folded and asked again.
    """
    for _ in range(_MOST_FOLDS):
        try:
            return await _ask(office, segment, config)
        except RequestTooLong as error:
            config = replace(config, window=min(config.window, error.window))
            await _fold(office, segment, config)
    return await _ask(office, segment, config)


async def _ask(office: Office, segment: Segment, config: Config) -> bool:
    is_stuck = tool_choice.is_stuck(segment.calls, config, step=segment.run.steps)
    offered = [] if is_stuck else await _offered(office, segment, config)
    pairs = _messages(segment, config)
    if compaction.is_full([each for _, each in pairs], offered, window=config.window):
        await _fold(office, segment, config)
        pairs = _messages(segment, config)
    if is_stuck:
        pairs, segment.reported = plain_results.as_question(pairs), 0
    ask = ModelRequest(
        [each for _, each in pairs],
        offered,
        _longest(segment, config),
        conversation=segment.run.id,
    )
    streaming = AnswerStream(
        office.bus, events.viewers(segment.run), f"{segment.run.id}/{segment.run.length}"
    )
    reserved = await reserve(office, segment.run, segment.agent, config, ask)
    attempts = AttemptLog(
        office[OutgoingRedaction],
        pairs,
        known=segment.reported,
        before_retry=partial(
            budget.reserve_again, office[Meters], segment.run, segment.agent, reserved
        ),
    )
    try:
        reply = await _reply(office, segment, config, ask, attempts=attempts, streaming=streaming)
        segment.reported = 0 if is_stuck else len(pairs)
        if config.provider in tool_choice.MAY_LACK_TOOLS:
            reply = written_calls.read(reply, offered)
        if is_stuck and written_calls.is_call(reply.content):
            raise ModelFailed(_ONLY_ASKS, model_id=reply.model_id)
        async with segment.changing() as session:
            await _store(session, segment.run, segment.agent, reserved, attempts)
            return await _take(session, segment, reply)
    except BaseException:
        await count_spent(office, segment.run.id, segment.agent, reserved, attempts)
        raise
    finally:
        await streaming.end()


def _messages(segment: Segment, config: Config) -> list[tuple[RunMessage | None, ChatMessage]]:
    """The transcript as this model reads it."""
    pairs = transcript.in_order(segment.rows)
    is_small = config.window <= tool_choice.SMALL_WINDOW
    return plain_results.plainly(pairs, window=config.window) if is_small else pairs


async def _reply(
    office: Office,
    segment: Segment,
    config: Config,
    ask: ModelRequest,
    *,
    attempts: AttemptLog,
    streaming: AnswerStream,
) -> ModelReply:
    """The model's answer, unless someone ends the run meanwhile."""
    left = None
    if segment.run.deadline_at:
        left = max(0.0, (segment.run.deadline_at - clock.now()).total_seconds())
    try:
        async with AsyncExitStack() as stack:
            for flag in (enqueue.flag(segment.run.id), service.FLAG):
                await stack.enter_async_context(office.flags.watched(flag, since=segment.since))
            if await office[Halts].is_up():
                raise Halted
            async with asyncio.timeout(left):
                return await office[Models].reply(
                    config, ask, on_delta=streaming.take, on_attempt=attempts.take
                )
    except Stopped as stopped:
        if str(stopped) == service.FLAG:
            raise Halted from None
        raise
    except TimeoutError:
        raise TimeOver from None


async def _take(session: AsyncSession, segment: Segment, reply: ModelReply) -> bool:
    run = segment.run
    heard = await _heard(session, segment)
    run.steps += 1
    calls = named(reply.calls, step=run.steps, known={call.id for call in segment.calls})
    if reply.content or calls:
        transcript.add(session, run, "assistant", reply.content, calls=calls, parts=reply.parts)
    asked_on = reply.finish == "length" and cutoff.go_on(session, segment, reply)
    for row in heard:
        again = transcript.add(session, run, "user", row.content)
        again.message_id = row.message_id
        transcript.attach(again, row.files or ())
    segment.calls += [_row(segment, wanted, place) for place, wanted in enumerate(calls)]
    session.add_all(segment.calls[len(segment.calls) - len(calls) :])
    if calls or heard or asked_on:
        events.emit(session, run, events.PROGRESSED)
        return True
    if reply.finish == "length":
        await end.end(session, run, "failed", "length", cutoff.TOO_OFTEN)
        return False
    if await replay.say_next(session, segment):
        events.emit(session, run, events.PROGRESSED)
        return True
    if reply.finish == "refusal":
        await end.end(session, run, "failed", "model", _REFUSED)
    else:
        await end.end(session, run, "completed", "done")
    return False


async def _heard(session: AsyncSession, segment: Segment) -> Sequence[RunMessage]:
    """What was said while the model thought; it belongs after an answer that did not know it."""
    if segment.run.length == segment.length:
        return []
    rows = await repository.messages(session, segment.run.id, after=segment.length - 1)
    for row in rows:
        await session.delete(row)
    return rows


def named(calls: Sequence[ModelToolCall], *, step: int, known: set[str]) -> list[ModelToolCall]:
    """The calls, each with an id of its own: models forget that ids are for telling apart."""
    taken, made = set(known), list[ModelToolCall]()
    for place, call in enumerate(calls):
        id = call.id if _GOOD_ID.fullmatch(call.id or "") else ""
        if not id or id in taken:
            id = f"call_{step}_{place}"
        taken.add(id)
        made.append(replace(call, id=id))
    return made


async def _store(
    session: AsyncSession, run: Run, agent: Agent, reserved: Reserved, attempts: AttemptLog
) -> None:
    """Keep what went out and came back, and count what every try of it used."""
    spent = attempts.spent
    await attempts.write(session, run)
    run.api_calls += attempts.calls
    run.input_tokens += spent.input_tokens
    run.output_tokens += spent.output_tokens
    run.cache_read_tokens += spent.cache_read_tokens
    run.cache_write_tokens += spent.cache_write_tokens
    run.money += spent.money or 0
    run.saved += spent.saved
    await budget.settle(session, agent, reserved, spent)


async def _fold(office: Office, segment: Segment, config: Config) -> None:
    """Let a summary stand for the oldest part of the transcript."""
    rows = compaction.foldable(segment.rows, window=config.window)
    summaries = list[str]()
    streaming = AnswerStream(None, (), "")
    # Before it is cut: half of a card's number is not known for one.
    told = ModelRequest([transcript.as_message(row) for row in rows])
    told = await office[OutgoingRedaction].redacted(told)
    for ask in compaction.asks(told.messages, window=config.window):
        reserved = await reserve(office, segment.run, segment.agent, config, ask)
        attempts = AttemptLog(office[OutgoingRedaction])
        try:
            reply = await _reply(
                office, segment, config, ask, attempts=attempts, streaming=streaming
            )
            async with segment.changing() as session:
                await _store(session, segment.run, segment.agent, reserved, attempts)
        except BaseException:
            await count_spent(office, segment.run.id, segment.agent, reserved, attempts)
            raise
        summaries.append(reply.content + (cutoff.SUMMARY if reply.finish == "length" else ""))
    async with segment.changing() as session:
        said = compaction.summary_message(summaries, len(rows))
        summary = transcript.add(session, segment.run, "user", said, kind="summary")
        for row in rows:
            row.folded_into = summary.position
            await session.merge(row)
        events.emit(session, segment.run, events.PROGRESSED)
        await session.flush()
        segment.rows = list(await repository.messages(session, segment.run.id))
        segment.length = segment.run.length
    segment.reported = 0


async def _offered(office: Office, segment: Segment, config: Config) -> list[OfferedTool]:
    found = await office[Gate].tools(segment.caller)
    return await tool_choice.offered(found, segment.rows, segment.calls, window=config.window)


def _longest(segment: Segment, config: Config) -> int:
    own: int | None = segment.agent.limits.get("tokens_per_request")
    # A small model that does not come to an end would fill its window.
    most = config.max_output or min(_LONGEST_ANSWER, config.window // 4)
    return min(own or most, most)


async def reserve(
    office: Office, run: Run, agent: Agent, config: Config, ask: ModelRequest
) -> Reserved:
    """Set aside what a question may cost, or `OverBudget`."""
    asked = tokens.count(ask.messages, ask.tools)
    most = ask.max_tokens or _LONGEST_ANSWER
    return await budget.reserve(
        office[Meters],
        run,
        agent,
        tokens=asked + most,
        money=prices.price(config, TokenUsage(asked, most)),
    )


async def count_spent(
    office: Office, run_id: str, agent: Agent, reserved: Reserved, attempts: AttemptLog
) -> None:
    """What was set aside is free again, and what was spent is counted, whatever came of it."""
    async with office.storage.app.write() as session:
        if run := await repository.locked(session, run_id):
            await _store(session, run, agent, reserved, attempts)


def _row(segment: Segment, call: ModelToolCall, place: int) -> RunCall:
    many = place >= _MOST_CALLS
    return RunCall(
        run_id=segment.run.id,
        id=call.id,
        number=len(segment.calls) + place,
        step=segment.run.steps,
        tool=transcript.storable(call.name)[:128],
        arguments=transcript.storable(call.arguments),
        status="wanted",
        code="too_many" if many else None,
        asked=False,
    )


def with_key(config: Config, secrets: dict[str, SecretStr]) -> Config:
    """The configuration with the agent's own key, which alone goes to an address of its own."""
    if "api_key" not in secrets:
        return config
    base = secrets["api_base"].get_secret_value() if "api_base" in secrets else config.base_url
    return replace(config, key=secrets["api_key"], base_url=base, origin="made")
