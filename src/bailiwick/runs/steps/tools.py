"""One tool call: through the gate, and what it answered into the transcript."""

import asyncio
import json
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import EVERYONE
from bailiwick.agents.asking import PREFIX
from bailiwick.gate.approvals import repository as approvals
from bailiwick.gate.call import Call, Delegate, Denied, Outcome, Pending, Result
from bailiwick.gate.gate import Gate
from bailiwick.kit import clock
from bailiwick.kit.likeness import nearest
from bailiwick.office import Office
from bailiwick.runs import children, events, rehearsal, replay, repository, transcript
from bailiwick.runs.files import store
from bailiwick.runs.files.store import KeptFile
from bailiwick.runs.models import RunCall
from bailiwick.runs.rehearsal import Rehearsed
from bailiwick.runs.segment import LeaseLost, Segment
from bailiwick.runs.states import CallStatus
from bailiwick.runs.steps import results
from bailiwick.runs.steps.arguments import arguments_of, file_name, fitted, path_named, tool_named
from bailiwick.runs.steps.model import Halted
from bailiwick.tools.registry import Registry

# How a path is refused that leads nowhere, or is a file's name alone.
_MISSED = ("not_found", "out_of_scope", "invalid_arguments")


async def call_tool(office: Office, segment: Segment, call: RunCall) -> CallStatus:
    """Do what the model wanted, or find out that it waits; says how the call stands."""
    started = clock.now()
    if office[Gate].find_tool(segment.caller, call.tool) is None:
        known = await office[Gate].tools(segment.caller)
        call.tool = tool_named(call.tool, (tool.name for tool in known))
    outcome = await _outcome(office, segment, call)
    if isinstance(outcome, Denied) and outcome.code == "halted":
        raise Halted
    files = await _files(office, segment, outcome)
    blob, text = await _model_text(office, outcome)
    try:
        async with segment.changing() as session:
            row = call
            session.add(row)
            row.started_at = started
            _describe(office, segment, row, outcome)
            match outcome:
                case Pending():
                    await _park(office, session, segment, row)
                case Delegate():
                    await children.ask(session, segment, row, outcome)
                case _:
                    results.settle(session, segment.run, row, text, blob=blob, files=files)
                    _touched(office, segment, row, outcome)
            events.emit(session, segment.run, events.PROGRESSED)
            return row.status
    except LeaseLost:
        await _too_late(segment, call, outcome)
        raise


async def _outcome(office: Office, segment: Segment, call: RunCall) -> Outcome | Rehearsed:
    arguments = arguments_of(call.arguments)
    if call.code == "too_many":
        return Denied("rate_limited", "That were too many calls at once. Send fewer.")
    if isinstance(arguments, str):
        return Denied("invalid_arguments", arguments)
    if tool := office[Gate].find_tool(segment.caller, call.tool):
        arguments = fitted(arguments, tool.plain_parameters)
    asked = Call(
        segment.caller,
        call.tool,
        arguments,
        context_id=segment.run.id,
        idempotency_key=f"{segment.run.id}/{call.id}",
        run=segment.facts(),
    )
    if segment.run.dry:
        found = await replay.answer(office, segment, call)
        found = found or await rehearsal.rehearse(office, asked)
        if found is not None:
            return found
    outcome = await office[Gate].call(asked)
    if isinstance(outcome, Denied) and outcome.code == "unknown_tool":
        return await _gone_agent(office, segment, call, outcome)
    if isinstance(outcome, Denied) and outcome.code in _MISSED:
        return await _meant(office, segment, asked, outcome)
    return outcome


async def _meant(office: Office, segment: Segment, asked: Call, missing: Denied) -> Outcome:
    """What is at the path that the person wrote, where the model lost its folder on the way.

    Only for what is read; of a file with another name, the refusal reminds the model.
    """
    said = [row.content for row in segment.rows if row.role == "user" and row.kind == "message"]
    path = asked.arguments.get("path")
    named = path_named("\n".join(said[-1:] or [segment.run.words or ""]))
    if named is None or not isinstance(path, str) or named == path:
        return missing
    if missing.code != "not_found" and "/" in path:
        return missing  # another folder, and no lost one
    tool = office[Gate].find_tool(segment.caller, asked.tool)
    if tool and not tool.writes and file_name(path) == file_name(named):
        meant = {**asked.arguments, "path": named}
        key = f"{asked.idempotency_key}/meant"
        return await office[Gate].call(replace(asked, arguments=meant, idempotency_key=key))
    if named in missing.reason:
        return missing
    return replace(missing, reason=f"{missing.reason} You were asked about {named}.")


