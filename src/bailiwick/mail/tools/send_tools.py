"""The tools that send mail, as callers are offered them."""

from bailiwick.mail.tools import forms
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.mail.tools.send import MailSender
from bailiwick.tools.tool import Tool


def tools(office: Mailroom) -> list[Tool]:
    """All of them."""
    sending = MailSender(office)
    return [
        Tool(
            name="send_email",
            title="Send a mail",
            description=(
                "Send a new mail. It is held in the outbox for a short while, in which it can be "
                "taken back, and then goes out once. To answer a mail, use reply_email."
            ),
            parameters=forms.schema(
                {
                    "to": forms.addresses("Who gets it.", least=1),
                    "cc": forms.addresses("Who gets a copy."),
                    "bcc": forms.addresses("Who gets a copy that the others do not see."),
                    "subject": forms.SUBJECT,
                    "body": forms.BODY,
                    "account": forms.FROM_ACCOUNT,
                    **forms.ATTACH,
                },
                "to",
                "subject",
                "body",
            ),
            output=forms.HELD,
            effect="send",
            run=sending.send,
            undo=sending.unsend,
            preview=sending.preview_send,
            targets={
                "to": "address",
                "cc": "address",
                "bcc": "address",
                "account": "account",
                "attach_files": "file",
                "attach_from": "email",
            },
            ids={"account": "account", "attach_from": "email"},
            outside=True,
            account=office.account,
        ),
        Tool(
            name="reply_email",
            title="Answer a mail",
            description=(
                "Answer a mail from the account that got it, to its sender or to everyone. It is "
                "held in the outbox for a short while, in which it can be taken back."
            ),
            parameters=forms.schema(
                {
                    "email_id": {**forms.EMAIL, "description": "The id of the mail to answer."},
                    "body": forms.BODY,
                    "all": {
                        "type": "boolean",
                        "default": False,
                        "description": "Whether everyone who got the mail gets the answer.",
                    },
                    "cc": forms.addresses("Who gets a copy besides."),
                    **forms.ATTACH,
                },
                "email_id",
                "body",
            ),
            output=forms.HELD,
            effect="send",
            run=sending.reply,
            undo=sending.unsend,
            preview=sending.preview_reply,
            # Not the mail itself: what counts is who gets the answer.
            targets={"cc": "address", "attach_files": "file", "attach_from": "email"},
            more_targets=sending.reply_targets,
            ids={"email_id": "email", "attach_from": "email"},
            outside=True,
            account=office.account_of_mail,
        ),
    ]
