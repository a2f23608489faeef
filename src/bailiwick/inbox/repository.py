"""All SQL of the inbox."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Row, and_, case, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from bailiwick.agents.models import Agent
from bailiwick.errors import NotFound
from bailiwick.inbox.models import (
    GuidelineProposal,
    Judgement,
    Suggestion,
    SuggestionStatus,
)
from bailiwick.kit.db.chunks import chunks
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.library.index.models import FileText, IndexedFile
from bailiwick.library.labels import INBOX
from bailiwick.library.models import Notebook
from bailiwick.runs.models import Run
from bailiwick.workspaces.models import Member, Workspace

GONE = "That suggestion does not exist, or you may not see it."
DECIDED: tuple[SuggestionStatus, ...] = ("accepted", "rejected")
_LEARNT_FROM = 500


@dataclass(frozen=True, slots=True)
class InboxFile:
    """A file that waits in an inbox, and how far looking at it has come."""

    file: IndexedFile
    notebook: Notebook
    judgement: Judgement | None
    suggestion: Suggestion | None


@dataclass(frozen=True, slots=True)
class FolderRecord:
    """What people said to suggestions of one folder."""

    accepted: int = 0
    refused: int = 0


async def first_admin(session: AsyncSession, workspace_id: str) -> str | None:
    """Who has been an admin of a workspace for longest."""
    statement = (
        select(Member.user_id)
        .where(Member.workspace_id == workspace_id, Member.role == "admin")
        .order_by(Member.created_at, Member.user_id)
        .limit(1)
    )
    return await session.scalar(statement)


async def shared_organiser(session: AsyncSession, workspace_id: str) -> Agent | None:
    """An organiser that somebody made and shares."""
    statement = (
        select(Agent)
        .where(
            Agent.workspace_id == workspace_id,
            Agent.kind == "organiser",
            Agent.shared,
            Agent.deleted_at.is_(None),
        )
        .order_by(Agent.created_at, Agent.id)
        .limit(1)
    )
    return await session.scalar(statement)


async def judged_elsewhere(
    session: AsyncSession, workspace_id: str, notebook_id: str | None
) -> bool:
    """Whether anything was looked at in another notebook than this one."""
    statement = select(Judgement.id).where(
        Judgement.workspace_id == workspace_id, Judgement.notebook_id != notebook_id
    )
    return await session.scalar(statement.limit(1)) is not None


async def workspaces(session: AsyncSession) -> Sequence[str]:
    """All of them."""
    return (await session.scalars(select(Workspace.id))).all()


async def unjudged(
    session: AsyncSession, workspace_id: str
) -> Sequence[Row[IndexedFile, Notebook]]:
    """Files in the inboxes whose text is ready or given up, and whose content nobody judged."""
    statement = (
        select(IndexedFile, Notebook)
        .options(undefer(IndexedFile.vector))
        .join(Notebook, Notebook.id == IndexedFile.notebook_id)
        .outerjoin(
            Judgement,
            (Judgement.notebook_id == IndexedFile.notebook_id)
            & (Judgement.digest == IndexedFile.digest),
        )
        .where(
            Notebook.workspace_id == workspace_id,
            _in_inbox(),
            IndexedFile.digest.is_not(None),
            IndexedFile.text_state != "waiting",
            Judgement.id.is_(None),
        )
        .order_by(IndexedFile.first_seen_at, IndexedFile.id)
    )
    return (await session.execute(statement)).all()


async def files(session: AsyncSession, workspace_ids: Collection[str]) -> list[InboxFile]:
    """What waits in the inboxes of workspaces, newest first."""
    statement = (
        select(IndexedFile, Notebook, Judgement, Suggestion)
        .join(Notebook, Notebook.id == IndexedFile.notebook_id)
        .outerjoin(
            Judgement,
            (Judgement.notebook_id == IndexedFile.notebook_id)
            & (Judgement.digest == IndexedFile.digest),
        )
        .outerjoin(
            Suggestion,
            (Suggestion.file_id == IndexedFile.id) & (Suggestion.status == "pending"),
        )
        .where(Notebook.workspace_id.in_(workspace_ids), _in_inbox())
        .order_by(IndexedFile.first_seen_at.desc(), IndexedFile.id)
    )
    return [InboxFile(*row) for row in await session.execute(statement)]


async def file_at(session: AsyncSession, notebook_id: str, path: str) -> IndexedFile | None:
    """The indexed file of a notebook at a path."""
    statement = (
        select(IndexedFile)
        .options(undefer(IndexedFile.vector))
        .where(
            IndexedFile.notebook_id == notebook_id,
            IndexedFile.path == path,
            IndexedFile.gone_at.is_(None),
        )
    )
    return (await session.scalars(statement)).one_or_none()


async def text_of(session: AsyncSession, file: IndexedFile) -> str:
    """What a file says, as far as anything could read it."""
    statement = select(FileText.text).where(FileText.number == file.number)
    return "\n".join((await session.scalars(statement)).all())


async def texts_of(session: AsyncSession, file_ids: Collection[str]) -> dict[str, str]:
    """What files say, by their ids."""
    statement = (
        select(IndexedFile.id, FileText.text)
        .join(FileText, FileText.number == IndexedFile.number)
        .where(IndexedFile.id.in_(file_ids))
    )
    return {id: text for id, text in await session.execute(statement)}  # noqa: C416


async def beginnings(
    session: AsyncSession, numbers: Collection[int], *, most: int
) -> dict[int, str]:
    """How the texts of files begin, by the files' numbers."""
    found: dict[int, str] = {}
    for some in chunks(list(numbers)):
        statement = (
            select(FileText.number, func.substr(FileText.text, 1, most))
            .where(FileText.number.in_(some))
            .order_by(FileText.number, FileText.extractor)
        )
        found |= {number: text for number, text in await session.execute(statement)}  # noqa: C416
    return found


