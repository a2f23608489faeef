"""Gmail's labels as folders, labels and flags.

A message that is in none of the usual places is in the archive, which Gmail has no label for.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bailiwick.connectors.mail import FolderRole, MailFlag, RemoteFolder

ARCHIVE = "ARCHIVE"
PLACES: dict[str, tuple[str, FolderRole]] = {
    "INBOX": ("Inbox", "inbox"),
    "SENT": ("Sent", "sent"),
    "DRAFT": ("Drafts", "drafts"),
    ARCHIVE: ("Archive", "archive"),
    "TRASH": ("Trash", "trash"),
    "SPAM": ("Spam", "junk"),
}
# Gmail's own that are labels to a person.
_OWN = {
    "IMPORTANT": "Important",
    "CATEGORY_PERSONAL": "Personal",
    "CATEGORY_SOCIAL": "Social",
    "CATEGORY_PROMOTIONS": "Promotions",
    "CATEGORY_UPDATES": "Updates",
    "CATEGORY_FORUMS": "Forums",
}
_NO_LABELS = {"UNREAD", "STARRED", "CHAT"}


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of an account, by their ids."""

    titles: Mapping[str, str]
    others: frozenset[str] = frozenset()  # labels that we ignore

    @property
    def folders(self) -> tuple[RemoteFolder, ...]:
        """All of them, as the mail protocol has them."""
        places = (RemoteFolder(id, title, role=role) for id, (title, role) in PLACES.items())
        labels = (RemoteFolder(id, title, kind="label") for id, title in self.titles.items())
        return (*places, *labels)

    def id_of(self, title: str) -> str | None:
        """The id of a label, whatever the case of its title."""
        wanted = title.strip().casefold()
        return next((id for id, one in self.titles.items() if one.casefold() == wanted), None)

    def unknown(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of the ids that were created after these labels were read."""
        return frozenset(ids) - PLACES.keys() - self.titles.keys() - self.others

    def of(self, ids: Collection[str]) -> tuple[str, ...]:
        """The folders and labels of a message with these Gmail labels."""
        places = tuple(id for id in PLACES if id in ids) or (ARCHIVE,)
        return (*places, *sorted(id for id in ids if id in self.titles))


def read(answer: Mapping[str, Any]) -> Labels:
    """The labels in an answer of `labels.list`."""
    titles, others = dict(_OWN), set(_NO_LABELS)
    for one in answer.get("labels") or ():
        id, name = str(one.get("id") or ""), str(one.get("name") or "")
        own = one.get("type") == "system" or id in PLACES or id in _NO_LABELS
        if id and name and not own and id not in titles:
            titles[id] = name
        elif own:
            others.add(id)
    return Labels(titles, frozenset(others))


def flags(ids: Collection[str]) -> frozenset[MailFlag]:
    """The flags that Gmail's labels stand for."""
    said: dict[MailFlag, bool] = {
        "seen": "UNREAD" not in ids,
        "flagged": "STARRED" in ids,
        "draft": "DRAFT" in ids,
    }
    return frozenset(flag for flag, holds in said.items() if holds)


def names_a_place(title: str) -> bool:
    """Whether a title is a folder's name: adding it would be a move, not a label."""
    wanted = title.strip().casefold()
    places = {id.casefold() for id in (*PLACES, *_NO_LABELS)}
    return wanted in places | {name.casefold() for name, _ in PLACES.values()}
