"""The index of mail, what of a message goes into it, and the SQL that fills it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db import Storage
from bailiwick.kit.db.fulltext import Field, TextIndex
from bailiwick.mail.models import MailMessage

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
_BATCH = 500
_MOST_PEOPLE = 500


def entry(row: Mapping[str, Any]) -> dict[str, Any]:
    """What is found of a message, from the columns of its row."""
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


async def rebuild(storage: Storage) -> int:
    """Make the index anew from the messages, some at a time; how many there are."""
    async with storage.app.write() as session:
        await INDEX.clear(session)
    last, count = -1, 0
    while True:
        async with storage.app.write() as session:
            rows = await _after(session, last)
            # One that came meanwhile is in it already.
            await INDEX.remove(session, [row["number"] for row in rows])
            await INDEX.add(session, [entry(row) for row in rows])
        if not rows:
            return count
        last, count = rows[-1]["number"], count + len(rows)


async def _after(session: AsyncSession, number: int) -> Sequence[Mapping[str, Any]]:
    columns = (
        MailMessage.number,
        MailMessage.subject,
        MailMessage.sender_name,
        MailMessage.sender_address,
        MailMessage.recipients,
        MailMessage.attachments,
        MailMessage.text,
    )
    statement = select(*columns).where(MailMessage.number > number).order_by(MailMessage.number)
    return (await session.execute(statement.limit(_BATCH))).mappings().all()  # pyright: ignore[reportReturnType]


def _everyone(people: Iterable[Sequence[str]]) -> str:
    return ", ".join(f"{name} {address}" for name, address in tuple(people)[:_MOST_PEOPLE])
