"""REST of the inbox."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from bailiwick.errors import BailiwickError, Invalid, NotFound
from bailiwick.gate.people import Visible
from bailiwick.identity.access import SignedIn, Widening
from bailiwick.identity.principal import Principal
from bailiwick.inbox import conversation, judging, repository, settings, views
from bailiwick.inbox.models import SuggestionStatus
from bailiwick.inbox.resolution import Resolution, Resolved, SuggestionAnswer
from bailiwick.inbox.schemas import (
    BatchId,
    InboxFileOut,
    InboxMessageIn,
    InboxMessageOut,
    InboxProgressOut,
    InboxSettingsOut,
    InboxSettingsPatch,
    OrganizeIn,
    ResolvedOneOut,
    ResolveManyIn,
    ResolveManyOut,
    ResolveOut,
    SuggestionAnswerIn,
    SuggestionId,
    SuggestionOut,
    SuggestionsOut,
    UndoneOut,
)
from bailiwick.kit import ids
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import WorkspaceAccess, WorkspaceRole, enter
from bailiwick.workspaces.schemas import OfWorkspace

router = APIRouter(prefix="/inbox", tags=["inbox"], route_class=IdempotentRoute)
OfInbox = Annotated[
    OfWorkspace | None, Query(alias="workspaceId", description="Left out: your only workspace")
]


async def entered(
    who: Principal, stores: Stores, visible: Visible, id: str | None, *, need: WorkspaceRole
) -> WorkspaceAccess:
    """The workspace whose inbox is meant."""
    if id is None and len(visible) != 1:
        raise Invalid.field("workspaceId", "say which workspace: you are in several, or in none")
    async with stores.app.read() as session:
        return await enter(session, who, id or visible[0], need=need)


async def _shown(
    who: SignedIn, stores: Stores, visible: Visible, workspace_id: OfInbox = None
) -> WorkspaceAccess:
    return await entered(who, stores, visible, workspace_id, need="read")


async def _used(
    who: SignedIn, stores: Stores, visible: Visible, workspace_id: OfInbox = None
) -> WorkspaceAccess:
    return await entered(who, stores, visible, workspace_id, need="write")


async def _led(
    who: Widening, stores: Stores, visible: Visible, workspace_id: OfInbox = None
) -> WorkspaceAccess:
    return await entered(who, stores, visible, workspace_id, need="admin")


ShownInbox = Annotated[WorkspaceAccess, Depends(_shown)]
UsedInbox = Annotated[WorkspaceAccess, Depends(_used)]
LedInbox = Annotated[WorkspaceAccess, Depends(_led)]


def among(visible: Visible, workspace_id: str | None) -> list[str]:
    """The workspaces that a list is about: all that one sees, or the one that is named."""
    if workspace_id is None:
        return [*visible]
    if workspace_id not in visible:
        raise NotFound("That workspace does not exist, or you are not a member of it.")
    return [workspace_id]


async def _sees(suggestion_id: SuggestionId, visible: Visible, session: ReadSession) -> None:
    await repository.suggestion(session, visible, suggestion_id)


async def _sees_batch(batch_id: BatchId, visible: Visible, session: ReadSession) -> None:
    if not await repository.of_batch(session, visible, batch_id):
        raise NotFound("There is nothing to take back: it was taken back already.")


# Whoever may not see it is refused before anything is said of what they sent.
_OF_ONE = [Depends(_sees)]


def _resolved(done: Resolved) -> dict[str, Any]:
    return {
        "success": done.approval_id is None,
        "file_moved": done.moved,
        "new_path": done.suggestion.new_path if done.moved else None,
        "approval_id": done.approval_id,
    }


@router.get("/suggestions")
async def list_suggestions(
    who: SignedIn,
    office: TheOffice,
    visible: Visible,
    page: PageQuery,
    status: SuggestionStatus | None = None,
    workspace_id: OfInbox = None,
) -> SuggestionsOut:
    """Where papers in the inbox belong, newest first."""
    return await views.suggestions(
        office, who, among(visible, workspace_id), status=status, page=page
    )


@router.get("/suggestions/{suggestion_id}")
async def read_suggestion(
    suggestion_id: SuggestionId, who: SignedIn, office: TheOffice, visible: Visible
) -> SuggestionOut:
    """One suggestion."""
    async with office.storage.app.read() as session:
        row = await repository.suggestion(session, visible, suggestion_id)
    return await views.suggestion(office, who, row)


@router.post("/suggestions/{suggestion_id}/resolve", dependencies=_OF_ONE)
async def resolve_suggestion(
    suggestion_id: SuggestionId,
    body: SuggestionAnswerIn,
    who: SignedIn,
    office: TheOffice,
    visible: Visible,
) -> ResolveOut:
    """Say yes or no to a suggestion, or name another folder; a yes moves the file."""
    answer = SuggestionAnswer(body.action == "accept", body.target_folder, body.name)
    done = await Resolution(office, who).resolve(visible, suggestion_id, answer)
    return ResolveOut(**_resolved(done))


@router.post("/suggestions/{suggestion_id}/undo")
async def reopen_suggestion(
    suggestion_id: SuggestionId, who: SignedIn, office: TheOffice, visible: Visible
) -> SuggestionOut:
    """Take an answer back: the file returns, and the suggestion waits again."""
    async with office.storage.app.read() as session:
        row = await repository.suggestion(session, visible, suggestion_id)
        await enter(session, who, row.workspace_id, need="write")
    await Resolution(office, who).undo(visible, row)
    async with office.storage.app.read() as session:
        row = await repository.suggestion(session, visible, suggestion_id)
    return await views.suggestion(office, who, row)


@router.post("/suggestions/resolve")
async def resolve_suggestions(
    body: ResolveManyIn, who: SignedIn, office: TheOffice, visible: Visible
) -> ResolveManyOut:
    """Give several suggestions one answer; what cannot be done says why, and the rest is done."""
    batch_id, results = ids.new("bat"), list[ResolvedOneOut]()
    resolution = Resolution(office, who)
    answer = SuggestionAnswer(body.action == "accept", batch_id=batch_id)
    for id in dict.fromkeys(body.ids):
        try:
            done = await resolution.resolve(visible, id, answer)
        except BailiwickError as error:
            results.append(
                ResolvedOneOut(id=id, success=False, file_moved=False, problem=error.detail)
            )
            continue
        results.append(ResolvedOneOut(id=id, **_resolved(done)))
    return ResolveManyOut(batch_id=batch_id, results=results)


@router.post("/batches/{batch_id}/undo", dependencies=[Depends(_sees_batch)])
async def undo_batch(
    batch_id: BatchId, who: SignedIn, office: TheOffice, visible: Visible
) -> UndoneOut:
    """Take back all answers that were given together."""
    async with office.storage.app.read() as session:
        rows = await repository.of_batch(session, visible, batch_id)
        for workspace_id in {row.workspace_id for row in rows}:
            await enter(session, who, workspace_id, need="write")
    problems = await Resolution(office, who).undo_all(visible, rows)
    return UndoneOut(reopened=len(rows) - len(problems), problems=problems)


@router.get("/files")
async def list_inbox_files(
    who: SignedIn,
    office: TheOffice,
    visible: Visible,
    page: PageQuery,
    workspace_id: OfInbox = None,
) -> Page[InboxFileOut]:
    """What waits in the inboxes, newest first, and how far looking at it has come."""
    shown = await views.files(office, who, among(visible, workspace_id))
    return page_of(shown, page, by=lambda file: file.id)


@router.get("/progress")
async def read_inbox_progress(access: ShownInbox, session: ReadSession) -> InboxProgressOut:
    """How far looking through the inbox has come."""
    return views.progress(await repository.files(session, [access.id]))


@router.post("/organize")
async def organize_inbox(
    access: UsedInbox, office: TheOffice, body: OrganizeIn | None = None
) -> InboxProgressOut:
    """Let the organiser look at everything in the inbox that has no suggestion, or at these."""
    await judging.organise(office, access.id, only=body.file_ids if body else None)
    async with office.storage.app.read() as session:
        return views.progress(await repository.files(session, [access.id]))


@router.get("/settings")
async def read_inbox_settings(access: ShownInbox, session: ReadSession) -> InboxSettingsOut:
    """How the inbox is organised."""
    return await views.settings(session, access.id)


@router.patch("/settings")
async def change_inbox_settings(
    access: LedInbox, body: InboxSettingsPatch, who: SignedIn, session: WriteSession
) -> InboxSettingsOut:
    """Change how the inbox is organised; what is left out stays."""
    given = {name: getattr(body, name) for name in body.model_fields_set}
    await settings.change(session, who.actor, access.id, given)
    await session.flush()
    return await views.settings(session, access.id)


@router.post("/agent/message")
async def tell_organiser(
    body: InboxMessageIn, who: SignedIn, stores: Stores, office: TheOffice, visible: Visible
) -> InboxMessageOut:
    """Talk with the organiser about the inbox; its answer streams in the session."""
    access = await entered(who, stores, visible, body.workspace_id, need="write")
    return await conversation.said(office, who, access, body)
