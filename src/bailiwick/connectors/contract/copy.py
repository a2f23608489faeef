"""`MailboxCopy`: applies pages to a mailbox in memory, as a mail store has to."""

import json
from dataclasses import dataclass, field, replace
from email.parser import BytesHeaderParser

from bailiwick.connectors.mail import (
    ChangedMessage,
    Cursor,
    FolderRole,
    MailFlag,
    MailPage,
    RemoteFolder,
)


@dataclass(frozen=True, slots=True)
class CopiedMessage:
    """A message in the copy."""

    folders: frozenset[str]
    flags: frozenset[MailFlag]
    raw: bytes

    @property
    def message_id(self) -> str:
        """Its Message-ID."""
        return str(BytesHeaderParser().parsebytes(self.raw)["Message-ID"]).strip("<> \r\n")


@dataclass
class MailboxCopy:
    """A mailbox built from pages."""

    folders: dict[str, RemoteFolder] = field(default_factory=dict[str, RemoteFolder])
    messages: dict[str, CopiedMessage] = field(default_factory=dict[str, CopiedMessage])
    cursor: Cursor | None = None

    def take_in(self, page: MailPage) -> None:
        """Apply a page, as the product does."""
        if page.folders is not None:
            self.folders = {one.remote: one for one in page.folders}
        if page.voided:
            self._void(frozenset(page.voided))
        for one in page.arrived:
            assert one.received_at.tzinfo, "A message has to say when it came, with a time zone."
            self.messages[one.remote_id] = CopiedMessage(frozenset(one.folders), one.flags, one.raw)
        for one in page.changed:
            self._change(one)
        for id in page.gone:
            self.messages.pop(id, None)
        if page.complete is not None:
            self.messages = {id: one for id, one in self.messages.items() if id in page.complete}
        for kept in self.messages.values():
            assert kept.folders, "A message is in some folder."
            assert kept.folders <= self.folders.keys(), f"Unknown folders: {kept.folders}"
        self.cursor = json.loads(json.dumps(page.cursor))
        assert self.cursor == page.cursor, "A cursor has to be plain JSON."

    def ids_of(self, message_id: str) -> list[str]:
        """The ids of a message, one for each copy."""
        return [id for id, one in self.messages.items() if one.message_id == message_id]

    def one(self, message_id: str) -> tuple[str, CopiedMessage]:
        """The id and content of a message that is in the mailbox exactly once."""
        ids = self.ids_of(message_id)
        assert len(ids) == 1, f"{message_id} is here {len(ids)} times."
        return ids[0], self.messages[ids[0]]

    def in_role(self, role: FolderRole) -> list[str]:
        """The Message-IDs in the folders with this role."""
        remotes = {remote for remote, one in self.folders.items() if one.role == role}
        return sorted(one.message_id for one in self.messages.values() if one.folders & remotes)

    def labels(self, message_id: str) -> set[str]:
        """The titles of a message's labels."""
        _, kept = self.one(message_id)
        known = (self.folders[remote] for remote in kept.folders)
        return {one.title for one in known if one.kind == "label"}

    def twin(self) -> "MailboxCopy":
        """An independent copy of the present state."""
        return MailboxCopy(dict(self.folders), dict(self.messages), self.cursor)

    def _void(self, voided: frozenset[str]) -> None:
        left = {id: replace(one, folders=one.folders - voided) for id, one in self.messages.items()}
        self.messages = {id: one for id, one in left.items() if one.folders}

    def _change(self, change: ChangedMessage) -> None:
        known = self.messages.get(change.remote_id)
        if known is not None:
            folders = known.folders if change.folders is None else frozenset(change.folders)
            flags = known.flags if change.flags is None else change.flags
            self.messages[change.remote_id] = replace(known, folders=folders, flags=flags)
