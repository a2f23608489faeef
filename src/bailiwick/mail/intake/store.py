"""One page's transaction, step by step."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.connectors.mail import MailPage
from bailiwick.kit import clock, ids
from bailiwick.mail import folder_roles, numbers, threads
from bailiwick.mail.contacts import service as contacts
from bailiwick.mail.filters.compiled import FilterMatch
from bailiwick.mail.filters.service import Taking
from bailiwick.mail.intake import events, labels, placements, repository
from bailiwick.mail.intake import folders as folder_rows
from bailiwick.mail.intake.folders import Folders
from bailiwick.mail.intake.placements import FLAGS, MovedMessages
from bailiwick.mail.intake.prepare import FilterSorter, IncomingMessage, MessageColumns
from bailiwick.mail.search.index import INDEX, entry
from bailiwick.mail.threads import ThreadLinks
from bailiwick.mail.trust import SenderTrust

_OUTGOING = folder_roles.SENT | folder_roles.DRAFTS


@dataclass(frozen=True, slots=True)
class TakenPage:
    """What a page brought: the ids of new messages, and how often filters gave one to someone."""

    new: list[str]
    routed: int


class PageStore:
    """A page on its way into the tables."""

    def __init__(
        self,
        session: AsyncSession,
        account: Account,
        page: MailPage,
        *,
        marks: Sequence[str],
        sorter: FilterSorter,
        cycle_id: str,
        taking: Taking | None,
    ) -> None:
        self._taking = taking
        self._session = session
        self._account = account
        self._page = page
        self._marks = marks
        self._sorter = sorter
        self._cycle_id = cycle_id
        self._now = clock.now()

    async def run(self, drafts: Mapping[str, IncomingMessage]) -> TakenPage:
        """All of it."""
        session, page = self._session, self._page
        folders = await folder_rows.update(session, self._account.id, page)
        touched = set(folders.touched)
        touched |= await folder_rows.void(session, folders, page.voided)
        touched |= await self._drop_others()
        known = await repository.numbers(session, self._account.id, self._marks)
        new = [draft for mark, draft in drafts.items() if mark not in known]
        rows = await self._add(new, folders)
        fresh = {row["number"] for row in rows}
        every = known | {row["fingerprint"]: row["number"] for row in rows}
        touched |= await self._place(every, folders)
        touched |= await placements.take_away(session, self._account.id, page.gone)
        moved = await placements.settle(session, touched - fresh, now=self._now)
        flagged = await self._flag(every, fresh)
        late = await self._moved(moved) if moved else []
        received = [row["id"] for row in rows if self._is_received(row)]
        routed = await self._route(
            [
                (row["id"], draft.matches)
                for row, draft in zip(rows, new, strict=True)
                if self._is_received(row)
            ]
            + late
        )
        if received:
            events.received(session, self._account, received)
        only_folders = folders.changed and not received
        if moved or flagged or len(received) < len(rows) or only_folders:
            events.changed(session, self._account)
        return TakenPage([row["id"] for row in rows], routed)

    async def _drop_others(self) -> set[int]:
        """Where the page says all that there is, the rest is gone."""
        if self._page.complete is None:
            return set()
        account_id = self._account.id
        gone = await placements.others(self._session, account_id, self._page.complete)
        return await placements.take_away(self._session, account_id, gone)

    async def _add(self, new: Sequence[IncomingMessage], folders: Folders) -> list[MessageColumns]:
        """Store the messages that nobody knew."""
        if not new:
            return []
        session, workspace_id = self._session, self._account.workspace_id
        self._set_places(new, folders)
        outgoing = [draft for draft in new if draft.values["places"] & folder_roles.SENT]
        own = [draft for draft in outgoing if not labels.came_in(self._account, draft)]
        await self._learn([draft.values for draft in own])
        moments = [draft.values["date_at"] for draft in new]
        chosen = await numbers.choose(session, workspace_id, moments)
        links = [ThreadLinks.of(draft.values) for draft in new]
        groups = await threads.assign(session, self._account.id, links)
        judged = await labels.judge(session, self._account, new, groups)
        rows = [
            self._row(draft, number=number, thread=thread, judged=found)
            for draft, number, thread, found in zip(new, chosen, groups, judged, strict=True)
        ]
        await repository.add_messages(session, rows)
        pairs = zip(rows, new, strict=True)
        kept = [{"number": row["number"], "data": one.packed} for row, one in pairs if one.packed]
        await repository.add_raw(session, kept)
        apart = [
            {"number": row["number"], **part}
            for row, one in zip(rows, new, strict=True)
            for part in one.parts
        ]
        await repository.add_parts(session, apart)
        blobs = [row["raw_blob"] for row in rows if row["raw_blob"]]
        blobs += [part["blob"] for part in apart]
        await repository.keep_blobs(session, blobs, now=self._now)
        await INDEX.add(session, [entry(row) for row in rows])
        return rows

    def _set_places(self, new: Sequence[IncomingMessage], folders: Folders) -> None:
        """Where the page puts each message; one that it gives twice is in both places."""
        where: dict[str, int] = {}
        gone = set(self._page.gone)
        for mark, arrived in zip(self._marks, self._page.arrived, strict=True):
            here = 0 if arrived.remote_id in gone else folders.places(arrived.folders)
            where[mark] = where.get(mark, 0) | here
        for draft in new:
            draft.values["places"] = where[draft.values["fingerprint"]]

    def _row(
        self, draft: IncomingMessage, *, number: int, thread: str, judged: SenderTrust
    ) -> MessageColumns:
        values = draft.values
        return {
            **values,
            "number": number,
            "id": ids.new("mail"),
            "workspace_id": self._account.workspace_id,
            "account_id": self._account.id,
            "thread_id": thread,
            "gone_at": None if values["places"] else self._now,
            "considered": bool(values["places"] & folder_roles.INBOX),
            "label": judged.label,
            "label_why": judged.why,
            "dmarc": judged.dmarc,
            "created_at": self._now,
            **{flag: flag in draft.arrived.flags for flag in FLAGS},
        }

    async def _place(self, every: Mapping[str, int], folders: Folders) -> set[int]:
        where: dict[str, tuple[int | None, Sequence[str]]] = {
            arrived.remote_id: (every[mark], arrived.folders)
            for mark, arrived in zip(self._marks, self._page.arrived, strict=True)
        }
        for change in self._page.changed:
            if change.folders is not None:
                number = where.get(change.remote_id, (None, ()))[0]
                where[change.remote_id] = (number, change.folders)
        return await placements.put(self._session, self._account.id, folders, where)

    async def _flag(self, every: Mapping[str, int], fresh: Collection[int]) -> int:
        wanted = {
            every[mark]: arrived.flags
            for mark, arrived in zip(self._marks, self._page.arrived, strict=True)
            if every[mark] not in fresh
        }
        changes = {one.remote_id: one.flags for one in self._page.changed if one.flags is not None}
        found = await placements.numbers_of(self._session, self._account.id, changes)
        wanted |= {number: changes[remote_id] for remote_id, number in found.items()}
        return await placements.set_flags(self._session, wanted)

    async def _moved(
        self, moved: Sequence[MovedMessages]
    ) -> list[tuple[str, Sequence[FilterMatch]]]:
        """What follows when known mail comes into Sent, or into the inbox for the first time."""
        sent = [one.number for one in moved if one.places & ~one.before & folder_roles.SENT]
        own = self._account.address
        await self._learn(await repository.written(self._session, sent, by=own))
        inside = [one.number for one in moved if one.places & ~one.before & folder_roles.INBOX]
        rows = await repository.unconsidered(self._session, inside)
        await repository.consider(self._session, [row["number"] for row in rows])
        return [(row["id"], self._sorter.matches(row)) for row in rows if self._is_received(row)]

    def _is_received(self, row: Mapping[str, Any]) -> bool:
        """Whether it is new mail for someone: in the inbox, not the owner's own, and recent."""
        outgoing = row["places"] & _OUTGOING or row["draft"]
        inside = row["places"] & folder_roles.INBOX and not outgoing
        return bool(inside) and self._sorter.is_due(row["date_at"])

    async def _route(self, matched: Sequence[tuple[str, Sequence[FilterMatch]]]) -> int:
        reached = await self._reached({match.director_id for _, each in matched for match in each})
        rows = [
            {
                "message_id": id,
                "director_id": match.director_id,
                "filter_id": match.filter_id,
                "workspace_id": self._account.workspace_id,
                "cycle_id": self._cycle_id,
                "routed_at": self._now,
                "opened_at": None,
            }
            for id, matches in matched
            for match in matches
            if match.director_id in reached
        ]
        await repository.add_routings(self._session, rows)
        for row in rows:
            events.routed(self._session, self._account, row)
        return len(rows)

    async def _reached(self, directors: Collection[str]) -> Collection[str]:
        """Those of the directors that have this account; its mail goes to no other."""
        if not directors or self._taking is None:
            return directors
        return await self._taking(self._session, self._account, directors)

    async def _learn(self, sent: Sequence[Mapping[str, Any]]) -> None:
        """Whom the owner wrote to is known from now on; mail that is here keeps its label.

        An automatic answer is nobody's writing, and what an agent wrote after it had read the words
        of strangers must not make them known.
        """
        sent = [row for row in sent if not row["automatic"]]
        if not sent:
            return
        ids = [row["message_id"] for row in sent if row["message_id"]]
        foreign = await repository.not_the_owners(self._session, self._account.id, ids)
        sent = [row for row in sent if row["message_id"] not in foreign]
        everyone = [
            (name, address, row["date_at"])
            for row in sent
            for kind in ("to", "cc", "bcc")
            for name, address in row["recipients"][kind]
        ]
        account = self._account
        await contacts.learn(self._session, account.workspace_id, account.owner_id, everyone)
