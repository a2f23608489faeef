"""Finds the agent of a run by what was stored of it."""

from dataclasses import dataclass

from bailiwick.agents import callers
from bailiwick.agents import repository as agents
from bailiwick.gate import people
from bailiwick.gate.call import Caller
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit.db import Storage
from bailiwick.runs.models import Run
from bailiwick.runs.states import LIVE


@dataclass(frozen=True, slots=True)
class AgentCallers:
    """Who an agent is now, in the run that a call of it was made in."""

    storage: Storage

    async def __call__(self, id: str, workspace_id: str, context_id: str | None) -> Caller | None:
        """None if the agent is gone or off, its run is over, or its person has left."""
        async with self.storage.app.read() as session:
            run = await session.get(Run, context_id) if context_id else None
            agent = await agents.by_id(session, id)
            if run is None or agent is None or run.agent_id != id or run.status not in LIVE:
                return None
            colleagues = await callers.colleagues_of(session, agent)
        person = await people.UserCallers(self.storage)(run.user_id or OPERATOR.id, workspace_id)
        if person is None or not agent.active or agent.workspace_id != workspace_id:
            return None
        return callers.caller(agent, person, colleagues)
