"""Finds the agent of a run by what was stored of it."""

from bailiwick.agents import callers
from bailiwick.agents import repository as agents
from bailiwick.gate import people
from bailiwick.gate.call import Caller
from bailiwick.identity.principal import OPERATOR
from bailiwick.office import Office
from bailiwick.runs import repository, sessions
from bailiwick.runs.models import Run
from bailiwick.runs.states import LIVE


async def find_agent(
    office: Office, id: str, workspace_id: str, context_id: str | None
) -> Caller | None:
    """Who an agent is now, in the run that a call of it was made in.

    None if the agent is gone or off, its run or the one that asked is over, or its person has left.
    """
    async with office.storage.app.read() as session:
        run = await session.get(Run, context_id) if context_id else None
        agent = await agents.by_id(session, id)
        if run is None or agent is None or run.agent_id != id or run.status not in LIVE:
            return None
        if await repository.is_parent_over(session, run):
            return None
        colleagues = await callers.colleagues_of(session, agent)
        director = await sessions.director(session, run)
    person = await people.find_user(office, run.user_id or OPERATOR.id, workspace_id)
    if person is None or not agent.active or agent.workspace_id != workspace_id:
        return None
    return callers.caller(agent, person, colleagues, only=run.only_tools, director_id=director)
