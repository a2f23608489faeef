"""REST of guidelines, and of the changes to them that decisions speak for."""

from typing import Annotated

from fastapi import APIRouter, Depends

from bailiwick.errors import NotFound
from bailiwick.gate.people import Visible
from bailiwick.identity.access import SignedIn
from bailiwick.inbox import guideline, repository
from bailiwick.inbox.endpoints import OfInbox, among
from bailiwick.inbox.guideline import Guideline
from bailiwick.inbox.schemas import (
    GuidelineIn,
    GuidelineOut,
    GuidelineProposalOut,
    ProposalAnswerIn,
    ProposalId,
)
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.library.models import Notebook
from bailiwick.library.schemas import NotebookId
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import WorkspaceAccess, enter

router = APIRouter(prefix="/inbox", tags=["inbox"], route_class=IdempotentRoute)


async def _shown(
    notebook_id: NotebookId, who: SignedIn, stores: Stores, visible: Visible
) -> Notebook:
    async with stores.app.read() as session:
        found = await repository.notebook(session, notebook_id)
        if found is None or found.workspace_id not in visible:
            raise NotFound("That notebook does not exist, or you may not see it.")
        return found


async def _used(
    notebook: Annotated[Notebook, Depends(_shown)], who: SignedIn, stores: Stores
) -> WorkspaceAccess:
    async with stores.app.read() as session:
        return await enter(session, who, notebook.workspace_id, need="write")


ShownNotebook = Annotated[Notebook, Depends(_shown)]
UsedNotebook = Annotated[WorkspaceAccess, Depends(_used)]


@router.get("/guidelines")
async def list_guidelines(
    visible: Visible,
    stores: Stores,
    office: TheOffice,
    page: PageQuery,
    workspace_id: OfInbox = None,
) -> Page[GuidelineOut]:
    """The guideline of each notebook."""
    async with stores.app.read() as session:
        notebooks = await repository.notebooks(session, among(visible, workspace_id))
    shown = [_out(await guideline.read(office, each)) for each in notebooks]
    return page_of(shown, page, by=lambda each: each.notebook_id)


@router.put("/guidelines/{notebook_id}")
async def write_guideline(
    notebook: ShownNotebook,
    access: UsedNotebook,
    body: GuidelineIn,
    who: SignedIn,
    office: TheOffice,
) -> GuidelineOut:
    """Replace the guideline of a notebook; refused if it is another than the one that was read."""
    made = await guideline.replace(office, who, access, notebook, text=body.text, seen=body.digest)
    return _out(made)


@router.get("/proposals")
async def list_guideline_proposals(
    visible: Visible,
    stores: Stores,
    office: TheOffice,
    page: PageQuery,
    workspace_id: OfInbox = None,
) -> Page[GuidelineProposalOut]:
    """Changes to guidelines that wait for an answer."""
    some = among(visible, workspace_id)
    async with stores.app.read() as session:
        rows = await repository.proposals(session, some)
        notebooks = {each.id: each for each in await repository.notebooks(session, some)}
    shown = [
        GuidelineProposalOut.of(
            row, diff=await guideline.diff(office, notebooks[row.notebook_id], row)
        )
        for row in rows
        if row.notebook_id in notebooks
    ]
    return page_of(shown, page, by=lambda each: each.id)


async def _answered(
    proposal_id: ProposalId, who: SignedIn, stores: Stores, visible: Visible
) -> WorkspaceAccess:
    async with stores.app.read() as session:
        row = await repository.proposal(session, visible, proposal_id)
        return await enter(session, who, row.workspace_id, need="write")


@router.post("/proposals/{proposal_id}/resolve")
async def resolve_guideline_proposal(
    proposal_id: ProposalId,
    access: Annotated[WorkspaceAccess, Depends(_answered)],
    body: ProposalAnswerIn,
    who: SignedIn,
    office: TheOffice,
) -> GuidelineProposalOut:
    """Take a proposed change over into the guideline, or not."""
    row = await guideline.answer(office, who, access, proposal_id, accepts=body.action == "accept")
    return GuidelineProposalOut.of(row, diff="")


def _out(found: Guideline) -> GuidelineOut:
    return GuidelineOut(
        notebook_id=found.notebook.id,
        notebook=found.notebook.name,
        text=found.text,
        digest=found.digest,
    )
