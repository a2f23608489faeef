"""The tools that file mail, as callers are offered them."""

from typing import Any

from bailiwick.mail.tools import forms
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.mail.tools.organise import MailOrganiser
from bailiwick.tools.tool import Tool


def tools(office: Mailroom) -> list[Tool]:
    """All of them."""
    filing = MailOrganiser(office)
    by_id: dict[str, Any] = {
        "targets": {"email_id": "email"},
        "ids": {"email_id": "email"},
        "outside": True,
        "account": office.account_of_mail,
        "output": forms.DONE,
    }
    labels: dict[str, Any] = {
        "type": "array",
        "maxItems": 20,
        "items": {
            "type": "string",
            "maxLength": 100,
            "pattern": r"^[^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$",
        },
    }
    return [
        Tool(
            name="draft_email",
            title="Draft a mail",
            description=(
                "Put a draft into the mailbox for a person to look at and send; an answer if a "
                "mail is named. Nothing is sent."
            ),
            parameters=forms.schema(
                {
                    "to": forms.addresses("Who is to get it; not for an answer."),
                    "cc": forms.addresses("Who is to get a copy."),
                    "bcc": forms.addresses("Who is to get a copy that the others do not see."),
                    "subject": {**forms.SUBJECT, "description": "Not for an answer."},
                    "body": forms.BODY,
                    "email_id": {
                        **forms.EMAIL,
                        "description": "The id of the mail that it answers.",
                    },
                    "all": {
                        "type": "boolean",
                        "default": False,
                        "description": "Whether the answer goes to everyone who got the mail.",
                    },
                    "account": forms.FROM_ACCOUNT,
                    **forms.ATTACH,
                },
                "body",
            ),
            output=forms.DONE,
            effect="create",
            run=filing.draft,
            undo=filing.undraft,
            replay="lookup",
            lookup=filing.drafted,
            preview=filing.preview_draft,
            targets={
                "to": "address",
                "cc": "address",
                "bcc": "address",
                "account": "account",
                "attach_files": "file",
                "attach_from": "email",
            },
            more_targets=filing.draft_targets,
            ids={"email_id": "email", "account": "account", "attach_from": "email"},
            outside=True,
            account=office.account_of_draft,
        ),
        Tool(
            name="label_email",
            title="Label a mail",
            description="Put labels on a mail and take labels off. A label that is new is made.",
            parameters=forms.schema(
                {
                    "email_id": forms.EMAIL,
                    "add": {**labels, "description": "Labels to put on."},
                    "remove": {**labels, "description": "Labels to take off."},
                },
                "email_id",
            ),
            effect="label",
            run=filing.label,
            undo=filing.unlabel,
            preview=filing.preview_label,
            **by_id,
        ),
        Tool(
            name="archive_email",
            title="Archive a mail",
            description="Take a mail out of the inbox. It stays in the archive.",
            parameters=forms.schema({"email_id": forms.EMAIL}, "email_id"),
            effect="move",
            run=filing.archive,
            undo=filing.unarchive,
            preview=filing.preview_archive,
            **by_id,
        ),
        Tool(
            name="mark_email",
            title="Mark a mail",
            description="Mark a mail as read or unread, flagged or not.",
            parameters=forms.schema(
                {
                    "email_id": forms.EMAIL,
                    "seen": {"type": "boolean", "description": "Whether it counts as read."},
                    "flagged": {"type": "boolean", "description": "Whether it has a flag."},
                },
                "email_id",
            ),
            effect="label",
            run=filing.mark,
            undo=filing.unmark,
            preview=filing.preview_mark,
            **by_id,
        ),
    ]
