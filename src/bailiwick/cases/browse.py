"""Cases for people: read here, their items changed through the gate.

A person sees what is stored. A program with a user's token sees it as agents do: redacted, and with
its trust label recorded before the program can act on it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bailiwick.accounts.reader import reader_of
from bailiwick.artifacts import repository as artifacts
from bailiwick.artifacts.models import Artifact
from bailiwick.cases import repository
from bailiwick.cases.repository import CaseQuery, ListedCase
from bailiwick.cases.schemas import (
    CaseOut,
    CasesOut,
    ItemChangeOut,
    ItemOut,
    ItemParams,
    ItemVersionOut,
)
from bailiwick.errors import NotFound
from bailiwick.gate import own_name
from bailiwick.gate.call import Pending
from bailiwick.gate.people import caller_of
from bailiwick.gate.trust import programs
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.pages import PageRequest
from bailiwick.office import Office
from bailiwick.tools.tool import Arguments, Ref
from bailiwick.tools.trust import Source
from bailiwick.workspaces.access import WorkspaceAccess

_LISTED = 20_000  # characters of an item that a list shows
_CASE = ("mail", "reason", "refused")
_ITEM = ("label", "description", "data", "preview", "tags", "context")
_VERSION = ("label", "description", "data", "tags")


@dataclass(frozen=True, slots=True)
class SeenCase:
    """A case that the caller may see, in a workspace that they may enter."""

    found: ListedCase
    access: WorkspaceAccess

    @property
    def id(self) -> str:
        """Of the case."""
        return self.found.case.id


async def listed(office: Office, who: Principal, query: CaseQuery, page: PageRequest) -> CasesOut:
    """One page of cases, and how many are in each state, whichever of these are asked for."""
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        rows = await repository.listed(session, reader, query, page)
        counted = await repository.counted(session, reader, replace(query, states=()))
    shown = await shown_cases(office, who, rows.rows)
    return CasesOut.model_validate(
        {
            "items": shown,
            "continuation_token": rows.token,
            "total_items": rows.total,
            "has_more": rows.token is not None,
            "page_size": rows.size,
            "states": counted,
        }
    )


async def shown_cases(
    office: Office, who: Principal, found: Sequence[ListedCase]
) -> Sequence[CaseOut]:
    """Cases as this person, or a program of theirs, may see them."""
    async with office.storage.app.read() as session:
        ids = [each.case.id for each in found]
        counts = await artifacts.counts(session, ids)
        refused = await repository.refusals(session, ids)
    shown = [
        CaseOut.of(each, items=counts.get(each.case.id, 0), refused=refused.get(each.case.id, ()))
        for each in found
    ]
    for workspace_id in {each.workspace_id for each in shown}:
        here = [each for each in found if each.case.workspace_id == workspace_id]
        said = [each.mail.model_dump() for each in shown if each.workspace_id == workspace_id]
        await programs.heard(
            office,
            who,
            said,
            workspace_id=workspace_id,
            sources=[_mail_source(each) for each in here],
        )
    return [await programs.redacted_for(office, who, each, _CASE) for each in shown]


async def items(
    office: Office, who: Principal, seen: SeenCase, asked: ItemParams
) -> Sequence[ItemOut]:
    """The items of a case that are asked for, oldest first."""
    async with office.storage.app.read() as session:
        every = await artifacts.of_case(session, seen.id, deleted=True)
    wanted = [item for item in every if _is_asked(item, asked)]
    return await _shown(office, who, seen.found, wanted, every=every, most=_LISTED)


async def item(office: Office, who: Principal, seen: SeenCase, item_id: str) -> ItemOut:
    """One item, with its content; also one that was removed."""
    async with office.storage.app.read() as session:
        every = await artifacts.of_case(session, seen.id, deleted=True)
        wanted = await artifacts.get(session, seen.id, item_id, deleted=True)
    (shown,) = await _shown(office, who, seen.found, [wanted], every=every)
    return shown


async def versions(
    office: Office, who: Principal, seen: SeenCase, item_id: str
) -> Sequence[ItemVersionOut]:
    """All versions of an item, newest first."""
    async with office.storage.app.read() as session:
        wanted = await artifacts.get(session, seen.id, item_id, deleted=True)
        found = await artifacts.versions(session, item_id)
    return await programs.shown_to(
        office,
        who,
        [ItemVersionOut.of(each) for each in found],
        workspace_id=wanted.workspace_id,
        sources=[_source(wanted)],
        words=_VERSION,
    )


async def change(
    office: Office,
    who: Principal,
    seen: SeenCase,
    tool: str,
    arguments: Arguments,
    *,
    item_id: str | None = None,
) -> ItemChangeOut:
    """Change the items of a case under the caller's name."""
    given = {**arguments, "caseId": seen.id}
    named = {"id": item_id, "supersedes": arguments.get("supersedes")}
    for name, id in named.items():
        if id:
            given[name] = await own_name.name_of(office, who, seen.access, Ref("item", id))
    outcome = await own_name.act(office, who, seen.access, tool, given)
    if isinstance(outcome, Pending):
        return ItemChangeOut(
            status="pending", approval_id=outcome.approval_id, reason=outcome.reason
        )
    id = item_id or await _made(office, who, seen, outcome.data)
    return ItemChangeOut(
        status="done",
        item=await _fresh(office, who, seen, id) if id else None,
        action_id=outcome.action_id,
        undoable=outcome.undoable,
    )


