"""The job that hands a message over: once, or nobody is told that it was.

That it is being handed over is on disk before the first byte goes. Who finds it so has come after
a process that ended on the way, and asks the mailbox whether it was sent before anything else. A
"no" is believed only when enough time has passed for a copy to show; what cannot be told is left
to a person. A hand-over has a number: whoever ends it late finds that another one has begun.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors.errors import ConnectorFailed, SubmissionFailed
from bailiwick.connectors.mail import FoundMessage, Mailbox, SubmittedMessage
from bailiwick.connectors.mail import OutgoingMessage as Envelope
from bailiwick.errors import NotFound
from bailiwick.gate.halts import service as halt_service
from bailiwick.kit import clock
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage
from bailiwick.kit.db.away import is_away
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.engine import Engine, Queue
from bailiwick.kit.engine.jobs import patiently
from bailiwick.kit.eventlog import Recorded
from bailiwick.mail import raw
from bailiwick.mail.models import Outgoing
from bailiwick.mail.outbox import events, repository, service

SEND, SWEEP = "mail.send", "mail.sweep"
QUEUE = Queue("outbox", per_partition=2, per_process=8, poll_seconds=0.5)
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 30))
LONGEST = timedelta(minutes=3)  # that a hand-over may take
_SETTLED = timedelta(seconds=60)  # after which a copy would show, if there were one
_LONGEST_DOUBT = timedelta(hours=1)  # for which a mailbox that does not answer is asked again
_HALTED = "Everything is stopped. It goes out once an admin releases that."
_GONE = "What was to be sent is no longer stored here."
log = structlog.stdlib.get_logger("bailiwick.outbox")


class Sender:
    """The bodies of the jobs, and what they need."""

    def __init__(
        self, storage: Storage, blobs: BlobFolder, opener: AccountOpener, engine: Engine
    ) -> None:
        self._storage = storage
        self._blobs = raw.own(blobs)
        self._opener = opener
        self._engine = engine
        # Where other processes are, one that seems to have ended may still be at it.
        self._settled = _SETTLED + (LONGEST if storage.kind == "postgresql" else timedelta())
        # One at a time has a message here: what is under way is not what a process left behind.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def send(self, id: str, turn: int) -> None:
        """Do what is due with a message."""
        await patiently(self.attend, id, turn)

    async def take_up(self) -> None:
        """Begin what should be under way, in case a restored engine knows nothing of it."""
        await self.sweep()
        now = clock.now()
        async with self._storage.app.read() as session:
            waiting = await repository.still_open(session)
        for row in waiting:
            if row.due_at > now:
                await self._engine.begin(
                    SEND,
                    row.id,
                    row.turn,
                    id=f"{SEND}:{row.id}:{row.turn}",
                    partition=row.account_id,
                    delay=row.due_at - now,
                )

    async def sweep(self) -> None:
        """Give what is overdue a new job, whatever became of the one before."""
        now = clock.now()
        async with self._storage.app.write() as session:
            for row in await repository.still_open(session, lock=True):
                if row.due_at <= now:
                    events.queue(session, row)

    async def attend(self, id: str, turn: int) -> None:
        """Hand it over; or, if that was begun before, find out what came of it."""
        lock = self._locks.setdefault(id, asyncio.Lock())
        async with lock:
            await self._attend(id, turn)

    async def _attend(self, id: str, turn: int) -> None:
        async with self._storage.app.write() as session:
            row = await repository.find(session, id, lock=True)
            if row is None or row.turn != turn or row.status not in repository.OPEN:
                return
            was_begun = row.status == "sending"
            if not was_begun and not await _claim(session, row):
                return
        await (self._look(row) if was_begun else self._hand_over(row))

    async def _hand_over(self, row: Outgoing) -> None:
        try:
            done = await self._submitted(row)
        except SubmissionFailed as error:
            log.warning("not handed over", message=row.id, sent=error.sent, reason=error.detail)
            await self._record_failure(row, error)
            await self._tell_account(row, error)
            return
        async with self._storage.app.write() as session:
            if found := await _still(session, row):
                await service.mark_sent(session, found, at=clock.now(), note=done.note)
        await self._opener.well(row.account_id)

    async def _submitted(self, row: Outgoing) -> SubmittedMessage:
        """Submit it; any error says whether something may have gone out."""
        begun, done = False, None
        try:
            content = await asyncio.to_thread(self._blobs.read, row.raw_blob)
            async with self._opener.mailbox(row.account_id) as mailbox:
                begun = True
                done = await _submit(mailbox, row, content)
        except SubmissionFailed:
            raise
        except NotFound:
            raise SubmissionFailed("other", _GONE, sent="no", permanent=True) from None
        except Exception as error:
            # Letting go of the connection may fail after it was taken: it is sent all the same.
            if done is None:
                raise _failure(error, begun=begun) from error
            log.warning("handed over, and then", message=row.id, reason=repr(error))
        assert done
        return done

    async def _record_failure(self, row: Outgoing, error: SubmissionFailed) -> None:
        async with self._storage.app.write() as session:
            found = await _still(session, row)
            if found is None:
                return
            if error.sent == "unknown":
                until = clock.now() + self._settled
                service.wait(session, found, until=until, problem=error.detail)
            elif error.permanent or found.tries > len(WAITS):
                service.give_up(session, found, problem=error.detail)
            else:
                found.status = "held"
                until = _later(found, error.retry_after)
                service.wait(session, found, until=until, problem=error.detail)

    async def _look(self, row: Outgoing) -> None:
        """Someone began to hand it over, and nobody knows how that ended."""
        try:
            async with self._opener.mailbox(row.account_id) as mailbox, asyncio.timeout(60):
                found = await mailbox.find_sent(row.message_id)
        except Exception as error:
            if is_away(error):
                raise
            log.warning("cannot ask whether it was sent", message=row.id, reason=repr(error))
            await self._doubt(row, _failure(error, begun=True))
            return
        log.info("asked whether it was sent", message=row.id, sent=found.sent)
        async with self._storage.app.write() as session:
            if still := await _still(session, row):
                await self._believe(session, still, found)

    async def _believe(self, session: AsyncSession, row: Outgoing, found: FoundMessage) -> None:
        assert row.handed_over_at
        shows_from = row.handed_over_at + self._settled
        if found.sent == "yes":
            await service.mark_sent(session, row, at=row.handed_over_at)
        elif found.sent == "unknown":
            service.leave_open(session, row, problem=_doubt_of(row))
        elif clock.now() < shows_from:
            service.wait(session, row, until=shows_from, problem=row.problem)
        elif row.tries > len(WAITS):
            service.give_up(session, row, problem=row.problem or "It was begun too often.")
        else:
            row.status = "held"
            service.wait(session, row, until=clock.now(), problem=row.problem)

    async def _doubt(self, row: Outgoing, error: SubmissionFailed) -> None:
        """The mailbox cannot be asked: later, ever less often, and at last a person."""
        async with self._storage.app.write() as session:
            found = await _still(session, row)
            if found is None:
                return
            assert found.handed_over_at
            passed = clock.now() - found.handed_over_at
            if passed > _LONGEST_DOUBT:
                service.leave_open(session, found, problem=f"{_doubt_of(found)} {error.detail}")
            else:
                until = clock.now() + max(_SETTLED, passed)
                service.wait(session, found, until=until, problem=error.detail)

    async def _tell_account(self, row: Outgoing, error: SubmissionFailed) -> None:
        """What is wrong with the account, and not with this one message, shows on the account."""
        if error.problem != "other":
            await self._opener.failed(row.account_id, error)


async def _claim(session: AsyncSession, row: Outgoing) -> bool:
    """Say that it is being handed over; committed before anything goes."""
    if await halt_service.find(session):
        row.problem = _HALTED
        return False
    row.status, row.handed_over_at, row.updated_at = "sending", clock.now(), clock.now()
    row.attempts += 1
    row.tries += 1
    return True


async def _still(session: AsyncSession, row: Outgoing) -> Outgoing | None:
    """The message, locked, if it is still this very hand-over that is under way."""
    found = await repository.find(session, row.id, lock=True)
    is_same = found and found.status == "sending" and found.attempts == row.attempts
    return found if is_same else None


async def _submit(mailbox: Mailbox, row: Outgoing, content: bytes) -> SubmittedMessage:
    everyone = [address for some in row.recipients.values() for address in some]
    message = Envelope(
        raw=content,
        message_id=row.message_id,
        sender=row.sender,
        recipients=tuple(dict.fromkeys(everyone)),
        thread=row.remote_thread,
    )
    async with asyncio.timeout(LONGEST.total_seconds()):
        return await mailbox.submit(message)


def _failure(error: Exception, *, begun: bool) -> SubmissionFailed:
    """Any other error: before it was begun nothing went out, afterwards nobody knows."""
    sent = "unknown" if begun else "no"
    if isinstance(error, ConnectorFailed):
        return SubmissionFailed(
            error.problem, error.detail, sent=sent, retry_after=error.retry_after
        )
    reason = "It took too long." if isinstance(error, TimeoutError) else "The connector broke off."
    return SubmissionFailed("other", reason, sent=sent)


def _later(row: Outgoing, retry_after: float | None) -> datetime:
    wait = WAITS[min(row.tries, len(WAITS)) - 1]
    return clock.now() + max(wait, timedelta(seconds=min(retry_after or 0, 86_400)))


def _doubt_of(row: Outgoing) -> str:
    reason = f" ({row.problem})" if row.problem else ""
    return f"It was handed over, but the mailbox cannot tell whether it was taken{reason}."


async def _due(_: AsyncSession, happened: Sequence[Recorded]) -> set[int]:
    return {event.position for event in happened if event.type == events.DUE}


async def _released(_: AsyncSession, happened: Sequence[Recorded]) -> set[int]:
    return {event.position for event in happened if event.type == halt_service.RELEASED}


def _delay(event: Recorded) -> timedelta | None:
    left = datetime.fromisoformat(event.data["dueAt"]) - clock.now()
    return left if left > timedelta() else None


WAKES = [
    Wake(
        SEND,
        _due,
        key=lambda event: f"{event.subject_id}:{event.data['turn']}",
        arguments=lambda event: (event.subject_id, event.data["turn"]),
        partition=lambda event: event.data["accountId"],
        delay=_delay,
    ),
    Wake(SWEEP, _released, arguments=lambda _: ()),
]
