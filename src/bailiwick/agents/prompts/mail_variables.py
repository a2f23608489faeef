"""The variables that a prompt may use where a mail was handed over, and their values.

Cases and the preview in the editor both take them from here, so that what is shown is what is sent.
"""

from collections.abc import Sequence
from datetime import datetime

from bailiwick.agents.prompts.render import BuiltIn

MOST_BODY = 40_000
_MOST_NAMES = 50
_CUT = "\n[The rest of this mail is left out here: {left:,} characters more.]"

# The page and the documentation show this table.
MAIL_VARIABLES = (
    BuiltIn(
        "email",
        "The mail that was routed: its heads and its text",
        "From: client7@example.org\nTo: support@example.com\nDate: 2026-11-15T09:12:00+00:00\n"
        "Subject: The lamp is broken\n\nThe lamp that came today does not work.",
    ),
    BuiltIn("email.id", "The id of the mail, which the mail tools take", "email_1"),
    BuiltIn("email.from", "Who sent the mail", "Cleo Client <client7@example.org>"),
    BuiltIn("email.to", "To whom the mail is addressed", "support@example.com"),
    BuiltIn("email.cc", "Who got a copy of the mail", "office@example.com"),
    BuiltIn("email.subject", "The subject of the mail", "The lamp is broken"),
    BuiltIn("email.date", "When the mail was sent", "2026-11-15T09:12:00+00:00"),
    BuiltIn("email.body", "The text of the mail", "The lamp that came today does not work."),
    BuiltIn("email.attachments", "The names of the attached files", "photo.jpg"),
)


def mail_variables(
    *,
    id: str,
    subject: str,
    sender: str,
    to: Sequence[str],
    cc: Sequence[str],
    date: datetime | None,
    body: str,
    attachments: Sequence[str],
) -> dict[str, str]:
    """The values for one mail; `email` is all of it as text, the others are its parts."""
    parts = {
        "id": id,
        "from": sender,
        "to": _names(to),
        "cc": _names(cc),
        "subject": " ".join(subject.split()),
        "date": date.isoformat(timespec="seconds") if date else "",
        "body": _shortened(body),
        "attachments": _names(attachments),
    }
    return {"email": _whole(parts), **{f"email.{name}": value for name, value in parts.items()}}


def _whole(parts: dict[str, str]) -> str:
    heads = ("id", "from", "to", "cc", "date", "subject", "attachments")
    lines = [f"{name.capitalize()}: {parts[name]}" for name in heads if parts[name]]
    return "\n".join(lines) + f"\n\n{parts['body']}"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(" ".join(name.split()) for name in names[:_MOST_NAMES])
    left = len(names) - _MOST_NAMES
    return f"{shown} and {left} more" if left > 0 else shown


def _shortened(body: str) -> str:
    if len(body) <= MOST_BODY:
        return body
    return body[:MOST_BODY] + _CUT.format(left=len(body) - MOST_BODY)
