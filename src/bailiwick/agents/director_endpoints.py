"""REST of directors: agents that mail is given to, in the form of the mail office's document."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from bailiwick.agents import repository
from bailiwick.agents.models import Agent
from bailiwick.agents.schemas import PromptBlock
from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import ReadSession
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.kit.http.wire import Wire
from bailiwick.workspaces.schemas import OfWorkspace

router = APIRouter(prefix="/directors", tags=["agents"])


class DirectorOut(Wire):
    """A director; `/agents/{id}` has all of it, and is where it is changed."""

    id: str
    workspace_id: str
    name: str
    prompt: list[PromptBlock]
    prompt_id: str | None = Field(description="The shared prompt that it uses in place of its own")
    imprint: list[PromptBlock]
    api_config_id: str | None = Field(description="Its model; null: the default")
    account_ids: list[str] = Field(
        description="Whose mail reaches it; none: its owner's, and of a shared one all members'"
    )
    memory_access: list[str] = Field(description="Agents whose local memories it may read")
    agent_ids: list[str] = Field(description="Agents that it may ask, in their order")
    is_active: bool


@router.get("")
async def list_directors(
    who: SignedIn,
    session: ReadSession,
    page: PageQuery,
    workspace_id: Annotated[OfWorkspace | None, Query(alias="workspaceId")] = None,
) -> Page[DirectorOut]:
    """The directors among the agents that one may see, in their order."""
    rows = await repository.listed(session, who, workspace_id=workspace_id)
    shown = [_out(row.agent) for row in rows if row.agent.kind == "director"]
    return page_of(shown, page, by=lambda director: director.id)


def _out(agent: Agent) -> DirectorOut:
    return DirectorOut(
        id=agent.id,
        workspace_id=agent.workspace_id,
        name=agent.name,
        prompt=[PromptBlock(**block) for block in agent.prompt],
        prompt_id=agent.prompt_id,
        imprint=[PromptBlock(**block) for block in agent.imprint],
        api_config_id=agent.model_id,
        account_ids=agent.accounts,
        memory_access=agent.memory_access,
        agent_ids=agent.colleagues,
        is_active=agent.active,
    )
