"""Conversations as they are shown."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.agents.models import Agent
from bailiwick.chat import attachments, repository
from bailiwick.chat.branches import Branches, branches
from bailiwick.chat.models import MessageReaction, Thread, ThreadMessage
from bailiwick.chat.schemas import MessageOut, ReactionOut, ReactionsOut, ThreadOut, assistant_id
from bailiwick.identity.models import User
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.office import Office
from bailiwick.runs import readers
from bailiwick.runs.models import Run

_MOST_USERS = 50
_UNTITLED = "New conversation"


async def threads(
    session: AsyncSession, office: Office, who: Principal, found: Sequence[Thread]
) -> Sequence[ThreadOut]:
    """Threads as someone, or a program of theirs, may read them."""
    seen = await of_threads(session, await reader_of(session, who), found)
    runs = await repository.runs_of(session, [thread.id for thread in found])
    return await readers.shown(session, office, who, runs, seen, words=("title", "metadata"))


async def messages(
    session: AsyncSession,
    office: Office,
    who: Principal,
    thread: Thread,
    rows: Sequence[ThreadMessage],
) -> Sequence[MessageOut]:
    """Messages as someone, or a program of theirs, may read them."""
    reader, tree = await reader_of(session, who), await branches(session, thread)
    seen = await of_messages(session, reader, thread, rows, tree)
    runs = await repository.runs_of(session, [thread.id])
    words = ("content", "blocks", "attachments", "metadata")
    return await readers.shown(session, office, who, runs, seen, words=words)


async def of_threads(
    session: AsyncSession, reader: Reader, found: Sequence[Thread]
) -> list[ThreadOut]:
    """Threads as a list shows them."""
    ids = [thread.id for thread in found]
    runs = {run.id: run for run in await repository.runs_of(session, ids)}
    counted = await _counted(session, ids)
    agents = {id: await session.get(Agent, id) for id in {each.agent_id for each in found}}
    return [
        ThreadOut(
            id=thread.id,
            user_id=thread.owner_id,
            assistant_id=assistant_id(thread.agent_id),
            assistant_name=_name(agents[thread.agent_id]),
            workspace_id=thread.workspace_id,
            status=thread.status,
            title=title(thread, runs),
            pinned=thread.is_pinned,
            is_own=reader.has(thread.owner_id),
            shared_with=list(await repository.shared_with(session, thread.id))
            if reader.has(thread.owner_id)
            else [],
            run_id=run.id if (run := await _run(session, thread, runs)) else None,
            run_status=run.status if run else None,
            created_at=thread.created_at,
            metadata=_metadata(thread, title(thread, runs), counted[thread.id]),
        )
        for thread in found
    ]


def _name(agent: Agent | None) -> str:
    return agent.name if agent else "an agent that is gone"


def title(thread: Thread, runs: dict[str, Run]) -> str:
    """What a thread is called: by a person, or as its first run is."""
    first = runs.get(thread.run_id or "")
    return thread.title or (first.title if first else "") or _UNTITLED


async def _run(session: AsyncSession, thread: Thread, runs: dict[str, Run]) -> Run | None:
    """The run behind the branch that is shown."""
    if thread.head_id is None:
        # A session may have been opened before anything was said in it.
        return runs.get(thread.run_id or "")
    head = await session.get(ThreadMessage, thread.head_id)
    if head and head.run_id:
        return runs.get(head.run_id)
    return runs.get((await branches(session, thread)).run_at(thread.head_id) or "")


async def _counted(session: AsyncSession, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    answers: dict[str, dict[str, int]] = defaultdict(dict)
    spent, many = defaultdict[str, int](int), defaultdict[str, int](int)
    for thread_id, model, count, milliseconds, messages in await repository.statistics(
        session, ids
    ):
        many[thread_id] += messages
        if model:
            answers[thread_id][model] = count
            spent[thread_id] += milliseconds or 0
    made = defaultdict[str, list[str]](list)
    for thread_id, artifact_id in await repository.artifact_ids(session, ids):
        made[thread_id or ""].append(artifact_id)
    return {
        id: {
            "artifacts": made[id] or None,
            "messageCount": many[id],
            "primaryModel": max(found, key=lambda model: found[model]) if found else None,
            "averageProcessingTime": round(spent[id] / sum(found.values())) if found else None,
        }
        for id in ids
        for found in [answers.get(id, {})]
    }


def _metadata(thread: Thread, name: str, counted: dict[str, Any]) -> dict[str, Any]:
    return {
        **thread.about,
        "title": name,
        "totalTokensUsed": thread.tokens,
        "lastActivity": thread.last_activity_at,
        **{key: value for key, value in counted.items() if value is not None},
    }


async def of_messages(
    session: AsyncSession,
    reader: Reader,
    thread: Thread,
    rows: Sequence[ThreadMessage],
    tree: Branches,
) -> list[MessageOut]:
    """Messages of a thread."""
    ids = [row.id for row in rows]
    reacted = await repository.reactions(session, ids)
    starred = await repository.starred(session, reader.id, ids)
    names = await _names(session, rows)
    return [
        MessageOut(
            id=row.id,
            thread_id=thread.id,
            user_id=row.user_id,
            assistant_id=assistant_id(row.agent_id) if row.agent_id else None,
            username=names.get(row.user_id or row.agent_id or "", ""),
            role=row.role,
            subtype=row.subtype,
            content=row.content,
            blocks=row.blocks or [],
            attachments=[attachments.shown(file) for file in row.files or ()],
            reactions=_reactions([each for each in reacted if each.message_id == row.id], reader),
            is_starred=row.id in starred,
            hidden=row.hidden,
            parent_id=row.parent_id,
            siblings=tree.siblings(row.id),
            run_id=row.run_id,
            created_at=row.created_at,
            edited_at=row.edited_at,
            deleted_at=row.deleted_at,
            metadata=_message_metadata(row),
        )
        for row in rows
    ]


async def of_reactions(
    session: AsyncSession, reader: Reader, message: ThreadMessage
) -> ReactionsOut:
    """All reactions to a message."""
    rows = await repository.reactions(session, [message.id])
    return ReactionsOut(reactions=_reactions(rows, reader), total_reactions=len(rows))


def _reactions(rows: Sequence[MessageReaction], reader: Reader) -> list[ReactionOut]:
    by_emoji: dict[str, list[str]] = {}
    for row in rows:
        by_emoji.setdefault(row.emoji, []).append(row.user_id)
    return [
        ReactionOut(
            emoji=emoji,
            count=len(users),
            users=users[:_MOST_USERS],
            user_reacted=reader.id in users,
        )
        for emoji, users in by_emoji.items()
    ]


def _message_metadata(row: ThreadMessage) -> dict[str, Any]:
    counted: dict[str, Any] = {
        "wordCount": len(row.content.split()),
        "hasAttachments": bool(row.files),
    }
    if row.role == "user":
        counted["processingRequired"] = row.run_id is not None
    else:
        counted |= {
            "tokensUsed": row.tokens,
            "model": row.model,
            "processingTime": row.milliseconds,
        }
    return {**row.about, **{name: value for name, value in counted.items() if value is not None}}


async def _names(session: AsyncSession, rows: Sequence[ThreadMessage]) -> dict[str, str]:
    names = {OPERATOR.id: OPERATOR.name}
    for id in {row.user_id for row in rows if row.user_id and row.user_id != OPERATOR.id}:
        names[id] = user.name if (user := await session.get(User, id)) else "someone who left"
    for id in {row.agent_id for row in rows if row.agent_id}:
        names[id] = _name(await session.get(Agent, id))
    return names
