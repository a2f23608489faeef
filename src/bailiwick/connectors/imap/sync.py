"""Changes since a cursor, in pages: folder by folder, the newest messages first.

Invariant: a page's cursor covers exactly the pages up to it. Whatever they do not hold is still to
come, on this connection or on the next.
"""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from bailiwick.connectors.imap import boxes, faults, folders, names
from bailiwick.connectors.imap import flags as kept_flags
from bailiwick.connectors.imap.boxes import Box, Fetched
from bailiwick.connectors.imap.client import Imap
from bailiwick.connectors.imap.cursor import FolderCursor, Progress
from bailiwick.connectors.imap.folders import ImapFolder, ImapFolderStatus
from bailiwick.connectors.imap.remote import ImapPlace
from bailiwick.connectors.imap.uids import Uids
from bailiwick.connectors.mail import ArrivedMessage, ChangedMessage, Cursor, MailPage

_PAGE_MESSAGES = 50
_PAGE_BYTES = 8 * 1024 * 1024
_PAGE_CHANGES = 500
_SIZES_AT_ONCE = 700  # UIDs in a command: one of more than 8192 bytes may be refused (RFC 7162)
_MOST_MESSAGES = 5_000_000
_SLACK = 10_000
_MOST_LABELS = 500


@dataclass(frozen=True, slots=True)
class Mark:
    """A fingerprint of a folder's state: the same mark means that nothing changed."""

    uidvalidity: int | None
    exists: int | None
    uidnext: int | None
    modseq: int | None


def mark(box: Box) -> Mark:
    """The mark of an open folder."""
    return Mark(box.uidvalidity, box.exists, box.uidnext, box.modseq)


