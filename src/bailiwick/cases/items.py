"""The code of the item tools, each beside its inverse.

A run works on the items of its own case alone. People and outside clients name the case, and need
the same right in it as for answering its mail.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_for
from bailiwick.agents import repository as agents
from bailiwick.artifacts import repository as artifacts
from bailiwick.artifacts import service
from bailiwick.artifacts.models import Artifact, ArtifactVersion
from bailiwick.artifacts.service import ArtifactAuthor, ArtifactPlace
from bailiwick.cases import repository
from bailiwick.cases.arguments import AddItem, ListItems, OneItem, RemoveItem, UpdateItem
from bailiwick.cases.models import Case
from bailiwick.errors import Conflict, Forbidden, Invalid, NotFound
from bailiwick.office import Office
from bailiwick.runs.models import Run
from bailiwick.tools.tool import Receipt, Ref, ToolContext, ToolOutput
from bailiwick.tools.trust import Source

_LISTED = 4_000  # characters of an item that a list shows
_NO_CASE = "You work on no case here. Say which one: caseId."
_TRIAL = "This run has no effects, and no case: there are no items to look at. Go on without."
_ELSEWHERE = "That case does not exist, or you do not work on it."
_PERSONS = (
    "A person has changed this item, so it stays as it is. Add a new one, and name this one in "
    "`supersedes`."
)


@dataclass(frozen=True, slots=True)
class _Desk:
    """A case, and who works on it."""

    case: Case
    author: ArtifactAuthor
    director_name: str

    @property
    def place(self) -> ArtifactPlace:
        case = self.case
        return ArtifactPlace(case.workspace_id, case.owner_id, case.account_id, case.id)


class CaseItems:
    """The code of the item tools."""

    def __init__(self, office: Office) -> None:
        self._app = office.storage.app

    async def add(self, context: ToolContext, arguments: AddItem) -> ToolOutput:
        """Add an item to the case."""
        content = arguments.content
        async with self._app.write() as session:
            desk = await self._desk(session, context, arguments.case_id, "workspace_add_item")
            before = await self._superseded(session, desk, arguments.supersedes)
            item = await service.add(
                session, desk.place, desk.author, content, key=context.key, supersedes=before
            )
            shown = await self._shown(session, desk, [item])
        return _output(shown, item, "added", receipt={"case": desk.case.id, "item": item.id})

    async def unadd(self, context: ToolContext, arguments: AddItem, receipt: Receipt) -> ToolOutput:
        """Remove the item that was added."""
        async with self._changing(context, receipt["case"], receipt["item"]) as (session, _, item):
            service.remove(session, item, by=context.actor_id)
        return ToolOutput({"removed": True}, summary="item removed again")

    async def list(self, context: ToolContext, arguments: ListItems) -> ToolOutput:
        """The items of the case, each with its trust label."""
        async with self._app.read() as session:
            desk = await self._desk(session, context, arguments.case_id, need="read")
            found = await artifacts.of_case(session, desk.case.id)
            shown = await self._shown(session, desk, found, most=_LISTED)
        return ToolOutput(
            {"items": shown},
            summary=f"{len(found)} items",
            sources=tuple(map(_source, found)),
        )

    async def get(self, context: ToolContext, arguments: OneItem) -> ToolOutput:
        """One item with its whole content."""
        async with self._app.read() as session:
            desk = await self._desk(session, context, arguments.case_id, need="read")
            item = await artifacts.get(session, desk.case.id, arguments.id)
            shown = await self._shown(session, desk, [item])
        return _output(shown, item, "read")

    async def update(self, context: ToolContext, arguments: UpdateItem) -> ToolOutput:
        """Change an item; the earlier version is kept."""
        given = arguments.patch.values
        async with self._changing(context, arguments.case_id, arguments.id) as (
            session,
            desk,
            item,
        ):
            _require_agents_own(desk, item)
            before = item.revision
            await service.update(
                session, item, desk.author, given, expected=arguments.expected_revision
            )
            shown = await self._shown(session, desk, [item])
        receipt = {"case": desk.case.id, "item": item.id, "before": before, "after": item.revision}
        return _output(shown, item, "changed", receipt if before != item.revision else None)

    async def updated(self, context: ToolContext, arguments: UpdateItem) -> ToolOutput | None:
        """Whether the change took effect; the version before is the one before this."""
        given = arguments.patch.values
        async with self._app.read() as session:
            desk = await self._desk(session, context, arguments.case_id)
            item = await artifacts.get(session, desk.case.id, arguments.id)
            content = await service.content_of(session, item)
            if any(getattr(content, name) != value for name, value in given.items()):
                return None
            shown = await self._shown(session, desk, [item])
        return _output(shown, item, "changed")

    async def restore(
        self, context: ToolContext, arguments: UpdateItem, receipt: Receipt
    ) -> ToolOutput:
        """Bring an earlier version back, as a new one."""
        async with self._changing(context, receipt["case"], receipt["item"]) as (
            session,
            desk,
            item,
        ):
            if item.revision != receipt["after"]:
                raise Conflict("This item was changed since. Nothing was undone.")
            before = await service.content_of(session, item, revision=receipt["before"])
            values = {**before.columns(), "tags": before.tags, "data": before.data}
            await service.update(session, item, desk.author, values)
            shown = await self._shown(session, desk, [item])
        return _output(shown, item, "put back")

    async def remove(self, context: ToolContext, arguments: RemoveItem) -> ToolOutput:
        """Remove an item; softly, unless it is to go for good."""
        async with self._changing(
            context, arguments.case_id, arguments.id, deleted=arguments.hard_delete
        ) as (session, desk, item):
            _require_agents_own(desk, item)
            if arguments.hard_delete:
                await service.erase(session, item, by=context.actor_id)
            else:
                service.remove(session, item, by=context.actor_id)
        what = "removed for good" if arguments.hard_delete else "removed"
        receipt = None if arguments.hard_delete else {"case": desk.case.id, "item": item.id}
        return ToolOutput({"removed": True}, summary=f"item {what}", receipt=receipt)

    async def removed(self, context: ToolContext, arguments: RemoveItem) -> ToolOutput | None:
        """Whether the item is gone."""
        async with self._app.read() as session:
            desk = await self._desk(session, context, arguments.case_id)
            try:
                item = await artifacts.get(session, desk.case.id, arguments.id, deleted=True)
            except NotFound:
                return ToolOutput({"removed": True}, summary="item removed for good")
        if item.deleted_at is None or arguments.hard_delete:
            return None
        receipt = {"case": desk.case.id, "item": item.id}
        return ToolOutput({"removed": True}, summary="item removed", receipt=receipt)

    async def bring_back(
        self, context: ToolContext, arguments: RemoveItem, receipt: Receipt
    ) -> ToolOutput:
        """Show a removed item again."""
        async with self._changing(context, receipt["case"], receipt["item"], deleted=True) as (
            session,
            desk,
            item,
        ):
            service.bring_back(session, item, by=context.actor_id)
            shown = await self._shown(session, desk, [item])
        return _output(shown, item, "brought back")

    async def preview_add(self, context: ToolContext, arguments: AddItem) -> Mapping[str, Any]:
        """The item to be added."""
        return {"kind": "text", "text": f"{arguments.label}\n{arguments.data}"[:5000]}

    async def preview_update(
        self, context: ToolContext, arguments: UpdateItem
    ) -> Mapping[str, Any]:
        """What the item says, and what it would say."""
        async with self._app.read() as session:
            desk = await self._desk(session, context, arguments.case_id)
            item = await artifacts.get(session, desk.case.id, arguments.id)
            now = await service.content_of(session, item)
        fields = {
            name: {"before": str(getattr(now, name))[:5000], "after": str(value)[:5000]}
            for name, value in arguments.patch.values.items()
            if getattr(now, name) != value
        }
        return {"kind": "fields", "title": item.title, "fields": fields}

    async def preview_remove(
        self, context: ToolContext, arguments: RemoveItem
    ) -> Mapping[str, Any]:
        """The item to be removed."""
        async with self._app.read() as session:
            desk = await self._desk(session, context, arguments.case_id)
            item = await artifacts.get(session, desk.case.id, arguments.id, deleted=True)
        end = "for good" if arguments.hard_delete else "This can be undone"
        return {"kind": "note", "text": f'Removes the item "{item.title}". {end}.'}

    @asynccontextmanager
    async def _changing(
        self, context: ToolContext, case_id: str | None, id: str, *, deleted: bool = False
    ) -> AsyncGenerator[tuple[AsyncSession, _Desk, Artifact]]:
        async with self._app.write() as session:
            desk = await self._desk(session, context, case_id)
            item = await artifacts.get(session, desk.case.id, id, deleted=deleted, lock=True)
            yield session, desk, item

    async def _desk(
        self,
        session: AsyncSession,
        context: ToolContext,
        case_id: str | None,
        tool: str | None = None,
        *,
        need: Literal["read", "send"] = "send",
    ) -> _Desk:
        """The case that a call is about, for whoever may work on it."""
        run = await session.get(Run, context.context_id) if context.context_id else None
        if run is not None:
            case = await _of_run(session, run, case_id)
        else:
            case = await _named(session, context, case_id, need)
        director = await agents.by_id(session, case.director_id)
        author = await _author(session, context, case, run, tool)
        return _Desk(case, author, director.name if director else "")

    async def _superseded(
        self, session: AsyncSession, desk: _Desk, id: str | None
    ) -> Artifact | None:
        if id is None:
            return None
        return await artifacts.get(session, desk.case.id, id, deleted=True)

    async def _shown(
        self,
        session: AsyncSession,
        desk: _Desk,
        items: Sequence[Artifact],
        *,
        most: int | None = None,
    ) -> "list[dict[str, Any]]":
        contents = await artifacts.newest(session, items)
        return [_item(desk, item, contents[item.id], most) for item in items]


async def _of_run(session: AsyncSession, run: Run, case_id: str | None) -> Case:
    found = await repository.of_run(session, run.id)
    if found is None and run.dry:
        raise Conflict(_TRIAL)
    if found is None:
        raise Invalid.field("caseId", _NO_CASE) if case_id is None else NotFound(_ELSEWHERE)
    if case_id not in (None, found[0].id):
        raise NotFound(_ELSEWHERE)
    return found[0]


async def _named(
    session: AsyncSession, context: ToolContext, case_id: str | None, need: Literal["read", "send"]
) -> Case:
    if case_id is None:
        raise Invalid.field("caseId", _NO_CASE)
    reader = await reader_for(session, context.user_id)
    case = await repository.get(session, reader, case_id)
    if case.workspace_id != context.workspace_id:
        raise NotFound(repository.GONE)
    if not reader.may(case.account_id, need):
        raise Forbidden("The account of this case is shared with you to read it.")
    return case


async def _author(
    session: AsyncSession, context: ToolContext, case: Case, run: Run | None, tool: str | None
) -> ArtifactAuthor:
    if run is None:
        kind = "person" if context.in_person else "tool"
    elif context.actor_id == case.director_id:
        kind = "director"
    else:
        kind = "agent"
    return ArtifactAuthor(
        kind,
        context.actor_id,
        context.actor_name,
        context.label,
        run_id=run.id if run else None,
        tool=tool,
    )


def _require_agents_own(desk: _Desk, item: Artifact) -> None:
    """What a person wrote is theirs: no agent puts its words into it unseen."""
    if item.changed_by == "person" and desk.author.kind != "person":
        raise Conflict(_PERSONS)


def _source(item: Artifact) -> Source:
    return Source(item.label, f'the item "{(item.title or item.mime_type or "untitled")[:60]}"')


def _output(
    shown: Sequence[Mapping[str, Any]],
    item: Artifact,
    what: str,
    receipt: Receipt | None = None,
) -> ToolOutput:
    return ToolOutput(
        {"item": shown[0]}, summary=f"item {what}", sources=(_source(item),), receipt=receipt
    )


def _item(
    desk: _Desk, item: Artifact, version: ArtifactVersion, most: int | None
) -> dict[str, Any]:
    case, is_agent = desk.case, item.author_kind == "agent"
    agent = {"id": item.author_id, "name": item.author_name}
    whole = most is None or len(version.data) <= most
    return {
        "id": Ref("item", item.id),
        "label": item.title,
        "description": item.description,
        "mimeType": item.mime_type,
        "encoding": item.encoding,
        "data": version.data if whole else None,
        "tags": item.tags,
        "created": item.created_at.isoformat(),
        "updated": item.updated_at.isoformat(),
        "revision": item.revision,
        "deleted": item.deleted_at is not None,
        "trust": item.label,
        "supersedes": Ref("item", item.supersedes_id) if item.supersedes_id else None,
        "context": {
            "email": {
                "id": Ref("email", case.message_id, case.account_id),
                "subject": case.subject,
                "from": case.sender_address,
                "date": case.received_at.isoformat(),
            },
            "director": {"id": case.director_id, "name": desk.director_name},
            "agent": agent if is_agent else None,
            "createdBy": item.author_kind,
            "agentId": item.author_id if is_agent else None,
            "tool": item.tool,
            "conversationId": item.run_id,
        },
    }