async def _made(office: Office, who: Principal, seen: SeenCase, data: object) -> str | None:
    """The id of what an answer is about; a rule may have taken it out."""
    shown = data.get("item") if isinstance(data, dict) else None
    name = shown.get("id") if isinstance(shown, dict) else None
    realm = caller_of(who, seen.access).realm
    ref = await office[VirtualNames].resolve(realm, "item", str(name))
    return ref.id if ref else None


async def _fresh(office: Office, who: Principal, seen: SeenCase, id: str) -> ItemOut | None:
    try:
        return await item(office, who, seen, id)
    except NotFound:
        return None


async def _shown(
    office: Office,
    who: Principal,
    found: ListedCase,
    wanted: Sequence[Artifact],
    *,
    every: Sequence[Artifact],
    most: int | None = None,
) -> Sequence[ItemOut]:
    later: defaultdict[str, list[str]] = defaultdict(list)
    for each in every:
        if each.supersedes_id:
            later[each.supersedes_id].append(each.id)
    listed = [each for each in wanted if most is None or each.size <= most]
    async with office.storage.app.read() as session:
        contents = await artifacts.newest(session, listed)
        unfinished = await repository.ended_early(
            session, {each.run_id for each in wanted if each.run_id}
        )
    shown = [
        ItemOut.of(
            found,
            each,
            data=contents[each.id].data if each.id in contents else None,
            superseded_by=later[each.id],
            unfinished=each.run_id in unfinished,
        )
        for each in wanted
    ]
    return await programs.shown_to(
        office,
        who,
        shown,
        workspace_id=found.case.workspace_id,
        sources=[*map(_source, wanted), _mail_source(found)],
        words=_ITEM,
    )


def _is_asked(item: Artifact, asked: ItemParams) -> bool:
    if item.deleted_at and not asked.include_deleted:
        return False
    if asked.type and not _has_type(item, asked.type.lower()):
        return False
    if asked.tag and asked.tag not in item.tags:
        return False
    return not asked.author or asked.author.lower() in (item.author_id, item.author_name.lower())


def _has_type(item: Artifact, wanted: str) -> bool:
    mime = item.mime_type or "text/plain"
    return mime == wanted or (wanted.endswith("/*") and mime.startswith(wanted[:-1]))


def _source(item: Artifact) -> Source:
    return Source(item.label, f'the item "{(item.title or "untitled")[:60]}"')


def _mail_source(found: ListedCase) -> Source:
    case = found.case
    return Source(case.label, f'the mail "{case.subject[:60]}" from {case.sender_address}')
