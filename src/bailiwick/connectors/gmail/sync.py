"""The pages of a Gmail account since a cursor.

The first sync notes the mailbox's history id, lists all ids, and gives the messages from the newest
on. The cursor holds that history id and the last ids given, so that after a crash the list
continues behind them. Changes made meanwhile are in the history since the noted id, which is read
next and at every later sync. If Google has dropped that history, everything is given again with the
list of all ids, which shows what was removed.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bailiwick.connectors.gmail import labels, messages, profile
from bailiwick.connectors.gmail.client import GmailClient, GmailRequest, Query, object_of
from bailiwick.connectors.gmail.fetch import GmailFetch
from bailiwick.connectors.gmail.labels import Labels
from bailiwick.connectors.gmail.messages import label_ids
from bailiwick.connectors.mail import Cursor, MailPage

_MESSAGES = 50
_BYTES = 8 * 1024 * 1024
_IDS = 500  # the most that a list may have
_RECORDS = 100  # records of history between two cursors
_TRIES = 4
_REMEMBERED = 20
_KINDS = ["messageAdded", "messageDeleted", "labelAdded", "labelRemoved"]


class _Forgotten(Exception):
    """Google no longer keeps the history behind a cursor."""


@dataclass(slots=True)
class _Touched:
    """The messages that some history records are about, in order."""

    added: dict[str, None] = field(default_factory=dict[str, None])
    labelled: dict[str, None] = field(default_factory=dict[str, None])
    gone: dict[str, None] = field(default_factory=dict[str, None])


@dataclass(slots=True)
class _Portion:
    """Messages that fit on a page."""

    ids: list[str] = field(default_factory=list[str])
    found: dict[str, messages.GmailMessage] = field(
        default_factory=dict[str, messages.GmailMessage]
    )
    size: int = 0

    @property
    def missing(self) -> tuple[str, ...]:
        """The ids that no longer exist."""
        return tuple(id for id in self.ids if id not in self.found)


class GmailSync:
    """One sync."""

    def __init__(self, client: GmailClient, fetching: GmailFetch) -> None:
        self._client = client
        self._fetching = fetching
        self._labels = Labels({})
        self._labels_unshown = False  # whether the labels were read and not given yet

    async def changes(self, cursor: Cursor | None) -> AsyncIterator[MailPage]:
        """What happened since the cursor."""
        await self._read_labels()
        at: Cursor = cursor or {}
        if "history" not in at:
            async for page in self._everything(at.get("listing") or {}):
                yield page
                at = page.cursor
            if not at["history"]:
                return
        try:
            async for page in self._history(str(at["history"])):
                yield page
        except _Forgotten:
            async for page in self._everything({"again": True}):
                yield page

    async def _everything(self, listing: Mapping[str, Any]) -> AsyncIterator[MailPage]:
        history = str(listing.get("history") or await self._now())
        again = bool(listing.get("again"))
        ids, steady = await self._listed()
        rest = _behind(ids, listing.get("last") or ())
        left = len(rest)
        async for portion in self._portions(rest):
            left -= len(portion.ids)
            last = portion.ids[-_REMEMBERED:] if steady else []
            on: Cursor = {"listing": {"history": history, "last": last, "again": again}}
            page = await self._page(portion, on if left else {"history": history})
            whole = frozenset(ids) if again and not left else None
            yield replace(page, left=left, complete=whole)

    async def _history(self, since: str) -> AsyncIterator[MailPage]:
        start, token = since, None
        while True:
            answer = await self._records(start, token)
            token = answer.get("nextPageToken") or None
            touched = _touched(answer)
            before, since = since, _reached(answer, since, more=token is not None)
            changed = await self._relabelled(touched)
            left = len(touched.added)
            async for portion in self._portions(list(touched.added)):
                left -= len(portion.ids)
                page = await self._page(portion, {"history": before if left else since}, changed)
                yield replace(page, gone=(*touched.gone, *portion.missing))
                touched.gone, changed = {}, {}
            if token is None:
                return

    async def _portions(self, ids: Sequence[str]) -> AsyncIterator[_Portion]:
        """Messages in portions; at least one, so that there is a last one."""
        portion = _Portion()
        async for id, found in self._fetching.many(ids, "raw"):
            if len(portion.ids) >= _MESSAGES or portion.size >= _BYTES:
                yield portion
                portion = _Portion()
            portion.ids.append(id)
            if found is not None:
                portion.found[id] = found
                portion.size += len(found.get("raw") or "") * 3 // 4
        yield portion

    async def _page(
        self,
        portion: _Portion,
        cursor: Cursor,
        changed: Mapping[str, messages.GmailMessage] | None = None,
    ) -> MailPage:
        changed = changed or {}
        used = {id for one in (*portion.found.values(), *changed.values()) for id in label_ids(one)}
        if self._labels.unknown(used):
            await self._read_labels(used)
        labels_unshown, self._labels_unshown = self._labels_unshown, False
        return MailPage(
            cursor=cursor,
            folders=self._labels.folders if labels_unshown else None,
            arrived=tuple(messages.arrived(*one, self._labels) for one in portion.found.items()),
            changed=tuple(messages.changed(*one, self._labels) for one in changed.items()),
        )

    async def _read_labels(self, used: Iterable[str] = ()) -> None:
        """Read the labels again; ids that Gmail does not name are ignored."""
        found = labels.read(await self._client.get("labels"))
        self._labels = replace(found, others=found.others | found.unknown(used))
        self._labels_unshown = True

    async def _now(self) -> str:
        return await profile.history(self._client)

    async def _listed(self) -> tuple[list[str], bool]:
        """All ids, newest first; and whether the list can be repeated after a crash.

        A deletion during listing may shift ids past a page's end, so then the list is read again.
        """
        known: dict[str, None] = {}
        for _ in range(_TRIES):
            since = await self._now()
            ids = [id async for id in self._ids()]
            if not await self._deleted(since):
                return ids, True
            known |= dict.fromkeys(ids)
        return list(known), False

    async def _ids(self) -> AsyncIterator[str]:
        query: Query = {"includeSpamTrash": "true", "maxResults": _IDS}
        seen: set[str] = set()
        while True:
            answer = await self._client.get("messages", query)
            new = dict.fromkeys(str(one["id"]) for one in answer.get("messages") or ())
            for id in new:
                if id not in seen:
                    yield id
            token = answer.get("nextPageToken")
            if not token or seen.issuperset(new):
                return
            seen.update(new)
            query = {**query, "pageToken": str(token)}

    async def _deleted(self, since: str) -> bool:
        if not since:
            return False
        try:
            answer = await self._records(since, None, kinds=["messageDeleted"])
        except _Forgotten:
            return False
        return bool(_touched(answer).gone or answer.get("nextPageToken"))

    async def _records(
        self, since: str, token: str | None, *, kinds: Sequence[str] = _KINDS
    ) -> dict[str, Any]:
        query: Query = {
            "startHistoryId": since,
            "historyTypes": list(kinds),
            "maxResults": _RECORDS,
            **({"pageToken": token} if token else {}),
        }
        answer = await self._client.ask(GmailRequest("GET", "/gmail/v1/users/me/history", query))
        if answer.status in (404, 410) or not since:
            raise _Forgotten
        return object_of(answer)

    async def _relabelled(self, touched: _Touched) -> dict[str, messages.GmailMessage]:
        """The present state of messages with changed labels; missing ones are gone."""
        known = {*touched.added, *touched.gone}
        ids = [id for id in touched.labelled if id not in known]
        now = {id: found async for id, found in self._fetching.many(ids, "minimal")}
        touched.gone |= {id: None for id, found in now.items() if found is None}
        return {id: found for id, found in now.items() if found is not None}


def _behind(ids: Sequence[str], last: Iterable[str]) -> Sequence[str]:
    """The ids after those that were given last; all of them if those no longer exist."""
    remembered = set(last)
    places = (place for place, id in enumerate(ids, 1) if id in remembered)
    return ids[max(places, default=0) :]


def _touched(answer: Mapping[str, Any]) -> _Touched:
    touched = _Touched()
    for record in answer.get("history") or ():
        touched.added |= dict.fromkeys(_ids_in(record, "messagesAdded"))
        touched.labelled |= dict.fromkeys(_ids_in(record, "labelsAdded"))
        touched.labelled |= dict.fromkeys(_ids_in(record, "labelsRemoved"))
        touched.gone |= dict.fromkeys(_ids_in(record, "messagesDeleted"))
    touched.added = {id: None for id in touched.added if id not in touched.gone}
    return touched


def _ids_in(record: Mapping[str, Any], kind: str) -> list[str]:
    given = (one.get("message") or {} for one in record.get(kind) or ())
    return [str(message["id"]) for message in given if message.get("id")]


def _reached(answer: Mapping[str, Any], since: str, *, more: bool) -> str:
    """The history id up to which was read: the end, or the last record of a portion."""
    records = answer.get("history") or ()
    last = str(records[-1].get("id") or since) if records else since
    return last if more else str(answer.get("historyId") or last)
