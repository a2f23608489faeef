"""REST of runs: sessions with agents, and what is behind them."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents.endpoints import (
    sees_agent,
)
from bailiwick.agents.schemas import AgentId
from bailiwick.errors import NotFound
from bailiwick.gate.approvals import answers
from bailiwick.identity.access import SignedIn
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.llm.endpoints import TheModels
from bailiwick.office import TheOffice
from bailiwick.runs import comparison, readers, repository, service, spend, views
from bailiwick.runs import estimate as run_estimate
from bailiwick.runs.models import Run, RunMessage
from bailiwick.runs.schemas import (
    AgentSessionOut,
    ComparedOut,
    ConfirmIn,
    EstimateIn,
    EstimateOut,
    LogOut,
    OfRun,
    ProviderEventOut,
    ReplayIn,
    RetryIn,
    RunId,
    RunOut,
    RunQuery,
    SpendOut,
)
from bailiwick.runs.states import LIVE

router = APIRouter(tags=["runs"], route_class=IdempotentRoute)


async def sees_session(session_id: RunId, who: SignedIn, session: ReadSession) -> None:
    """Refuse whoever may not see a session."""
    await repository.get(session, who, session_id)


async def _sees_run(run_id: RunId, who: SignedIn, session: ReadSession) -> None:
    await repository.get(session, who, run_id)


# Whoever may not see it is refused before anything is said of what they sent.
_OF_AGENT = [Depends(sees_agent)]
_OF_SESSION = [Depends(sees_session)]
_OF_RUN = [Depends(_sees_run)]
Position = Annotated[int, Query(ge=0, le=1_000_000)]


@router.get("/agents/{agent_id}/sessions")
async def list_agent_sessions(
    agent_id: AgentId, who: SignedIn, session: ReadSession, office: TheOffice, page: PageQuery
) -> Page[RunOut]:
    """Sessions with an agent that one may see, newest first."""
    await agents.get(session, who, agent_id)
    rows = await repository.listed(session, who, page, agent_id=agent_id)
    shown = await _listed(session, office, who, rows.rows)
    return rows.map(lambda row: shown[row.id])


@router.post("/agents/{agent_id}/estimate", dependencies=_OF_AGENT)
async def estimate_session(
    agent_id: AgentId,
    body: EstimateIn,
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    models: TheModels,
) -> EstimateOut:
    """What a run would cost, before it starts."""
    agent = (await agents.get(session, who, agent_id)).agent
    person = await service.person_of(session, who, agent.workspace_id)
    return await run_estimate.estimate(
        session, office, models, agent=agent, person=person, words=body.content, files=body.files
    )


@router.get("/sessions")
async def list_sessions(
    who: SignedIn, session: ReadSession, office: TheOffice, page: PageQuery
) -> Page[RunOut]:
    """Conversations with agents, newest first."""
    rows = await repository.listed(session, who, page, kind="session")
    shown = await _listed(session, office, who, rows.rows)
    return rows.map(lambda row: shown[row.id])


@router.get("/sessions/{session_id}", dependencies=_OF_SESSION)
async def read_session(
    session_id: RunId, who: SignedIn, session: ReadSession, office: TheOffice
) -> AgentSessionOut:
    """A session with its transcript, and what waits for a person."""
    run = await repository.get(session, who, session_id)
    shown = await views.of_session(session, office, who, run)
    return await readers.whole(session, office, who, run, shown)


@router.post("/sessions/{session_id}/confirm", dependencies=_OF_SESSION)
async def confirm_session(
    session_id: RunId,
    body: ConfirmIn,
    who: SignedIn,
    office: TheOffice,
) -> AgentSessionOut:
    """Say yes or no to something that the agent wants to do."""
    async with office.storage.app.read() as session:
        await repository.get(session, who, session_id)
        calls = await repository.calls(session, session_id, statuses=("waiting",))
    if body.action_id not in {call.approval_id for call in calls}:
        raise NotFound("Nothing of that id waits in this session.")
    if body.confirmed:
        await answers.allow(
            office, who, body.action_id, arguments=body.arguments, binding=body.binding
        )
    else:
        await answers.deny(office, who, body.action_id, note=body.note)
    return await _fresh(office, who, session_id)


@router.post("/sessions/{session_id}/cancel", dependencies=_OF_SESSION)
async def cancel_session(
    session_id: RunId, who: SignedIn, stores: Stores, office: TheOffice
) -> AgentSessionOut:
    """End a session, and the runs that it started; what is under way stops."""
    await service.cancel(stores, who, session_id)
    return await _fresh(office, who, session_id)


@router.get("/sessions/{session_id}/logs", dependencies=_OF_SESSION)
async def list_session_logs(
    session_id: RunId, who: SignedIn, session: ReadSession, office: TheOffice, page: PageQuery
) -> Page[LogOut]:
    """What the agent did, allowed or not, oldest first."""
    run = await repository.get(session, who, session_id)
    rows = await repository.messages(session, session_id)
    said = {row.tool_call_id: row.content for row in rows if row.tool_call_id}
    calls = await repository.calls(session, session_id)
    logs = [views.log(call, said) for call in calls]
    words = ("target_path", "input_summary", "output_summary", "reason")
    shown = await readers.shown(session, office, who, [run], logs, words=words)
    return page_of(shown, page, by=lambda log: f"{log.created_at} {log.action_type}")


@router.get("/sessions/{session_id}/content", dependencies=_OF_SESSION)
async def read_session_content(
    session_id: RunId, who: SignedIn, session: ReadSession, office: TheOffice, position: Position
) -> Response:
    """The whole text of a message of which the transcript holds a part."""
    run = await repository.get(session, who, session_id)
    row = await session.get(RunMessage, (session_id, position))
    if row is None:
        raise NotFound("There is no such message.")
    text = row.content.encode()
    if row.blob:
        text = await asyncio.to_thread(office.blobs.read, row.blob)
    said = await readers.text(session, office, who, run, text.decode(errors="replace"))
    return Response(said, media_type="text/plain; charset=utf-8")


@router.get("/runs")
async def list_runs(
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    page: PageQuery,
    query: Annotated[RunQuery, Query()],
) -> Page[RunOut]:
    """Runs that one may see, newest first."""
    rows = await repository.listed(
        session,
        who,
        page,
        workspace_id=query.workspace_id,
        agent_id=query.agent_id,
        statuses=LIVE if query.live else query.status,
        kind=query.kind,
        task_id=query.task_id,
        schedule_id=query.schedule_id,
        parent_id=query.parent_id,
    )
    shown = await _listed(session, office, who, rows.rows)
    return rows.map(lambda row: shown[row.id])


@router.get("/runs/{run_id}/events", dependencies=_OF_RUN)
async def list_provider_events(
    run_id: RunId, who: SignedIn, session: ReadSession, office: TheOffice, page: PageQuery
) -> Page[ProviderEventOut]:
    """What went to models and came back, redacted; newest first."""
    run = await repository.get(session, who, run_id)
    rows = await repository.provider_events(session, run_id, page)
    events = [views.provider_event(row) for row in rows.rows]
    seen = await readers.shown(session, office, who, [run], events, words=("payload",))
    shown = {event.id: event for event in seen}
    return rows.map(lambda row: shown[row.id])


@router.post("/runs/{run_id}/resume", dependencies=_OF_RUN)
async def resume_run(
    run_id: RunId, who: SignedIn, session: WriteSession, office: TheOffice
) -> AgentSessionOut:
    """Go on with a run that failed or ran out of time, from its last finished step."""
    run = await service.resume(session, who, run_id)
    shown = await views.of_session(session, office, who, run)
    return await readers.shared(session, office, who, run, shown)


@router.post("/runs/{run_id}/retry", status_code=201, dependencies=_OF_RUN)
async def retry_run(
    run_id: RunId, body: RetryIn, who: SignedIn, session: WriteSession, office: TheOffice
) -> AgentSessionOut:
    """A new run that begins like this one, and takes it from a step anew."""
    run = await service.retry(session, who, run_id, step=body.step)
    shown = await views.of_session(session, office, who, run)
    return await readers.shared(session, office, who, run, shown)


@router.post("/runs/{run_id}/replay", status_code=201, dependencies=_OF_RUN)
async def replay_run(
    run_id: RunId, body: ReplayIn, who: SignedIn, session: WriteSession, office: TheOffice
) -> AgentSessionOut:
    """The same request again, without any effect, against another prompt or model."""
    prompt = None if body.prompt is None else [block.model_dump() for block in body.prompt]
    run = await service.replay(
        session,
        who,
        run_id,
        model_id=body.model_id,
        prompt=prompt,
        now=await service.office_now(office),
    )
    shown = await views.of_session(session, office, who, run)
    return await readers.shared(session, office, who, run, shown)


@router.get("/runs/{run_id}/comparison", dependencies=_OF_RUN)
async def compare_runs(
    run_id: RunId,
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    other: Annotated[OfRun, Query(alias="with", description="The run to hold beside it")],
) -> ComparedOut:
    """Two runs side by side."""
    left = await repository.get(session, who, run_id)
    right = await repository.get(session, who, other)
    shown = await views.of_runs(session, [left, right])
    rows = comparison.rows(
        await repository.messages(session, left.id), await repository.messages(session, right.id)
    )
    out = ComparedOut(left=shown[left.id], right=shown[right.id], rows=rows)
    words = ("left", "right", "rows")
    (seen,) = await readers.shown(session, office, who, [left, right], [out], words=words)
    return seen


@router.get("/spend")
async def read_spend(
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    page: PageQuery,
    days: Annotated[int, Query(ge=1, le=366)] = 30,
    whose: Literal["mine", "all"] = "mine",
) -> SpendOut:
    """Tokens and money by day, agent and model; of everyone, for admins."""
    everyone = who.is_admin and whose == "all"
    user_id = None if everyone or who.user_id is None else who.user_id
    now = await service.office_now(office)
    return await spend.spent(session, page, now=now, days=days, user_id=user_id)


async def _listed(
    session: AsyncSession, office: TheOffice, who: Principal, rows: Sequence[Run]
) -> Mapping[str, RunOut]:
    found = await views.of_runs(session, rows)
    words = ("title", "error_message", "files_modified")
    seen = await readers.shown(session, office, who, rows, [*found.values()], words=words)
    return {run.id: run for run in seen}


async def _fresh(office: TheOffice, who: Principal, id: str) -> AgentSessionOut:
    async with office.storage.app.read() as session:
        run = await repository.get(session, who, id)
        shown = await views.of_session(session, office, who, run)
        return await readers.whole(session, office, who, run, shown)
