"""The labels of new mail, thread by thread: what quotes others is trusted no more than they are.

A mail that answers or quotes takes the lowest label of its thread; where nothing of the thread is
here, nobody knows whose words it holds, and it is a stranger's.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.mail import folder_roles, trust
from bailiwick.mail.contacts import service as contacts
from bailiwick.mail.contacts.service import ContactStanding
from bailiwick.mail.intake import repository
from bailiwick.mail.intake.prepare import IncomingMessage
from bailiwick.mail.trust import SenderTrust

_CHECKED = "authentication-results"


@dataclass(frozen=True, slots=True)
class KnownThreads:
    """What is stored of some threads, and what this page adds."""

    labels: Mapping[str, Collection[str]]  # those of the mails in each
    written_to: Mapping[str, Collection[str]]  # whom the owner wrote to in each, in lower case


async def judge(
    session: AsyncSession,
    account: Account,
    new: Sequence[IncomingMessage],
    groups: Sequence[str],
) -> list[SenderTrust]:
    """Whose words each of some new mails is, which are in these threads."""
    senders = {draft.values["sender_address"] for draft in new}
    standings = await contacts.standings(session, account.workspace_id, account.owner_id, senders)
    threads = await _threads(session, account, new, groups)
    ids = [draft.values["message_id"] for draft in new if is_sent(account, draft)]
    foreign = await repository.not_the_owners(session, account.id, ids)
    judged = [
        _alone(account, draft, standings, threads.written_to[thread], foreign)
        for draft, thread in zip(new, groups, strict=True)
    ]
    settled = _settled(account, new, groups, judged, threads)
    low = {
        thread
        for thread, found in zip(groups, settled, strict=True)
        if found.label == "stranger" or "stranger" in threads.labels[thread]
    }
    await repository.lower_sent(session, account.id, low)
    return settled


def came_in(account: Account, draft: IncomingMessage) -> bool:
    """Whether somebody else's mail was put into Sent: a server has checked its sender."""
    is_own = draft.values["sender_address"].lower() == account.address.lower()
    return not is_own and any(name == _CHECKED for name, _ in draft.parsed.trace)


def is_sent(account: Account, draft: IncomingMessage) -> bool:
    """Whether the owner's server put it into Sent, and nowhere else."""
    where = draft.values["places"] & (folder_roles.SENT | folder_roles.INBOX)
    return where == folder_roles.SENT and not came_in(account, draft)


def _alone(
    account: Account,
    draft: IncomingMessage,
    standings: Mapping[str, ContactStanding],
    written_to: Collection[str],
    foreign: Collection[str],
) -> SenderTrust:
    """Whose words a mail is, without what it quotes."""
    if is_sent(account, draft):
        return trust.DERIVED if draft.values["message_id"] in foreign else trust.SENT
    sender = draft.values["sender_address"]
    standing = standings.get(sender)
    # Who is not listed has been written to several times, and in this thread.
    known = standing == "listed" or (standing == "several" and sender.lower() in written_to)
    return trust.judge(
        draft.parsed,
        authserv_id=account.authserv_id,
        is_contact=known,
        dmarc=draft.dmarc,
        is_met=bool(standing),
    )


def _settled(
    account: Account,
    new: Sequence[IncomingMessage],
    groups: Sequence[str],
    judged: Sequence[SenderTrust],
    threads: KnownThreads,
) -> list[SenderTrust]:
    """Lower what answers or quotes to the lowest of its thread."""
    low = {thread for thread in groups if "stranger" in threads.labels[thread]}
    low |= {t for t, found in zip(groups, judged, strict=True) if found.label == "stranger"}
    sizes = Counter(groups)
    alone = {t for t in groups if not threads.labels[t] and sizes[t] == 1}
    return [
        trust.QUOTING._replace(dmarc=found.dmarc)
        if found.label == "contact" and thread in low | alone and _leans(account, draft)
        else found
        for draft, thread, found in zip(new, groups, judged, strict=True)
    ]


def _leans(account: Account, draft: IncomingMessage) -> bool:
    """Whether a mail holds words of its thread; of a sent one, the headers say enough."""
    answers = draft.parsed.in_reply_to or draft.parsed.references
    return draft.quotes or bool(answers and is_sent(account, draft))


async def _threads(
    session: AsyncSession,
    account: Account,
    new: Sequence[IncomingMessage],
    groups: Sequence[str],
) -> KnownThreads:
    labels: dict[str, set[str]] = {thread: set() for thread in groups}
    written_to: dict[str, set[str]] = {thread: set() for thread in groups}
    for thread, label in await repository.labels_of_threads(session, account.id, labels):
        labels[thread].add(label)
    for thread, recipients in await repository.sent_in_threads(session, account.id, labels):
        written_to[thread] |= _addresses(recipients)
    for draft, thread in zip(new, groups, strict=True):
        if is_sent(account, draft):
            written_to[thread] |= _addresses(draft.values["recipients"])
    return KnownThreads(labels, written_to)


def _addresses(recipients: Mapping[str, Sequence[Sequence[str]]]) -> set[str]:
    return {each[1].lower() for kind in ("to", "cc", "bcc") for each in recipients[kind]}
