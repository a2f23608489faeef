"""REST of prompts."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents.prompts import preview, repository, service
from bailiwick.agents.prompts.mail_variables import MAIL_VARIABLES
from bailiwick.agents.prompts.models import Prompt
from bailiwick.agents.prompts.render import BUILT_IN, PromptMessage
from bailiwick.agents.prompts.schemas import (
    BuiltInVariable,
    DraftMessage,
    PromptChange,
    PromptId,
    PromptIn,
    PromptMessageIn,
    PromptMessageOut,
    PromptOut,
    PromptPreviewIn,
    PromptPreviewOut,
    PromptSummaryOut,
)
from bailiwick.agents.prompts.service import PromptContent
from bailiwick.identity.access import SignedIn, Widening
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.llm.outgoing import OutgoingRedaction
from bailiwick.office import TheOffice
from bailiwick.workspaces.schemas import OfWorkspace

router = APIRouter(prefix="/prompts", tags=["prompts"], route_class=IdempotentRoute)


async def _seen(prompt_id: PromptId, who: SignedIn, session: ReadSession) -> Prompt:
    return await service.enter_by_id(session, who, prompt_id, kind="prompt", need="read")


async def _edited(prompt_id: PromptId, who: SignedIn, session: WriteSession) -> Prompt:
    return await service.enter_by_id(session, who, prompt_id, kind="prompt", need="write")


SeenPrompt = Annotated[Prompt, Depends(_seen)]
EditedPrompt = Annotated[Prompt, Depends(_edited)]


@router.get("")
async def list_prompts(
    who: SignedIn,
    session: ReadSession,
    page: PageQuery,
    workspace_id: Annotated[OfWorkspace | None, Query(alias="workspaceId")] = None,
) -> Page[PromptSummaryOut]:
    """The prompts of one's workspaces, by name, without their messages."""
    rows = await repository.listed(session, who, kind="prompt", workspace_id=workspace_id)
    shown = [PromptSummaryOut.model_validate(row) for row in rows]
    return page_of(shown, page, by=lambda prompt: prompt.id)


@router.post("", status_code=201)
async def create_prompt(body: PromptIn, who: SignedIn, session: WriteSession) -> PromptOut:
    """Make a prompt that the workspace's agents can use."""
    made = await service.create(
        session, who, body.workspace_id, kind="prompt", content=content(body)
    )
    return await _out(session, made)


@router.get("/variables")
async def list_prompt_variables(_: SignedIn, page: PageQuery) -> Page[BuiltInVariable]:
    """The variables that every prompt may use, and those of a mail that was handed over."""
    shown = [BuiltInVariable.model_validate(each) for each in (*BUILT_IN, *MAIL_VARIABLES)]
    return page_of(shown, page, by=lambda variable: variable.name)


@router.post("/preview")
async def preview_prompt(body: PromptPreviewIn, _: SignedIn, office: TheOffice) -> PromptPreviewOut:
    """What a model would read, redacted; a variable without a value is named, and left as it is."""
    asked = (messages(body.messages), messages(body.imprint))
    seen = await preview.preview(office[OutgoingRedaction], *asked, values=body.values)
    return PromptPreviewOut(
        messages=shown(seen.messages), variables=seen.variables, missing=seen.missing
    )


@router.get("/{prompt_id}")
async def read_prompt(prompt: SeenPrompt, session: ReadSession) -> PromptOut:
    """One prompt."""
    return await _out(session, prompt)


@router.put("/{prompt_id}")
async def change_prompt(
    body: PromptChange, who: Widening, prompt: EditedPrompt, session: WriteSession
) -> PromptOut:
    """Replace what a prompt says; 409 if someone else did meanwhile."""
    changed = await service.change(
        session, who, prompt, content=content(body), revision=body.revision
    )
    return await _out(session, changed)


@router.delete("/{prompt_id}", status_code=204)
async def remove_prompt(prompt: EditedPrompt, who: SignedIn, session: WriteSession) -> None:
    """Remove a prompt; 409 while an agent uses it."""
    await service.remove(session, who, prompt)


def content(body: PromptIn | PromptChange) -> PromptContent:
    """What a body says."""
    return PromptContent(
        body.name, body.description, messages(body.messages), messages(body.imprint)
    )


def messages(wire: Sequence[PromptMessageIn | DraftMessage]) -> list[PromptMessage]:
    """Messages from the wire."""
    return [PromptMessage(each.role, each.content) for each in wire]


def shown(found: Sequence[PromptMessage]) -> list[PromptMessageOut]:
    """Messages for the wire."""
    return [PromptMessageOut.model_validate(each) for each in found]


async def _out(session: AsyncSession, row: Prompt) -> PromptOut:
    plain = PromptOut.model_fields.keys() - {"owner_name"}
    return PromptOut(
        **{name: getattr(row, name) for name in plain},
        owner_name=await repository.owner_name(session, row),
    )