async def notebook(session: AsyncSession, id: str) -> Notebook | None:
    """A notebook, whoever asks."""
    return await session.get(Notebook, id)


async def notebooks(session: AsyncSession, workspace_ids: Collection[str]) -> Sequence[Notebook]:
    """The notebooks of workspaces, by name."""
    statement = select(Notebook).where(Notebook.workspace_id.in_(workspace_ids))
    return (await session.scalars(statement.order_by(Notebook.name, Notebook.id))).all()


async def judgement_of_run(session: AsyncSession, run_id: str | None) -> Judgement | None:
    """What a run looks at."""
    if run_id is None:
        return None
    statement = select(Judgement).where(Judgement.run_id == run_id)
    return (await session.scalars(statement)).first()


async def judging(session: AsyncSession, run_ids: Collection[str]) -> set[str]:
    """Which of these runs look at a paper."""
    statement = select(Judgement.run_id).where(Judgement.run_id.in_(run_ids))
    return {id for id in await session.scalars(statement) if id}


async def judgement(session: AsyncSession, id: str) -> Judgement | None:
    """One judgement, to be changed."""
    return await session.get(Judgement, id, with_for_update=True, populate_existing=True)


async def judgement_of(session: AsyncSession, notebook_id: str, digest: str) -> Judgement | None:
    """What is known of a content."""
    statement = select(Judgement).where(
        Judgement.notebook_id == notebook_id, Judgement.digest == digest
    )
    return (await session.scalars(statement)).one_or_none()


async def forget_judgements(
    session: AsyncSession, workspace_id: str, digests: Collection[str]
) -> None:
    """Nothing is known of these contents any more, but for those that are looked at now."""
    for some in chunks(list(digests)):
        await session.execute(
            delete(Judgement).where(
                Judgement.workspace_id == workspace_id,
                Judgement.digest.in_(some),
                Judgement.status.in_(("judged", "undecided", "failed")),
            )
        )


async def unfinished(session: AsyncSession) -> list[tuple[Judgement, Run | None]]:
    """Judgements that wait or are under way, with their runs."""
    statement = (
        select(Judgement, Run)
        .outerjoin(Run, Run.id == Judgement.run_id)
        .where(Judgement.status.in_(("waiting", "running")))
    )
    return [(row, run) for row, run in await session.execute(statement)]


async def suggestion(
    session: AsyncSession, workspace_ids: Collection[str], id: str, *, lock: bool = False
) -> Suggestion:
    """A suggestion in one of these workspaces, or `NotFound`."""
    statement = select(Suggestion).where(
        Suggestion.id == id, Suggestion.workspace_id.in_(workspace_ids)
    )
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound(GONE)
    return found


async def suggestions(
    session: AsyncSession,
    workspace_ids: Collection[str],
    *,
    status: SuggestionStatus | None,
    page: PageRequest,
) -> Rows[Suggestion]:
    """Suggestions of workspaces, newest first."""
    statement = select(Suggestion).where(Suggestion.workspace_id.in_(workspace_ids))
    if status:
        statement = statement.where(Suggestion.status == status)
    return await paginate(session, statement, page, by=(Suggestion.created_at, Suggestion.id))


async def by_key(session: AsyncSession, key: str) -> Suggestion | None:
    """The suggestion that a call made."""
    return (await session.scalars(select(Suggestion).where(Suggestion.key == key))).one_or_none()


async def pending_of(session: AsyncSession, file_ids: Collection[str]) -> Sequence[Suggestion]:
    """What is suggested for files now."""
    statement = select(Suggestion).where(
        Suggestion.file_id.in_(file_ids), Suggestion.status == "pending"
    )
    return (await session.scalars(statement)).all()