class ImapSync:
    """One sync of an account."""

    def __init__(self, imap: Imap, cursor: Cursor | None) -> None:
        self._imap = imap
        self._progress = Progress(cursor)
        self._left: dict[str, int] = {}
        self._labels_shown = 0
        self.folders: Sequence[ImapFolder] = ()
        self.inbox: Mark | None = None  # the marks when the folders were read

    async def pages(self) -> AsyncGenerator[MailPage, None]:
        """All pages."""
        self.folders = await folders.listed(self._imap)
        self._labels_shown = len(self._progress.labels)
        for name in set(self._progress.states) - {each.name for each in self.folders}:
            for page in self._lost(name):
                yield page
        yield self._page(tells_folders=True)
        statuses = await folders.statuses(self._imap, self.folders)
        self._left = {each.name: self._missing(each.name, statuses) for each in self.folders}
        failed: faults.Refused | None = None
        for folder in self.folders:
            status = statuses.get(folder.name)
            if status and self._is_same(self._progress.states.get(folder.name), status):
                self._seen(folder, status)
                continue
            try:
                async for page in self._folder(folder):
                    yield page
            except faults.Refused as error:
                # A folder that the server cannot read is reported after the others are read.
                failed = failed or error
        if self._progress.is_new:
            yield self._page()
        if failed:
            raise failed

    async def _folder(self, folder: ImapFolder) -> AsyncGenerator[MailPage, None]:
        try:
            box = await boxes.opened(self._imap, folder.name)
        except faults.Refused:
            if folder.role == "inbox":
                raise
            return  # not ours to read, or just removed: the next list shows which
        if box.exists > _MOST_MESSAGES:
            raise faults.nonsense(self._imap.where, f"word of {box.exists} messages in one folder")
        if folder.role == "inbox":
            self.inbox = mark(box)
        state = self._progress.states.get(folder.name)
        if state is not None and state.uidvalidity != box.uidvalidity:
            # The ids are listed as gone too, because labels refer to them.
            for page in self._lost(folder.name):
                yield page
            self._progress[folder.name] = _fresh(box)
            yield self._page(voided=(names.folder(folder.name),))
        elif state is None:
            self._progress[folder.name] = _fresh(box)
        else:
            async for page in self._known(box, state):
                yield page
        async for page in self._new(box):
            yield page

    async def _known(self, box: Box, state: FolderCursor) -> AsyncGenerator[MailPage, None]:
        """Changes of messages that were given before."""
        flags, gone = await self._differences(box, state)
        there = state.known - gone
        place = ImapPlace(box.name, box.uidvalidity)
        ids = (place.id(uid) for uid in gone)
        changes = (self._change(place, uid, flags[uid]) for uid in flags if uid in there)
        while taken := tuple(islice(ids, _PAGE_CHANGES)):
            rest = state.known & Uids.between(place.uid(taken[-1]) + 1, gone.highest)
            self._progress[box.name] = replace(state, known=there | rest)
            yield self._page(gone=taken)
        pending = tuple(islice(changes, _PAGE_CHANGES))
        while pending:
            following = tuple(islice(changes, _PAGE_CHANGES))
            if not following:
                self._settle(box, state, there=there, flags=flags)
            yield self._page(changed=pending)
            pending = following
        self._settle(box, state, there=there, flags=flags)

    async def _differences(
        self, box: Box, state: FolderCursor
    ) -> tuple[Mapping[int, frozenset[str]], Uids]:
        """New flags by UID, and the UIDs that are gone."""
        if not state.known:
            return {}, Uids()
        span = f"1:{state.known.highest}"
        if not _is_counted(box, state):
            flags, _ = await boxes.flags_of(self._imap, span)
            return kept_flags.different(state, flags), state.known - Uids.of(flags)
        reported = "QRESYNC" in self._imap.enabled
        flags, gone = await boxes.flags_of(self._imap, span, since=state.modseq, vanished=reported)
        if not reported:
            gone = state.known - await boxes.search(self._imap, b"UID", span.encode())
        return flags, gone & state.known

    def _settle(
        self, box: Box, state: FolderCursor, *, there: Uids, flags: Mapping[int, frozenset[str]]
    ) -> None:
        """Record that all changes were given, so that later ones count from here."""
        kept = None
        if box.modseq is None:
            kept = kept_flags.added(
                kept_flags.without(state.flags or {}, Uids.of(flags)), flags, only=there
            )
        self._progress[box.name] = replace(state, known=there, modseq=box.modseq, flags=kept)

    async def _new(self, box: Box) -> AsyncGenerator[MailPage, None]:
        """Pages of messages that were not given yet."""
        state = self._progress.states[box.name]
        todo = await self._todo(box, state)
        uidnext = max(box.uidnext or 1, state.uidnext, todo.highest + 1, state.known.highest + 1)
        self._left[box.name] = len(todo)
        if not todo:
            self._progress[box.name] = replace(state, uidnext=uidnext, complete=True)
            return
        missed = False
        while todo:
            chunk = todo.newest(_SIZES_AT_ONCE)
            todo -= chunk
            sizes = await boxes.sizes_of(self._imap, chunk)
            groups = list(_groups({uid: sizes[uid] for uid in reversed(chunk) if uid in sizes}))
            missed = missed or len(sizes.keys() & set(chunk)) < len(chunk)
            for index, group in enumerate(groups):
                arrived, flags = await self._arrived(box, group)
                missed = missed or len(arrived) < len(group)
                is_last = not todo and index == len(groups) - 1
                state = self._progress.states[box.name]
                self._progress[box.name] = replace(
                    state,
                    known=state.known | Uids.of(flags),
                    uidnext=uidnext,
                    complete=is_last and not missed,
                    flags=None if state.flags is None else kept_flags.added(state.flags, flags),
                )
                self._left[box.name] = max(0, self._left[box.name] - len(group))
                yield self._page(arrived=arrived)

    async def _todo(self, box: Box, state: FolderCursor) -> Uids:
        if not state.complete:
            if box.exists == 0:
                return Uids()
            present = await boxes.search(self._imap, b"ALL")
        elif box.uidnext is not None and box.uidnext <= state.uidnext:
            return Uids()
        else:
            # `*` means the last message, even if it was given before.
            span = b"%d:*" % state.uidnext
            present = await boxes.search(self._imap, b"UID", span)
            present &= Uids.between(state.uidnext, present.highest)
        if len(present) > box.exists + _SLACK:
            raise faults.nonsense(self._imap.where, "more messages than it says there are")
        return present - state.known

    async def _arrived(
        self, box: Box, group: Mapping[int, int]
    ) -> tuple[tuple[ArrivedMessage, ...], dict[int, frozenset[str]]]:
        """Messages with their flags; those that cannot be fetched are left for the next sync."""
        place = ImapPlace(box.name, box.uidvalidity)
        arrived: list[ArrivedMessage] = []
        flags: dict[int, frozenset[str]] = {}
        for uid, fetched in (await self._fetched(group)).items():
            size = group.get(uid)
            if size is None or fetched.body is None or (size and not fetched.body):
                continue
            flags[uid] = fetched.flags or frozenset()
            arrived.append(
                ArrivedMessage(
                    place.id(uid),
                    self._places(place, flags[uid]),
                    boxes.shown_flags(flags[uid]),
                    boxes.arrival(fetched),
                    fetched.body,
                    cut_size=size if size > boxes.LARGEST_MESSAGE else None,
                )
            )
        return tuple(arrived), flags

    async def _fetched(self, group: Mapping[int, int]) -> Mapping[int, Fetched]:
        uids, size = Uids.of(group), sum(group.values())
        try:
            if len(group) == 1 and size > boxes.LARGEST_MESSAGE:
                return await self._headers(uids.highest)
            return await boxes.messages_of(self._imap, uids, size=size)
        except faults.Refused:
            if len(group) == 1:
                return {}
        found: dict[int, Fetched] = {}
        for uid, each in group.items():
            found.update(await self._fetched({uid: each}))
        return found

    async def _headers(self, uid: int) -> Mapping[int, Fetched]:
        found = await boxes.headers_of(self._imap, uid)
        return {} if found is None else {uid: found}

    def _change(self, place: ImapPlace, uid: int, flags: frozenset[str]) -> ChangedMessage:
        return ChangedMessage(
            place.id(uid), folders=self._places(place, flags), flags=boxes.shown_flags(flags)
        )

    def _places(self, place: ImapPlace, flags: frozenset[str]) -> tuple[str, ...]:
        """The remote names of the folder and of the labels."""
        found = [names.folder(place.folder)]
        for keyword in boxes.labels(flags):
            if len(self._progress.labels) < _MOST_LABELS:
                self._progress.labels.setdefault(keyword.lower(), keyword)
            if keyword.lower() in self._progress.labels:
                found.append(names.label(keyword))
        return tuple(found)

    def _page(
        self,
        *,
        tells_folders: bool = False,
        voided: tuple[str, ...] = (),
        arrived: tuple[ArrivedMessage, ...] = (),
        changed: tuple[ChangedMessage, ...] = (),
        gone: tuple[str, ...] = (),
    ) -> MailPage:
        labels = self._progress.labels
        reported = None
        if tells_folders or len(labels) > self._labels_shown:
            shown = [each.shown for each in self.folders]
            reported = (*shown, *(names.shown_label(each) for each in labels.values()))
            self._labels_shown = len(labels)
        return MailPage(
            cursor=self._progress.cursor(),
            folders=reported,
            voided=voided,
            arrived=arrived,
            changed=changed,
            gone=gone,
            left=sum(self._left.values()) if self._left else None,
        )

    def _lost(self, name: str) -> Iterator[MailPage]:
        """The pages that report the messages of a lost or renumbered folder as gone."""
        state = self._progress.states[name]
        place = ImapPlace(name, state.uidvalidity)
        rest = state.known
        while rest:
            taken = rest.newest(_PAGE_CHANGES)
            rest -= taken
            if rest:
                self._progress[name] = replace(state, known=rest)
            else:
                self._progress.forget(name)
            yield self._page(gone=tuple(place.id(uid) for uid in taken))
        if name in self._progress.states:
            self._progress.forget(name)

    def _missing(self, name: str, statuses: Mapping[str, ImapFolderStatus]) -> int:
        status, state = statuses.get(name), self._progress.states.get(name)
        return max(0, ((status and status.messages) or 0) - len(state.known if state else ()))

    def _is_same(self, state: FolderCursor | None, status: ImapFolderStatus) -> bool:
        """Whether the folder's status excludes any change."""
        if state is None or not state.complete or state.uidvalidity != status.uidvalidity:
            return False
        if state.uidnext != status.uidnext or len(state.known) != status.messages:
            return False
        return status.messages == 0 or (status.modseq or 0) == state.modseq

    def _seen(self, folder: ImapFolder, status: ImapFolderStatus) -> None:
        if folder.role == "inbox":
            self.inbox = Mark(
                status.uidvalidity, status.messages, status.uidnext, status.modseq or None
            )


def _fresh(box: Box) -> FolderCursor:
    return FolderCursor(
        box.uidvalidity, modseq=box.modseq, flags={} if box.modseq is None else None
    )


def _is_counted(box: Box, state: FolderCursor) -> bool:
    return box.modseq is not None and state.modseq is not None and box.modseq >= state.modseq


def _groups(sizes: Mapping[int, int]) -> Iterator[dict[int, int]]:
    """Groups of messages that fit on a page; a message that is too large is alone."""
    group: dict[int, int] = {}
    for uid, size in sizes.items():
        if size > boxes.LARGEST_MESSAGE:
            yield {uid: size}
            continue
        if group and (len(group) == _PAGE_MESSAGES or sum(group.values()) + size > _PAGE_BYTES):
            yield group
            group = {}
        group[uid] = size
    if group:
        yield group
