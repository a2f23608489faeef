"""REST of templates: those of a workspace, and the ones that come with Bailiwick."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents.presets import PRESETS, Preset
from bailiwick.agents.prompts import repository, service
from bailiwick.agents.prompts.endpoints import content, shown
from bailiwick.agents.prompts.models import Prompt
from bailiwick.agents.prompts.schemas import (
    PromptChange,
    PromptIn,
    TemplateId,
    TemplateOut,
    TemplateSummaryOut,
)
from bailiwick.errors import Forbidden
from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.workspaces.schemas import OfWorkspace

router = APIRouter(prefix="/prompt-templates", tags=["prompts"], route_class=IdempotentRoute)
_PREFIX = "builtin:"
_BUILT_IN = {_PREFIX + preset.slug: preset for preset in PRESETS}


async def _seen(template_id: TemplateId, who: SignedIn, session: ReadSession) -> Prompt | Preset:
    if preset := _BUILT_IN.get(template_id):
        return preset
    return await service.enter_by_id(session, who, template_id, kind="template", need="read")


async def _edited(template_id: TemplateId, who: SignedIn, session: WriteSession) -> Prompt:
    if template_id in _BUILT_IN:
        raise Forbidden("This template comes with Bailiwick. Copy it to change it.")
    return await service.enter_by_id(session, who, template_id, kind="template", need="write")


SeenTemplate = Annotated[Prompt | Preset, Depends(_seen)]
EditedTemplate = Annotated[Prompt, Depends(_edited)]


@router.get("")
async def list_prompt_templates(
    who: SignedIn,
    session: ReadSession,
    page: PageQuery,
    workspace_id: Annotated[OfWorkspace | None, Query(alias="workspaceId")] = None,
) -> Page[TemplateSummaryOut]:
    """The templates of one's workspaces by name, then the built-in ones, without messages."""
    rows = await repository.listed(session, who, kind="template", workspace_id=workspace_id)
    own = [TemplateSummaryOut(**asdict(row), built_in=False) for row in rows]
    shown = [*own, *(_summary(preset) for preset in PRESETS)]
    return page_of(shown, page, by=lambda template: template.id)


@router.post("", status_code=201)
async def create_prompt_template(
    body: PromptIn, who: SignedIn, session: WriteSession
) -> TemplateOut:
    """Make a template from which the workspace's prompts can start."""
    made = await service.create(
        session, who, body.workspace_id, kind="template", content=content(body)
    )
    return await _out(session, made)


@router.get("/{template_id}")
async def read_prompt_template(template: SeenTemplate, session: ReadSession) -> TemplateOut:
    """One template."""
    if isinstance(template, Preset):
        summary = dict(_summary(template))
        return TemplateOut(**summary, messages=shown(template.messages), imprint=[])
    return await _out(session, template)


@router.put("/{template_id}")
async def change_prompt_template(
    body: PromptChange, template: EditedTemplate, who: SignedIn, session: WriteSession
) -> TemplateOut:
    """Replace what a template says; 409 if someone else did meanwhile."""
    changed = await service.change(
        session, who, template, content=content(body), revision=body.revision
    )
    return await _out(session, changed)


@router.delete("/{template_id}", status_code=204)
async def remove_prompt_template(
    template: EditedTemplate, who: SignedIn, session: WriteSession
) -> None:
    """Remove a template; what was started from it stays."""
    await service.remove(session, who, template)


def _summary(preset: Preset) -> TemplateSummaryOut:
    return TemplateSummaryOut(
        id=_PREFIX + preset.slug,
        built_in=True,
        workspace_id=None,
        name=preset.name,
        description=preset.summary,
        owner_name=None,
        revision=1,
        created_at=None,
        updated_at=None,
    )


async def _out(session: AsyncSession, row: Prompt) -> TemplateOut:
    plain = TemplateOut.model_fields.keys() - {"owner_name", "built_in"}
    return TemplateOut(
        **{name: getattr(row, name) for name in plain},
        built_in=False,
        owner_name=await repository.owner_name(session, row),
    )
