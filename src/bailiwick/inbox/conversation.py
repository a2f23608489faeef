"""Talking with the organiser about the inbox."""

from bailiwick.errors import NotFound
from bailiwick.identity.principal import Principal
from bailiwick.inbox import settings
from bailiwick.inbox.schemas import InboxMessageIn, InboxMessageOut
from bailiwick.office import Office
from bailiwick.runs import repository as runs
from bailiwick.runs import service as run_service
from bailiwick.runs.schemas import pasted_ranges
from bailiwick.runs.start import RunRequest
from bailiwick.workspaces.access import WorkspaceAccess


async def said(
    office: Office, who: Principal, access: WorkspaceAccess, body: InboxMessageIn
) -> InboxMessageOut:
    """Begin a session with the organiser, or go on with one."""
    now, pasted = await run_service.office_now(office), pasted_ranges(body.pasted)
    async with office.storage.app.write() as session:
        agent = await settings.organiser(session, access.id)
        if body.session_id is None:
            request = RunRequest(words=body.message, pasted=pasted)
            run = await run_service.start(session, who, agent.id, request, now=now)
        else:
            found = await runs.get(session, who, body.session_id)
            if found.agent_id != agent.id:
                raise NotFound("That is no conversation with the organiser of this inbox.")
            run = await run_service.say(
                session, who, body.session_id, body.message, pasted=pasted, now=now
            )
        return InboxMessageOut(session_id=run.id, agent_id=agent.id, status=run.status)
