"""The code of the inbox's tools: one suggestion for a paper, and the guideline."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import BailiwickError, Conflict, Invalid, NotFound, RuleViolated
from bailiwick.inbox import events, learning, places, repository, settings
from bailiwick.inbox.arguments import CreateSuggestion, ReadGuideline
from bailiwick.inbox.models import Suggestion
from bailiwick.kit import clock, ids
from bailiwick.library import changes as file_changes
from bailiwick.library import labels
from bailiwick.library.index.models import IndexedFile
from bailiwick.library.models import Notebook
from bailiwick.library.read import as_text
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.office import Office
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.tool import Receipt, ToolContext, ToolOutput
from bailiwick.tools.trust import Source

GUIDELINE = "guideline.md"
LONGEST_GUIDELINE = 200_000
_NOT_IN_INBOX = "is not in an inbox; only what waits there can be given a folder"
_NO_FOLDER = "There is no folder {}. Choose one that exists: get_folder_tree shows them."
_OTHERS = "You were asked about {}, and about no other file."
_HAS_ONE = "There is a suggestion for {} already: {}. A person answers that one first."


class Filing:
    """What the tools do."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._app = office.storage.app
        self._paths = PathResolver(office)

    async def create_suggestion(
        self, context: ToolContext, arguments: CreateSuggestion
    ) -> ToolOutput:
        """Suggest a folder for a paper; nothing moves until a person says so."""
        notebooks = await self._paths.notebooks(context.workspace_id, context.scope)
        place = await self._paper(context, arguments.file_path, notebooks)
        target = await self._target(context, arguments.target_folder, place, notebooks)
        async with self._app.read() as session:
            file = await self._indexed(session, context, place)
            record = await repository.record_of(session, context.workspace_id, str(target))
        vector = await learning.vector_of(self._office, file)
        row = Suggestion(
            id=ids.new("sug"),
            workspace_id=context.workspace_id,
            notebook_id=place.notebook.id,
            file_id=file.id,
            digest=file.digest,
            file_path=str(place.path),
            target_folder=str(target),
            reasoning=arguments.reasoning.strip(),
            stated=arguments.confidence,
            confidence=learning.confidence(arguments.confidence, record),
            status="pending",
            key=context.key,
            run_id=_run_of(context),
            vector=vector,
            created_at=clock.now(),
        )
        try:
            async with self._app.write() as session:
                session.add(row)
                await session.flush()
                events.emit(session, row, events.SUGGESTED, by=context.actor_id)
        except IntegrityError:
            return await self._known(context, file)
        return _output(row)

    async def preview(self, context: ToolContext, arguments: CreateSuggestion) -> Mapping[str, Any]:
        """What a person sees before they allow it."""
        notebooks = await self._paths.notebooks(context.workspace_id, context.scope)
        place = await self._paper(context, arguments.file_path, notebooks)
        target = await self._target(context, arguments.target_folder, place, notebooks)
        return {"kind": "note", "text": f"Suggests {target} for {place.path}. Nothing moves."}

    async def suggested(
        self, context: ToolContext, arguments: CreateSuggestion
    ) -> ToolOutput | None:
        """Whether this very call made its suggestion."""
        async with self._app.read() as session:
            row = await repository.by_key(session, context.key)
        return _output(row) if row else None

    async def withdraw(
        self, context: ToolContext, arguments: CreateSuggestion, receipt: Receipt
    ) -> ToolOutput:
        """Take a suggestion back that nobody answered."""
        async with self._app.write() as session:
            row = await repository.suggestion(
                session, [context.workspace_id], receipt["suggestion"], lock=True
            )
            if row.status == "pending":
                row.status, row.resolved_at = "expired", clock.now()
                events.emit(session, row, events.EXPIRED, by=context.actor_id)
        return ToolOutput({"withdrawn": True}, summary="suggestion withdrawn")

    async def read_guideline(self, context: ToolContext, arguments: ReadGuideline) -> ToolOutput:
        """What people wrote about where things belong, in each notebook that may be seen."""
        found: list[str] = []
        sources: list[Source] = []
        for notebook in await self._paths.notebooks(context.workspace_id, context.scope):
            if arguments.notebook not in (None, notebook.name):
                continue
            place = ResolvedPath(
                notebook,
                await self._paths.root(notebook),
                VirtualPath((notebook.name, GUIDELINE)),
            )
            if not context.scope.allows_file(place.path):
                continue
            try:
                read = place.root.read
                content, _ = await asyncio.to_thread(read, place.names, most=LONGEST_GUIDELINE)
            except BailiwickError:
                continue  # this one has none
            rows = await self._paths.known(notebook, [place.names])
            label = labels.of_content(notebook, rows, place.names, file_changes.digest(content))
            sources.append(place.source(label))
            found.append(f"# {notebook.name}\n\n{as_text(content) or ''}".strip())
        return ToolOutput(
            {"guideline": "\n\n".join(found) or f"No {GUIDELINE} found."},
            summary=f"{len(found)} guidelines",
            sources=tuple(sources),
        )

    async def _paper(
        self, context: ToolContext, text: str, notebooks: Sequence[Notebook]
    ) -> ResolvedPath:
        path = VirtualPath.parse(text, field="file_path")
        known = {row.name for row in notebooks}
        if path.notebook not in known and places.is_inbox(path.names[:-1]):
            path = VirtualPath((await self._notebook_of(context, path, notebooks), *path.names))
        place = await self._paths.file(context, str(path), field="file_path")
        if not places.holds(place.path):
            raise Invalid.field("file_path", f"{place.path} {_NOT_IN_INBOX}")
        await asyncio.to_thread(place.root.facts, place.names)
        return place

    async def _notebook_of(
        self, context: ToolContext, path: VirtualPath, notebooks: Sequence[Notebook]
    ) -> str:
        """The notebook whose inbox is meant: that of the paper in hand, or the one that has it."""
        async with self._app.read() as session:
            judgement = await repository.judgement_of_run(session, context.context_id)
            holding = [
                row
                for row in notebooks
                if await repository.file_at(session, row.id, "/".join(path.names))
            ]
        for row in holding or notebooks:
            if judgement is None or row.id == judgement.notebook_id:
                return row.name
        raise NotFound(f"There is no {path} in any notebook.")

    async def _target(
        self,
        context: ToolContext,
        text: str,
        paper: ResolvedPath,
        notebooks: Sequence[Notebook],
    ) -> VirtualPath:
        path = VirtualPath.parse(text, field="target_folder")
        if path.notebook not in {row.name for row in notebooks}:
            path = VirtualPath((paper.notebook.name, *path.names))
        folder = await self._paths.folder(context, path)
        if places.is_inbox(folder.names):
            raise Invalid.field(
                "target_folder", "is the inbox itself; choose where it goes from it"
            )
        async with self._app.read() as session:
            chosen = await settings.of(session, context.workspace_id)
        if places.is_untouchable(paper.names, chosen.never_touch):
            raise RuleViolated(f"{paper.path} is among what nobody touches here.")
        try:
            await asyncio.to_thread(folder.root.entries, folder.names, most=1)
        except NotFound:
            if not chosen.new_folders:
                raise NotFound(_NO_FOLDER.format(path)) from None
        return path

    async def _indexed(
        self, session: AsyncSession, context: ToolContext, place: ResolvedPath
    ) -> IndexedFile:
        file = await repository.file_at(session, place.notebook.id, "/".join(place.names))
        if file is None or file.digest is None:
            raise Conflict(f"{place.path} has only just arrived. Try again in a moment.")
        judgement = await repository.judgement_of_run(session, context.context_id)
        if judgement and judgement.file_id != file.id:
            raise RuleViolated(_OTHERS.format(judgement.path))
        return file

    async def _known(self, context: ToolContext, file: IndexedFile) -> ToolOutput:
        async with self._app.read() as session:
            if mine := await repository.by_key(session, context.key):
                return _output(mine)
            there = await repository.pending_of(session, [file.id])
        folder = there[0].target_folder if there else "it was answered just now"
        raise Conflict(_HAS_ONE.format(file.path, folder))


def _run_of(context: ToolContext) -> str | None:
    """The run in which it was called; a client's own context is none."""
    id = context.context_id or ""
    return id if re.match(ids.pattern("run"), id) else None


def _output(row: Suggestion) -> ToolOutput:
    data = {
        "id": row.id,
        "file_path": row.file_path,
        "target_folder": row.target_folder,
        "confidence": row.confidence,
        "status": row.status,
    }
    return ToolOutput(data, summary="a suggestion", receipt={"suggestion": row.id})
