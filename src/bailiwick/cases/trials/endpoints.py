"""REST of trials: part of a director's editor, so for a person and no program."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter

from bailiwick.agents.endpoints import SEEN
from bailiwick.agents.prompts.endpoints import messages, shown
from bailiwick.agents.prompts.render import PromptMessage
from bailiwick.agents.prompts.schemas import PromptPreviewOut
from bailiwick.agents.schemas import AgentId, PromptBlock
from bailiwick.cases.trials import service
from bailiwick.cases.trials.schemas import MailPreviewIn, TrialIn
from bailiwick.cases.trials.service import PromptDraft
from bailiwick.identity.access import in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.mail.schemas import MailLineOut
from bailiwick.office import TheOffice
from bailiwick.runs import repository, views
from bailiwick.runs.schemas import AgentSessionOut

router = APIRouter(prefix="/agents", tags=["cases"], route_class=IdempotentRoute)

TriesInPerson = Annotated[Principal, in_person("a token cannot try directors")]


@router.get("/{agent_id}/mails", openapi_extra=IN_PERSON, dependencies=SEEN)
async def list_director_mail(
    agent_id: AgentId, who: TriesInPerson, office: TheOffice, page: PageQuery
) -> Page[MailLineOut]:
    """The newest mail that may reach a director, and that one may read oneself."""
    rows = await service.recent(office, who, agent_id, page)
    return rows.map(lambda line: line)


@router.post("/{agent_id}/preview", openapi_extra=IN_PERSON, dependencies=SEEN)
async def preview_director(
    agent_id: AgentId, body: MailPreviewIn, who: TriesInPerson, office: TheOffice
) -> PromptPreviewOut:
    """What a director's model would read of a mail, redacted; nothing is saved."""
    draft = PromptDraft(
        None if body.messages is None else messages(body.messages),
        None if body.imprint is None else messages(body.imprint),
    )
    seen = await service.look(office, who, agent_id, mail_id=body.mail_id, draft=draft)
    return PromptPreviewOut(
        messages=shown(seen.messages), variables=seen.variables, missing=seen.missing
    )


@router.post("/{agent_id}/trials", status_code=201, openapi_extra=IN_PERSON, dependencies=SEEN)
async def try_director(
    agent_id: AgentId, body: TrialIn, who: TriesInPerson, office: TheOffice
) -> AgentSessionOut:
    """Let a director work on a mail without any effect; its calls say what it would have done."""
    draft = PromptDraft(_blocks(body.prompt), _blocks(body.imprint))
    id = await service.begin(
        office, who, agent_id, mail_id=body.mail_id, draft=draft, model_id=body.model_id
    )
    async with office.storage.app.read() as session:
        run = await repository.get(session, who, id)
        return await views.of_session(session, office, who, run)


def _blocks(given: Sequence[PromptBlock] | None) -> Sequence[PromptMessage] | None:
    if given is None:
        return None
    return [PromptMessage(each.role, each.content) for each in given]
