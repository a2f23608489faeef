"""Mail as people read it.

A person sees what is stored. A program with a user's token sees it as agents do: redacted, and with
its trust label recorded before the program can act on it.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.errors import NotFound
from bailiwick.gate.call import Caller
from bailiwick.gate.checks.redaction import redacted
from bailiwick.gate.people import caller_of, context_of
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.trust import grounding
from bailiwick.gate.trust.reads import ReadStates
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.identity import users
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.pages import PageRequest, Rows
from bailiwick.mail import repository
from bailiwick.mail.models import MailMessage
from bailiwick.mail.repository import MailListQuery
from bailiwick.mail.schemas import MailHitOut, MailHitsOut, MailLineOut, MailOut, MailSearched
from bailiwick.mail.search import search
from bailiwick.mail.search.run import RANKED, MailHits
from bailiwick.office import Office
from bailiwick.tools.tool import Ref
from bailiwick.tools.trust import Source
from bailiwick.workspaces.access import AccessibleWorkspaceID, enter

ShownLine = TypeVar("ShownLine", bound=MailLineOut)
# The fields that hold a sender's text; all others are ours.
_THEIRS = frozenset(
    (
        "subject",
        "sender",
        "snippet",
        "marked_subject",
        "marked_snippet",
        "to",
        "cc",
        "bcc",
        "reply_to",
        "text",
        "attachments",
        "label_why",
        "message_id",
    )
)


async def welcome(session: AsyncSession, user: User) -> None:
    """Whom the operator knew before there was an owner, the owner knows."""
    if await users.owner_id(session) == user.id:
        await repository.hand_over(session, user.id)


async def listed(
    office: Office,
    who: Principal,
    workspace_id: AccessibleWorkspaceID,
    *,
    query: MailListQuery,
    page: PageRequest,
) -> Rows[MailLineOut]:
    """One page of a list."""
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        rows = await repository.listed(session, reader, workspace_id, query, page)
    lines = [MailLineOut.of(row) for row in rows.rows]
    shown = await shown_to(office, who, workspace_id, lines)
    return Rows(shown, token=rows.token, total=rows.total, size=rows.size)


async def found(
    office: Office,
    who: Principal,
    workspace_id: AccessibleWorkspaceID,
    *,
    query: MailSearched,
    page: PageRequest,
) -> MailHitsOut:
    """One page of what a query finds."""
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        ids = await account_ids(session, reader, workspace_id, query.account_id)
        look = partial(search, session, workspace_id, query.q, account_ids=ids, order=query.order)
        start, hits = await _hits_after(look, page)
    shown = await shown_to(office, who, workspace_id, [MailHitOut.found(hit) for hit in hits.items])
    end = start + len(shown)
    more = end < hits.total
    return MailHitsOut(
        items=list(shown),
        continuation_token=page.token_after_place(end - 1, hits.items[-1].id) if more else None,
        total_items=hits.total,
        has_more=more,
        page_size=page.size,
        more=hits.more,
    )


async def _hits_after(
    look: Callable[..., Awaitable[MailHits]], page: PageRequest
) -> tuple[int, MailHits]:
    """The hits after the last one seen, and how many come before them."""
    if (place := page.place()) is None:
        return 0, await look(limit=page.size)
    last, name = place
    found = await look(offset=last, limit=min(page.size + 1, RANKED - last))
    if not found.items or found.items[0].id == name:
        return last + 1, replace(found, items=found.items[1:])
    # New mail came before it, so its index is higher now.
    found = await look(offset=last, limit=RANKED - last)
    names = [hit.id for hit in found.items]
    seen = names.index(name) + 1 if name in names else 0
    return last + seen, replace(found, items=found.items[seen : seen + page.size])


async def thread(office: Office, who: Principal, thread_id: str) -> Sequence[MailLineOut]:
    """The mails of a thread, oldest first."""
    async with office.storage.app.read() as session:
        messages = await repository.thread(session, await reader_of(session, who), thread_id)
    lines = [MailLineOut.of(message) for message in messages]
    return await shown_to(office, who, messages[0].workspace_id, lines)


async def one(office: Office, who: Principal, message: MailMessage) -> MailOut:
    """A mail."""
    async with office.storage.app.read() as session:
        access = await enter(session, who, message.workspace_id, need="read")
        placed = await repository.placements(session, [message.number])
        routings = await repository.routings(session, message.id)
    whole = MailOut.whole(
        message,
        [folder for folder, _ in placed[message.number]],
        routings=routings,
        virtual_id=await _name(office, caller_of(who, access), message),
    )
    (shown,) = await shown_to(office, who, message.workspace_id, [whole])
    return shown


async def _name(office: Office, caller: Caller, message: MailMessage) -> str:
    """The virtual id of a mail."""
    ref = Ref("email", message.id, message.account_id)
    return (await office[VirtualNames].names(caller.realm, [ref]))[ref]


async def account_ids(
    session: AsyncSession,
    reader: Reader,
    workspace_id: AccessibleWorkspaceID,
    account_id: str | None,
) -> list[str]:
    """The accounts that are asked about, as far as they are open to someone."""
    known = await accounts.of_workspace(session, reader, workspace_id, enabled_only=False)
    if account_id is None:
        return [account.id for account in known]
    if account_id not in {account.id for account in known}:
        raise NotFound("That account does not exist, or is no longer connected.")
    return [account_id]


async def shown_to(
    office: Office, who: Principal, workspace_id: str, mails: Sequence[ShownLine]
) -> Sequence[ShownLine]:
    """Mails as this person, or a program with their token, may see them."""
    context_id = context_of(who)
    if context_id is None or not mails:
        return mails
    theirs = [mail.model_dump(include=set(_THEIRS)) for mail in mails]
    await office[ReadStates].read(
        context_id,
        workspace_id=workspace_id,
        sources=[_source(mail) for mail in mails],
        mentions=grounding.mentions(theirs),
    )
    return [await _redacted(office, mail) for mail in mails]


async def _redacted(office: Office, mail: ShownLine) -> ShownLine:
    said, _ = await redacted(office[RedactorCache], mail.model_dump(include=set(_THEIRS)))
    return mail.model_validate({**mail.model_dump(), **said})


def _source(mail: MailLineOut) -> Source:
    about = f"the mail “{mail.subject[:80]}” from {mail.sender.address[:100]}"
    # Even in the owner's own folders a mail is never the owner's words.
    return Source("contact" if mail.label == "contact" else "stranger", about)
