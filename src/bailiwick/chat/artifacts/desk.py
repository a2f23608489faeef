"""The code of the artifact tools, each beside its inverse.

A run works on the artifacts of its own thread alone. People and outside clients name the thread,
and it has to be their own.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_for
from bailiwick.artifacts import events, service
from bailiwick.artifacts import repository as artifacts
from bailiwick.artifacts.models import Artifact, ArtifactDependency, ArtifactVersion, AuthorKind
from bailiwick.artifacts.service import ArtifactAuthor, ArtifactPlace, Provenance
from bailiwick.chat import repository
from bailiwick.chat.artifacts.arguments import (
    CreateArtifact,
    ListArtifacts,
    OneArtifact,
    UpdateArtifact,
)
from bailiwick.chat.models import Thread
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.office import Office
from bailiwick.runs import repository as runs
from bailiwick.runs.models import Run
from bailiwick.tools.tool import Receipt, Ref, ToolContext, ToolOutput
from bailiwick.tools.trust import Source

_LISTED = 4_000  # characters of an artifact that a list shows
GONE = "There is no such artifact here. List the artifacts to see what there is."
_NO_THREAD = "You are in no conversation here. Say which one: threadId."
_PERSONS = "A person has changed this artifact, so it stays as it is. Make a new one."


@dataclass(frozen=True, slots=True)
class _Desk:
    """A thread, and who works in it."""

    thread: Thread
    author: ArtifactAuthor

    @property
    def place(self) -> ArtifactPlace:
        thread = self.thread
        return ArtifactPlace(thread.workspace_id, thread.owner_id, thread_id=thread.id)


class ArtifactDesk:
    """The code of the artifact tools."""

    def __init__(self, office: Office) -> None:
        self._app = office.storage.app

    async def create(self, context: ToolContext, arguments: CreateArtifact) -> ToolOutput:
        """Add an artifact to the thread."""
        async with self._app.write() as session:
            desk = await _desk(session, context, arguments.thread_id, tool="create_artifact")
            made_of = [await _get(session, desk, id) for id in dict.fromkeys(arguments.depends_on)]
            provenance = Provenance(
                arguments.type, context.actor_name, tuple(arguments.data_sources)
            )
            made = await service.add(
                session,
                desk.place,
                desk.author,
                arguments.made,
                key=context.key,
                provenance=provenance,
            )
            for each in made_of:
                await session.merge(ArtifactDependency(artifact_id=made.id, on_id=each.id))
            shown = await _shown(session, [made])
        return _output(shown, made, "made", receipt={"artifact": made.id})

    async def uncreate(
        self, context: ToolContext, arguments: CreateArtifact, receipt: Receipt
    ) -> ToolOutput:
        """Remove the artifact that was made."""
        async with self._changing(context, arguments, receipt["artifact"]) as (session, _, made):
            service.remove(session, made, by=context.actor_id)
        return ToolOutput({"removed": True}, summary="artifact removed again")

    async def list(self, context: ToolContext, arguments: ListArtifacts) -> ToolOutput:
        """The artifacts of the thread, each with its trust label."""
        async with self._app.read() as session:
            desk = await _desk(session, context, arguments.thread_id)
            found = await artifacts.of_thread(session, desk.thread.id)
            shown = await _shown(session, found, most=_LISTED)
        return ToolOutput(
            {"artifacts": shown},
            summary=f"{len(found)} artifacts",
            sources=tuple(map(source_of, found)),
        )

    async def get(self, context: ToolContext, arguments: OneArtifact) -> ToolOutput:
        """One artifact with its whole content."""
        async with self._app.read() as session:
            desk = await _desk(session, context, arguments.thread_id)
            found = await _get(session, desk, arguments.id)
            shown = await _shown(session, [found])
        return _output(shown, found, "read")

    async def update(self, context: ToolContext, arguments: UpdateArtifact) -> ToolOutput:
        """Change an artifact; the earlier version is kept, and what was made of it is told."""
        async with self._changing(context, arguments, arguments.id) as (session, desk, found):
            if found.changed_by == "person" and desk.author.kind != "person":
                raise Conflict(_PERSONS)
            before = found.revision
            await service.update(
                session,
                found,
                desk.author,
                arguments.patch.values,
                expected=arguments.expected_revision,
            )
            if found.revision != before:
                for each in await artifacts.dependents(session, found.id):
                    events.emit(
                        session, each, events.OUTDATED, by=context.actor_id, changedId=found.id
                    )
            shown = await _shown(session, [found])
        receipt = {"artifact": found.id, "before": before, "after": found.revision}
        return _output(shown, found, "changed", receipt if before != found.revision else None)

    async def updated(self, context: ToolContext, arguments: UpdateArtifact) -> ToolOutput | None:
        """Whether the change took effect; the version before is the one before this."""
        async with self._app.read() as session:
            desk = await _desk(session, context, arguments.thread_id)
            found = await _get(session, desk, arguments.id)
            content = await service.content_of(session, found)
            wanted = arguments.patch.values
            if any(getattr(content, name) != value for name, value in wanted.items()):
                return None
            shown = await _shown(session, [found])
        receipt = {"artifact": found.id, "before": found.revision - 1, "after": found.revision}
        return _output(shown, found, "changed", receipt if found.revision > 1 else None)

    async def restore(
        self, context: ToolContext, arguments: UpdateArtifact, receipt: Receipt
    ) -> ToolOutput:
        """Give an artifact back what it held before, unless someone changed it since."""
        async with self._changing(context, arguments, receipt["artifact"]) as (
            session,
            desk,
            found,
        ):
            if found.revision != receipt["after"]:
                raise Conflict("Someone has changed this artifact since. Nothing was undone.")
            before = await service.content_of(session, found, revision=receipt["before"])
            patch = {**before.columns(), "data": before.data, "tags": before.tags}
            await service.update(session, found, desk.author, patch)
            shown = await _shown(session, [found])
        return _output(shown, found, "restored")

    async def remove(self, context: ToolContext, arguments: OneArtifact) -> ToolOutput:
        """Remove an artifact; it can be brought back."""
        async with self._changing(context, arguments, arguments.id) as (session, desk, found):
            if found.changed_by == "person" and desk.author.kind != "person":
                raise Conflict(_PERSONS)
            service.remove(session, found, by=context.actor_id)
        return ToolOutput(
            {"removed": True}, summary="artifact removed", receipt={"artifact": found.id}
        )

    async def removed(self, context: ToolContext, arguments: OneArtifact) -> ToolOutput | None:
        """Whether the artifact is gone."""
        async with self._app.read() as session:
            desk = await _desk(session, context, arguments.thread_id)
            found = await _get(session, desk, arguments.id, deleted=True)
        if found.deleted_at is None:
            return None
        return ToolOutput(
            {"removed": True}, summary="artifact removed", receipt={"artifact": found.id}
        )

    async def bring_back(
        self, context: ToolContext, arguments: OneArtifact, receipt: Receipt
    ) -> ToolOutput:
        """Show a removed artifact again."""
        async with self._changing(context, arguments, receipt["artifact"], deleted=True) as (
            session,
            _,
            found,
        ):
            service.bring_back(session, found, by=context.actor_id)
            shown = await _shown(session, [found])
        return _output(shown, found, "brought back")

    async def preview_create(
        self, context: ToolContext, arguments: CreateArtifact
    ) -> Mapping[str, Any]:
        """The artifact to be made."""
        return {"kind": "text", "text": f"{arguments.title}\n{arguments.content}"[:5000]}

    async def preview_update(
        self, context: ToolContext, arguments: UpdateArtifact
    ) -> Mapping[str, Any]:
        """What the artifact says, and what it would say."""
        async with self._app.read() as session:
            desk = await _desk(session, context, arguments.thread_id)
            found = await _get(session, desk, arguments.id)
            now = await service.content_of(session, found)
        fields = {
            name: {"before": str(getattr(now, name))[:5000], "after": str(value)[:5000]}
            for name, value in arguments.patch.values.items()
            if getattr(now, name) != value
        }
        return {"kind": "fields", "title": found.title, "fields": fields}

    async def preview_remove(
        self, context: ToolContext, arguments: OneArtifact
    ) -> Mapping[str, Any]:
        """The artifact to be removed."""
        async with self._app.read() as session:
            desk = await _desk(session, context, arguments.thread_id)
            found = await _get(session, desk, arguments.id)
        text = f'Removes the artifact "{found.title}". This can be undone.'
        return {"kind": "note", "text": text}

    @asynccontextmanager
    async def _changing(
        self,
        context: ToolContext,
        arguments: CreateArtifact | OneArtifact,
        id: str,
        *,
        deleted: bool = False,
    ) -> AsyncGenerator[tuple[AsyncSession, _Desk, Artifact]]:
        async with self._app.write() as session:
            desk = await _desk(session, context, arguments.thread_id)
            yield session, desk, await _get(session, desk, id, deleted=deleted, lock=True)


async def _desk(
    session: AsyncSession, context: ToolContext, thread_id: str | None, *, tool: str | None = None
) -> _Desk:
    """The thread that a call is about, for whoever may work in it."""
    run = await session.get(Run, context.context_id) if context.context_id else None
    thread = (
        await _of_run(session, run, thread_id) if run else await _named(session, context, thread_id)
    )
    outside: AuthorKind = "person" if context.in_person else "tool"
    author = ArtifactAuthor(
        "agent" if run else outside,
        context.actor_id,
        context.actor_name,
        context.label,
        run_id=run.id if run else None,
        tool=tool,
    )
    return _Desk(thread, author)


async def _of_run(session: AsyncSession, run: Run, thread_id: str | None) -> Thread:
    """The thread of a run, or of the one that asked for it."""
    above = await runs.askers(session, run)
    here = next((each.thread_id for each in above if each.thread_id), None)
    if here is None:
        raise Invalid.field("threadId", _NO_THREAD)
    thread = await session.get(Thread, here)
    if thread is None or thread_id not in (None, here):
        raise NotFound(repository.GONE)
    return thread


async def _named(session: AsyncSession, context: ToolContext, thread_id: str | None) -> Thread:
    if thread_id is None:
        raise Invalid.field("threadId", _NO_THREAD)
    reader = await reader_for(session, context.user_id)
    thread = await repository.get(session, reader, thread_id)
    if thread.workspace_id != context.workspace_id or not reader.has(thread.owner_id):
        raise NotFound(repository.GONE)
    return thread


async def _get(
    session: AsyncSession, desk: _Desk, id: str, *, deleted: bool = False, lock: bool = False
) -> Artifact:
    found = await artifacts.by_id(session, id, lock=lock)
    is_here = found is not None and found.thread_id == desk.thread.id
    if found is None or not is_here or (found.deleted_at and not deleted):
        raise NotFound(GONE)
    return found


def source_of(artifact: Artifact) -> Source:
    """Whose words an artifact holds."""
    return Source(artifact.label, f'the artifact "{artifact.title[:60]}"')


async def _shown(
    session: AsyncSession, found: Sequence[Artifact], *, most: int | None = None
) -> list[dict[str, Any]]:
    contents = await artifacts.newest(session, found)
    return [_artifact(each, contents[each.id], most) for each in found]


def _artifact(artifact: Artifact, version: ArtifactVersion, most: int | None) -> dict[str, Any]:
    is_text = artifact.encoding == "utf8" and (most is None or len(version.data) <= most)
    return {
        "id": Ref("item", artifact.id),
        "title": artifact.title,
        "type": artifact.kind,
        "description": artifact.description,
        "mimeType": artifact.mime_type,
        "content": version.data if is_text else None,
        "revision": artifact.revision,
        "trust": artifact.label,
    }


def _output(
    shown: Sequence[Mapping[str, Any]],
    artifact: Artifact,
    what: str,
    receipt: Receipt | None = None,
) -> ToolOutput:
    return ToolOutput(
        {"artifact": shown[0]},
        summary=f"artifact {what}",
        sources=(source_of(artifact),),
        receipt=receipt,
    )