async def _gone_agent(office: Office, segment: Segment, call: RunCall, refused: Denied) -> Denied:
    """An agent that could be asked when the model decided to, or that never could."""
    if not call.tool.startswith(PREFIX):
        return refused
    reason = (
        f"There is no agent behind {call.tool[:64]}: it was removed or switched off, or is not "
        f"among those that you may ask. list_agents tells who is."
    )
    mine = [tool.name for tool in await office[Gate].tools(segment.caller)]
    if near := nearest(call.tool, (name for name in mine if name.startswith(PREFIX))):
        reason = f"{reason} Did you mean {near}?"
    return replace(refused, reason=reason)


def _describe(office: Office, segment: Segment, row: RunCall, outcome: Outcome | Rehearsed) -> None:
    tool = office[Gate].find_tool(segment.caller, row.tool)
    arguments = arguments_of(row.arguments)
    given = arguments if isinstance(arguments, dict) else {}
    row.effect = tool.effect_of(given) if tool else None
    row.code = None
    match outcome:
        case Result():
            row.status, row.label = "done", outcome.label
            row.action_id = outcome.action_id
            row.rule_id, row.rule_name = outcome.rule_id, outcome.rule_name
        case Denied():
            failed = outcome.code in ("failed", "conflict", "not_found")
            unknown = outcome.code == "unknown_outcome"
            row.status = "unknown" if unknown else "failed" if failed else "denied"
            row.code, row.reason, row.rule_id = outcome.code, outcome.reason, outcome.rule_id
        case Pending():
            row.status, row.asked, row.reason = "waiting", True, outcome.reason
            row.approval_id = outcome.approval_id
        case Delegate():
            row.status = "waiting"
        case Rehearsed():
            row.status, row.asked, row.reason = "rehearsed", outcome.asks is not None, outcome.asks


async def _park(office: Office, session: AsyncSession, segment: Segment, row: RunCall) -> None:
    """Wait for a person; unless they have answered in the meantime."""
    assert row.approval_id
    approval = await approvals.get(session, EVERYONE, row.approval_id, lock=True)
    if approval.status not in ("pending", "allowed"):
        tool = office[Registry].get(row.tool)
        results.from_approval(session, segment.run, row, approval, tool=tool)


async def _files(office: Office, segment: Segment, outcome: Outcome | Rehearsed) -> list[KeptFile]:
    """What a tool read that is no text, for a model that sees it; what cannot be kept is not."""
    if not isinstance(outcome, Result) or not outcome.files:
        return []
    return await store.keep_read(office, segment.run.id, outcome.files)


async def _model_text(office: Office, outcome: Outcome | Rehearsed) -> tuple[str | None, str]:
    """What the model is told; a long text is kept whole elsewhere."""
    text = transcript.storable(said(outcome))
    if len(text) <= transcript.LONGEST:
        return None, text
    blobs = office.blobs
    return await asyncio.to_thread(blobs.put, text.encode()), transcript.clipped(text)


def said(outcome: Outcome | Rehearsed) -> str:
    """An outcome as the model reads it."""
    match outcome:
        case Result():
            return json.dumps(outcome.data, ensure_ascii=False, default=str)
        case Denied():
            about: dict[str, Any] = {"error": outcome.reason, "code": outcome.code}
            if outcome.fields:
                about["fields"] = outcome.fields
            return json.dumps(about, ensure_ascii=False)
        case Rehearsed():
            return json.dumps({"dryRun": True, "note": outcome.note}, ensure_ascii=False)
        case _:
            return ""


def _touched(office: Office, segment: Segment, row: RunCall, outcome: Outcome | Rehearsed) -> None:
    if isinstance(outcome, Result):
        arguments = arguments_of(row.arguments)
        tool = office[Registry].get(row.tool)
        if tool and isinstance(arguments, dict):
            results.remember_files(segment.run, tool, arguments)


async def _too_late(segment: Segment, call: RunCall, outcome: Outcome | Rehearsed) -> None:
    """The run was ended while this was done: the record must not say that it was not."""
    if not isinstance(outcome, Result) or outcome.action_id is None:
        return
    async with segment.storage.app.write() as session:
        run = await repository.locked(session, call.run_id)
        row = await session.get(RunCall, (call.run_id, call.id), populate_existing=True)
        if run is None or row is None or row.status != "skipped":
            return
        row.status, row.action_id, row.reason = "done", outcome.action_id, None
        note = f"[{call.tool} was done all the same: it was under way when the run ended.]"
        transcript.add(session, run, "system", note, kind="note")
        events.emit(session, run, events.PROGRESSED)
