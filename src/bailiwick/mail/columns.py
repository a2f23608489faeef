"""The columns of a mail that a list shows: all but its text."""

from bailiwick.mail.models import MailMessage

LISTED = (
    MailMessage.number,
    MailMessage.id,
    MailMessage.account_id,
    MailMessage.workspace_id,
    MailMessage.thread_id,
    MailMessage.subject,
    MailMessage.sender_name,
    MailMessage.sender_address,
    MailMessage.snippet,
    MailMessage.date_at,
    MailMessage.places,
    MailMessage.seen,
    MailMessage.flagged,
    MailMessage.answered,
    MailMessage.draft,
    MailMessage.has_attachment,
    MailMessage.label,
)
