"""The inbox as people see it; a program with a token sees it redacted, and is known to have."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.gate.trust import programs
from bailiwick.identity.principal import Principal
from bailiwick.inbox import repository
from bailiwick.inbox import settings as inbox_settings
from bailiwick.inbox.models import Suggestion, SuggestionStatus
from bailiwick.inbox.repository import InboxFile
from bailiwick.inbox.schemas import (
    InboxFileOut,
    InboxProgressOut,
    InboxSettingsOut,
    SuggestionOut,
    SuggestionsOut,
)
from bailiwick.kit.http.pages import PageRequest
from bailiwick.office import Office
from bailiwick.tools.trust import Source

_WORDS = ("file_path", "target_folder", "reasoning", "new_path")
_FILE_WORDS = ("path", "name", "problem", "excerpt", "copy_of")
_EXCERPT = 600  # characters of a file's text
_AT_WORK = ("waiting", "running")


async def suggestions(
    office: Office,
    who: Principal,
    visible: Collection[str],
    *,
    status: SuggestionStatus | None,
    page: PageRequest,
) -> SuggestionsOut:
    """One page of suggestions."""
    async with office.storage.app.read() as session:
        found = await repository.suggestions(session, visible, status=status, page=page)
        least = await _minimums(session, visible)
    shown = [SuggestionOut.of(row, minimum=least[row.workspace_id]) for row in found.rows]
    return SuggestionsOut(
        items=[*await _for(office, who, shown)],
        continuation_token=found.token,
        total_items=found.total,
        has_more=found.token is not None,
        page_size=found.size,
    )


async def suggestion(office: Office, who: Principal, row: Suggestion) -> SuggestionOut:
    """One suggestion."""
    async with office.storage.app.read() as session:
        least = await _minimums(session, [row.workspace_id])
    (shown,) = await _for(office, who, [SuggestionOut.of(row, minimum=least[row.workspace_id])])
    return shown


async def files(office: Office, who: Principal, visible: Collection[str]) -> Sequence[InboxFileOut]:
    """What waits in the inboxes."""
    async with office.storage.app.read() as session:
        found = await repository.files(session, visible)
        least = await _minimums(session, visible)
        numbers = [row.file.number for row in found]
        texts = await repository.beginnings(session, numbers, most=_EXCERPT)
    shown = [
        InboxFileOut.of(
            row, minimum=least[row.notebook.workspace_id], excerpt=texts.get(row.file.number)
        )
        for row in found
    ]
    made: list[InboxFileOut] = []
    for workspace_id, some in _by_workspace(shown).items():
        sources = [_source(each.path) for each in some]
        made += await programs.shown_to(
            office, who, some, workspace_id=workspace_id, sources=sources, words=_FILE_WORDS
        )
    return made


def progress(rows: Sequence[InboxFile]) -> InboxProgressOut:
    """How many papers stand how."""
    states = Counter(InboxFileOut.of(row, minimum=0).state for row in rows)
    return InboxProgressOut(
        files=len(rows),
        new=states["new"],
        at_work=sum(states[each] for each in _AT_WORK),
        suggested=states["suggested"],
        undecided=states["undecided"],
        failed=states["failed"],
    )


async def settings(session: AsyncSession, workspace_id: str) -> InboxSettingsOut:
    """How an inbox is organised, with what its organiser may use."""
    row = await inbox_settings.of(session, workspace_id)
    agent = await agents.by_id(session, row.agent_id) if row.agent_id else None
    theirs: dict[str, Any] = {
        "agent_id": row.agent_id,
        "model_id": agent.model_id if agent else None,
        "max_turns": agent.step_limit if agent else inbox_settings.TURNS,
        "time_limit_seconds": agent.timeout_seconds if agent else inbox_settings.SECONDS,
        "max_tokens": agent.limits["tokens_per_request"] if agent else inbox_settings.TOKENS,
    }
    return InboxSettingsOut.of(row, theirs)


async def _minimums(session: AsyncSession, visible: Collection[str]) -> dict[str, float]:
    return {id: (await inbox_settings.of(session, id)).min_confidence for id in visible}


async def _for(
    office: Office, who: Principal, shown: Sequence[SuggestionOut]
) -> Sequence[SuggestionOut]:
    made: list[SuggestionOut] = []
    for workspace_id, some in _by_workspace(shown).items():
        sources = [_source(each.file_path) for each in some]
        made += await programs.shown_to(
            office, who, some, workspace_id=workspace_id, sources=sources, words=_WORDS
        )
    return sorted(made, key=lambda each: (each.created_at, each.id), reverse=True)


def _source(path: str) -> Source:
    # What arrives in an inbox may be anyone's, its name too.
    return Source("stranger", f"the file {path}")


def _by_workspace(shown: Sequence[Any]) -> dict[str, list[Any]]:
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for each in shown:
        found[each.workspace_id].append(each)
    return found
