"""From a routed mail to its case and the director's run: once, whatever happens between.

The row of the routing says what is still to be opened, and a case is made in the transaction that
says that it was. Killed, begun twice or begun by two processes, the work goes on where it was.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import cast

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.models import Account
from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.agents.prompts import render
from bailiwick.agents.prompts.mail_variables import mail_variables
from bailiwick.agents.prompts.render import PromptMessage
from bailiwick.cases import events, repository
from bailiwick.cases.models import Case
from bailiwick.errors import BailiwickError
from bailiwick.gate import people
from bailiwick.gate.call import Caller
from bailiwick.gate.halts import service as halts
from bailiwick.gate.trust import grounding, reads
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit import clock, ids
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.eventlog import Recorded
from bailiwick.mail.intake.events import ROUTED
from bailiwick.mail.models import MailMessage, Routing
from bailiwick.office import Office
from bailiwick.runs import service as run_service
from bailiwick.runs import start
from bailiwick.runs.start import RunOwner, RunRequest
from bailiwick.tools.tool import Ref
from bailiwick.tools.trust import Label, Source

OPEN, OPEN_ALL = "case.open", "case.open_all"
log = structlog.stdlib.get_logger("bailiwick.cases")
_LOCK = 0x62616973
_AT_ONCE = 5  # in one transaction: nobody waits long for it
_LEFT = "The person whose mail this is has left the workspace, or was switched off."
_GONE = "The director is gone. Give this kind of mail to another one."
_ORDER = "A mail has come in for you. Work on it as your instructions say."


async def open_cases(office: Office, account_id: str) -> int:
    """Make a case of each mail of an account that was routed and has none; how many."""
    made = 0
    while True:
        async with office.storage.app.read() as session:
            if await halts.find(session):
                return made  # the release begins this anew
            waiting = await repository.unopened(session, account_id, limit=_AT_ONCE)
            account = await accounts.find(session, account_id)
        if not waiting or account is None:
            return made
        opening = CaseOpening(office, account)
        await opening.prepare([message for _, message in waiting])
        async with office.storage.app.write() as session:
            # Two processes take turns, or a mail would be worked on out of its order.
            await office.storage.app.alone(session, lock=_LOCK)
            found = await repository.unopened(session, account_id, limit=_AT_ONCE)
            for routing, message in found:
                if opening.knows(message):
                    made += await opening.open(session, routing, message)


class CaseOpening:
    """Opens cases of one account's mail."""

    def __init__(self, office: Office, account: Account) -> None:
        self._office = office
        self._account = account
        self._names: dict[str, str] = {}
        self._person: Caller | None = None

    async def prepare(self, messages: Sequence[MailMessage]) -> None:
        """Find out what a transaction must not wait for."""
        self._now = await run_service.office_now(self._office)
        account = self._account
        self._person = await people.find_user(self._office, account.owner_id, account.workspace_id)
        refs = {Ref("email", message.id, message.account_id): message.id for message in messages}
        realm = f"workspace:{account.workspace_id}"
        named = await self._office[VirtualNames].names(realm, refs)
        self._names |= {refs[ref]: name for ref, name in named.items()}

    def knows(self, message: MailMessage) -> bool:
        """Whether it was prepared for this mail."""
        return message.id in self._names

    async def open(self, session: AsyncSession, routing: Routing, message: MailMessage) -> bool:
        """Make the case, and set its director to work; whether there was none yet."""
        routing.opened_at = clock.now()
        case = _case(self._account, routing, message)
        if await repository.is_known(session, case):
            return False
        session.add(case)
        await session.flush()
        events.emit(session, case, events.OPENED)
        await self.begin(session, case, message)
        return True

    async def begin(self, session: AsyncSession, case: Case, message: MailMessage) -> None:
        """Set the director to work on a case; where that cannot be, the case says why."""
        try:
            async with session.begin_nested():
                case.run_id, case.problem = await self._run(session, case, message), None
        except BailiwickError as error:
            case.run_id, case.problem = None, error.detail
            log.warning("a case has no run", caseId=case.id, reason=error.detail)
            events.emit(session, case, events.FAILED)

    async def _run(self, session: AsyncSession, case: Case, message: MailMessage) -> str:
        director = await agents.by_id(session, case.director_id)
        if director is None or director.deleted_at or director.kind != "director":
            raise BailiwickError(_GONE)
        if self._person is None:
            raise BailiwickError(_LEFT)
        values = values_of(message, id=self._names[message.id])
        blocks, _ = await start.own_prompt(session, director)
        request = RunRequest(
            words=words_for(blocks, values["email"]),
            kind="case",
            variables=values,
            case_id=case.id,
            account_id=case.account_id,
            title=message.subject or "(no subject)",
        )
        person = RunOwner(
            None if self._person.id == OPERATOR.id else self._person.id,
            self._person.name,
            self._person.scope,
            present=False,
        )
        return await started(session, director, person, request, message=message, now=self._now)


