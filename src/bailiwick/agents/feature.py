"""Agents as a feature."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import director_endpoints, endpoints, repository
from bailiwick.agents.discovery.tools import tools
from bailiwick.agents.prompts import endpoints as prompts
from bailiwick.agents.prompts import template_endpoints as templates
from bailiwick.errors import Conflict
from bailiwick.feature import Feature, Removal
from bailiwick.instance.changes import Actor
from bailiwick.mail.filters.service import KnowsDirectors


async def _model_stays(session: AsyncSession, _: Actor, model_id: str) -> None:
    """A model goes when no agent uses it any more."""
    if names := await repository.using_model(session, model_id):
        reason = f"It is used by {', '.join(names[:5])}. Give them another model first."
        raise Conflict(reason)


feature = Feature(
    name="agents",
    routers=[prompts.router, templates.router, endpoints.router, director_endpoints.router],
    removals={"model": Removal(within=_model_stays)},
    tools=tools,
    facts=[KnowsDirectors(repository.directors, repository.taking)],
)
