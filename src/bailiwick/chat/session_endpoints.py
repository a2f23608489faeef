"""REST of sessions with agents: each is a thread, and what is said there is said in it."""

from fastapi import APIRouter, Depends

from bailiwick.agents.endpoints import sees_agent
from bailiwick.agents.schemas import AgentId
from bailiwick.chat import service, sessions
from bailiwick.chat.posting import Said
from bailiwick.errors import Invalid
from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.office import TheOffice
from bailiwick.runs import readers, views
from bailiwick.runs import repository as runs
from bailiwick.runs import service as run_service
from bailiwick.runs.endpoints import sees_session
from bailiwick.runs.files import store
from bailiwick.runs.schemas import (
    AgentSessionIn,
    AgentSessionOut,
    RunId,
    SessionMessageIn,
    pasted_ranges,
)
from bailiwick.runs.start import RunRequest

router = APIRouter(tags=["runs"], route_class=IdempotentRoute)


@router.post("/agents/{agent_id}/sessions", status_code=201, dependencies=[Depends(sees_agent)])
async def start_session(
    agent_id: AgentId, body: AgentSessionIn, who: SignedIn, session: WriteSession, office: TheOffice
) -> AgentSessionOut:
    """Start a session with an agent; with words, it sets to work at once."""
    now = await run_service.office_now(office)
    if body.files and body.content is None:
        raise Invalid.field("files", "say something with them")
    if body.content is None:
        thread = await service.create(session, who, agent_id)
        request = RunRequest(variables=body.variables, thread_id=thread.id)
        run = await run_service.start(session, who, agent_id, request, now=now)
        thread.run_id = run.id
    else:
        said = Said(
            words=body.content,
            pasted=pasted_ranges(body.pasted),
            files=await store.taken(session, who.user_id, body.files),
            variables=body.variables,
        )
        run = await sessions.begin(session, who, agent_id, said, now=now)
    shown = await views.of_session(session, office, who, run)
    return await readers.shared(session, office, who, run, shown)


@router.post(
    "/sessions/{session_id}/message", status_code=202, dependencies=[Depends(sees_session)]
)
async def send_message(
    session_id: RunId,
    body: SessionMessageIn,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
) -> AgentSessionOut:
    """Say something to the agent; it sets to work, and its answer comes as it is written."""
    now = await run_service.office_now(office)
    run = await runs.get(session, who, session_id)
    said = Said(
        words=body.content,
        pasted=pasted_ranges(body.pasted),
        files=await store.taken(session, who.user_id, body.files),
        variables=run.variables,
    )
    run = await sessions.say(session, who, run, said, now=now)
    shown = await views.of_session(session, office, who, run)
    return await readers.shared(session, office, who, run, shown)