async def started(
    session: AsyncSession,
    director: Agent,
    person: RunOwner,
    request: RunRequest,
    *,
    message: MailMessage,
    now: datetime,
) -> str:
    """Set a director to work on a mail; the id of its run."""
    run = await start.start(session, director, person, request, now=now)
    # Before the run can act on it: these are the words of whoever sent the mail.
    await reads.heard(
        session,
        run.id,
        workspace_id=run.workspace_id,
        source=Source(
            cast("Label", message.label),
            f'the mail "{message.subject[:60]}" from {message.sender_address or "nobody"}',
        ),
        mentions=grounding.mentions(request.variables),
    )
    return run.id


def words_for(blocks: Sequence[PromptMessage], mail: str) -> str:
    """What a director is told: the mail itself, unless its prompt says where that goes."""
    uses_mail = any(name.split(".")[0] == "email" for name in render.variables(blocks))
    return _ORDER if uses_mail else f"{_ORDER}\n\n---\n{mail}"


def values_of(message: MailMessage, *, id: str) -> dict[str, str]:
    """What the variables of a prompt stand for."""
    named = {
        kind: [_person(*pair) for pair in message.recipients.get(kind, ())] for kind in ("to", "cc")
    }
    return mail_variables(
        id=id,
        subject=message.subject,
        sender=_person(message.sender_name, message.sender_address),
        to=named["to"],
        cc=named["cc"],
        date=message.sent_at or message.date_at,
        body=message.text,
        attachments=[each["name"] for each in message.attachments if not each.get("inline")],
    )


def _person(name: str, address: str) -> str:
    return f"{name} <{address}>" if name else address


def _case(account: Account, routing: Routing, message: MailMessage) -> Case:
    return Case(
        id=ids.new("cas"),
        workspace_id=account.workspace_id,
        owner_id=account.owner_id,
        account_id=account.id,
        message_id=message.id,
        digest=digest(message),
        subject=message.subject,
        sender_name=message.sender_name,
        sender_address=message.sender_address,
        received_at=message.date_at,
        label=cast("Label", message.label),
        director_id=routing.director_id,
        filter_id=routing.filter_id,
        cycle_id=routing.cycle_id,
        created_at=clock.now(),
    )


def digest(message: MailMessage) -> str:
    """What tells a mail from all others, in whichever account it is.

    Not its Message-ID alone: anyone can write that of another mail into their own, and keep the
    other one from being worked on.
    """
    own = message.message_id or message.id
    said = (own, message.sender_address, message.subject, message.text)
    return hashlib.sha256("\0".join(said).encode(errors="replace")).hexdigest()


async def take_up(office: Office) -> None:
    """Begin what is still to be opened, in case a restored engine knows nothing of it."""
    async with office.storage.app.read() as session:
        found = await repository.accounts_with_unopened(session)
    for account_id in found:
        id = f"{OPEN}:{account_id}:{ids.new('up')}"
        await office.engine.begin(OPEN, account_id, id=id, partition=account_id)


async def open_all(office: Office) -> None:
    """Make the cases that a stop has kept from being made."""
    async with office.storage.app.read() as session:
        found = await repository.accounts_with_unopened(session)
    for account_id in found:
        await open_cases(office, account_id)


async def _released(_: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    return {event.position for event in batch if event.type == halts.RELEASED}


async def _last_of_each(_: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    """One job opens all that an account has: the last event of a batch begins it."""
    last = {event.data.get("accountId"): event.position for event in batch if event.type == ROUTED}
    return set(last.values())


WAKES = [
    Wake(
        OPEN,
        _last_of_each,
        arguments=lambda event: (event.data["accountId"],),
        partition=lambda event: event.data["accountId"],
    ),
    Wake(OPEN_ALL, _released, arguments=lambda _: ()),
]
