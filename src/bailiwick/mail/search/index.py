"""The full-text index of mail, and its fields."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bailiwick.kit.db.fulltext import Field, TextIndex

INDEX = TextIndex(
    "search_mail",
    {
        "subject": Field("A", 8.0),
        "sender": Field("B", 5.0),
        "recipients": Field("C", 2.0),
        "cc": Field("C", 2.0, marked=True),
        "body": Field("D", 1.0),
    },
)
_MOST_PEOPLE = 500


def entry(row: Mapping[str, Any]) -> dict[str, Any]:
    """The index entry of a message, from the columns of its row."""
    people = row["recipients"]
    names = " ".join(each["name"] for each in row["attachments"])
    return {
        "number": row["number"],
        "subject": row["subject"],
        "sender": f"{row['sender_name']} {row['sender_address']}",
        "recipients": _everyone((*people["to"], *people["bcc"])),
        "cc": _everyone(people["cc"]),
        "body": f"{row['text']}\n{names}" if names else row["text"],
    }


def _everyone(people: Iterable[Sequence[str]]) -> str:
    return ", ".join(f"{name} {address}" for name, address in tuple(people)[:_MOST_PEOPLE])
