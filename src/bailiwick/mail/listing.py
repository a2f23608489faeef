"""The columns of a mail that a list shows: all but its text."""

from bailiwick.mail.models import Message

LISTED = (
    Message.number,
    Message.id,
    Message.account_id,
    Message.workspace_id,
    Message.thread_id,
    Message.subject,
    Message.sender_name,
    Message.sender_address,
    Message.snippet,
    Message.date_at,
    Message.places,
    Message.seen,
    Message.flagged,
    Message.answered,
    Message.draft,
    Message.has_attachment,
    Message.label,
)