async def pending_with_files(
    session: AsyncSession, workspace_id: str
) -> list[tuple[Suggestion, IndexedFile | None, Notebook | None]]:
    """What waits for an answer, with its file as the index has it now."""
    statement = (
        select(Suggestion, IndexedFile, Notebook)
        .outerjoin(IndexedFile, IndexedFile.id == Suggestion.file_id)
        .outerjoin(Notebook, Notebook.id == IndexedFile.notebook_id)
        .where(Suggestion.workspace_id == workspace_id, Suggestion.status == "pending")
    )
    return [(row, file, book) for row, file, book in await session.execute(statement)]


async def accepted_in_inbox(
    session: AsyncSession, workspace_id: str
) -> list[tuple[Suggestion, IndexedFile, Notebook]]:
    """What was accepted, and has a file of that content in the same inbox all the same."""
    statement = (
        select(Suggestion, IndexedFile, Notebook)
        .join(
            IndexedFile,
            (IndexedFile.notebook_id == Suggestion.notebook_id)
            & (IndexedFile.digest == Suggestion.digest),
        )
        .join(Notebook, Notebook.id == IndexedFile.notebook_id)
        .where(
            Suggestion.workspace_id == workspace_id, Suggestion.status == "accepted", _in_inbox()
        )
        .order_by(Suggestion.resolved_at.desc())
    )
    return [(row, file, book) for row, file, book in await session.execute(statement)]


async def of_run(session: AsyncSession, run_id: str) -> Suggestion | None:
    """What a run suggested."""
    return (await session.scalars(select(Suggestion).where(Suggestion.run_id == run_id))).first()


async def of_action(session: AsyncSession, action_id: str) -> Suggestion | None:
    """The suggestion that an action carried out."""
    statement = select(Suggestion).where(Suggestion.action_id == action_id)
    return (await session.scalars(statement)).one_or_none()


async def of_actions(session: AsyncSession, action_ids: Collection[str]) -> set[str]:
    """Which of these actions carried out a suggestion."""
    statement = select(Suggestion.action_id).where(Suggestion.action_id.in_(action_ids))
    return {id for id in await session.scalars(statement) if id}


async def of_batch(
    session: AsyncSession, workspace_ids: Collection[str], batch_id: str
) -> Sequence[Suggestion]:
    """What was answered together."""
    statement = select(Suggestion).where(
        Suggestion.batch_id == batch_id, Suggestion.workspace_id.in_(workspace_ids)
    )
    return (await session.scalars(statement.order_by(Suggestion.id))).all()


async def decided(session: AsyncSession, workspace_id: str) -> Sequence[Suggestion]:
    """What people decided, newest first."""
    statement = (
        select(Suggestion)
        .where(Suggestion.workspace_id == workspace_id, Suggestion.status.in_(DECIDED))
        .order_by(Suggestion.resolved_at.desc())
        .limit(_LEARNT_FROM)
    )
    return (await session.scalars(statement)).all()


async def record_of(session: AsyncSession, workspace_id: str, folder: str) -> FolderRecord:
    """What people said when this folder was suggested."""
    kept = (Suggestion.status == "accepted") & (Suggestion.chosen_folder == folder)
    statement = select(func.count(), func.sum(case((kept, 1), else_=0))).where(
        Suggestion.workspace_id == workspace_id,
        Suggestion.target_folder == folder,
        Suggestion.status.in_(DECIDED),
    )
    total, accepted = (await session.execute(statement)).one()
    return FolderRecord(accepted or 0, total - (accepted or 0))


async def proposals(
    session: AsyncSession, workspace_ids: Collection[str]
) -> Sequence[GuidelineProposal]:
    """Changes of guidelines that wait for an answer."""
    statement = select(GuidelineProposal).where(
        GuidelineProposal.workspace_id.in_(workspace_ids), GuidelineProposal.status == "pending"
    )
    return (await session.scalars(statement.order_by(GuidelineProposal.created_at))).all()


async def proposal(
    session: AsyncSession, workspace_ids: Collection[str], id: str, *, lock: bool = False
) -> GuidelineProposal:
    """One proposed change, to be answered."""
    statement = select(GuidelineProposal).where(
        GuidelineProposal.id == id, GuidelineProposal.workspace_id.in_(workspace_ids)
    )
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound("That proposal does not exist, or you may not see it.")
    return found


async def latest_proposal(session: AsyncSession, notebook_id: str) -> GuidelineProposal | None:
    """The newest proposal for a notebook, whatever was said to it."""
    statement = (
        select(GuidelineProposal)
        .where(GuidelineProposal.notebook_id == notebook_id)
        .order_by(GuidelineProposal.created_at.desc())
        .limit(1)
    )
    return await session.scalar(statement)


def _in_inbox() -> ColumnElement[bool]:
    folder = func.lower(IndexedFile.folder)
    there = or_(folder == INBOX, folder.startswith(f"{INBOX}/", autoescape=True))
    return and_(IndexedFile.gone_at.is_(None), there)
