"""Talking with the organiser about the inbox."""

from bailiwick.chat import sessions
from bailiwick.chat.posting import Said
from bailiwick.errors import NotFound
from bailiwick.identity.principal import Principal
from bailiwick.inbox import settings
from bailiwick.inbox.schemas import InboxMessageIn, InboxMessageOut
from bailiwick.office import Office
from bailiwick.runs import repository as runs
from bailiwick.runs import service as run_service
from bailiwick.runs.schemas import pasted_ranges
from bailiwick.workspaces.access import WorkspaceAccess


async def said(
    office: Office, who: Principal, access: WorkspaceAccess, body: InboxMessageIn
) -> InboxMessageOut:
    """Begin a session with the organiser, or go on with one."""
    now = await run_service.office_now(office)
    said_now = Said(words=body.message, pasted=pasted_ranges(body.pasted))
    async with office.storage.app.write() as session:
        agent = await settings.organiser(session, access.id)
        if body.session_id is None:
            run = await sessions.begin(session, who, agent.id, said_now, now=now)
        else:
            found = await runs.get(session, who, body.session_id)
            if found.agent_id != agent.id:
                raise NotFound("That is no conversation with the organiser of this inbox.")
            run = await sessions.say(session, who, found, said_now, now=now)
        return InboxMessageOut(session_id=run.id, agent_id=agent.id, status=run.status)
