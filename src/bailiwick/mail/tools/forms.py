"""The forms of the mail tools' arguments and answers, as JSON Schema."""

from collections.abc import Mapping
from typing import Any

from bailiwick.mail.compose.addresses import LONGEST, MOST_RECIPIENTS
from bailiwick.mail.compose.replies import LONGEST_SUBJECT
from bailiwick.tools.paths import LONGEST_PATH

Schema = Mapping[str, Any]
ONE_LINE = r"^[^\u0000-\u001f\u007f\u0085\u2028\u2029]*$"
EMAIL: Schema = {"type": "string", "maxLength": 64, "description": "The id of the mail."}
ACCOUNT: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": 320,
    "pattern": ONE_LINE,
    "description": "The account: its id, its label or its address.",
}
FROM_ACCOUNT = {**ACCOUNT, "description": f"{ACCOUNT['description']} Left out: the primary one."}
ANY_ACCOUNT = {**ACCOUNT, "description": f"{ACCOUNT['description']} Left out: all of them."}
SUBJECT: Schema = {
    "type": "string",
    "maxLength": LONGEST_SUBJECT,
    "pattern": ONE_LINE,
    "description": "One line that says what it is about.",
}
BODY: Schema = {
    "type": "string",
    "maxLength": 500_000,
    "pattern": r"^[^\u0000]*$",
    "description": "The text, plain. The account's signature is added.",
}
ATTACH: Schema = {
    "attach_files": {
        "type": "array",
        "maxItems": 20,
        "items": {"type": "string", "minLength": 1, "maxLength": LONGEST_PATH},
        "description": "Files to attach, by their paths.",
    },
    "attach_from": {
        "type": "string",
        "maxLength": 64,
        "description": "The id of a mail in the same account whose attachments are sent on.",
    },
    "attach_parts": {
        "type": "array",
        "maxItems": 50,
        "items": {"type": "string", "maxLength": 40},
        "description": "Which attachments of that mail, by their part; left out: all.",
    },
}
PERSON: Schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "address": {"type": "string"}},
    "required": ["name", "address"],
}
LISTED: dict[str, Any] = {
    "id": {"type": "string"},
    "account": {"type": "string"},
    "account_label": {"type": "string"},
    "from": PERSON,
    "to": {"type": "array", "items": PERSON},
    "subject": {"type": "string"},
    "date": {"type": "string"},
    "snippet": {"type": "string"},
    "unread": {"type": "boolean"},
    "flagged": {"type": "boolean"},
    "answered": {"type": "boolean"},
    "has_attachment": {"type": "boolean"},
    "trust": {"enum": ["contact", "stranger"], "description": "Whose words these are."},
}
PROBLEMS: Schema = {
    "type": "array",
    "description": "Accounts that do not work at present; what is known of them is given anyhow.",
    "items": {
        "type": "object",
        "properties": {
            "account": {"type": "string"},
            "label": {"type": "string"},
            "reason": {"type": "string"},
            "since": {"type": ["string", "null"]},
        },
        "required": ["account", "label", "reason"],
    },
}
HELD: Schema = {
    "type": "object",
    "properties": {
        "status": {"type": "string"},
        "outbox_id": {"type": "string"},
        "account": {"type": "string"},
        "to": {"type": "array", "items": {"type": "string"}},
        "cc": {"type": "array", "items": {"type": "string"}},
        "bcc": {"type": "array", "items": {"type": "string"}},
        "subject": {"type": "string"},
        "goes_out_at": {"type": "string"},
    },
    "required": ["status", "outbox_id", "to", "subject", "goes_out_at"],
}
DONE: Schema = {"type": "object"}


def addresses(description: str, *, least: int = 0) -> Schema:
    """A list of addresses."""
    return {
        "type": "array",
        "minItems": least,
        "maxItems": MOST_RECIPIENTS,
        "items": {"type": "string", "minLength": 3, "maxLength": LONGEST, "pattern": ONE_LINE},
        "description": f"{description} One plain address in each item.",
    }


def mails(more: Schema) -> Schema:
    """A list of mails, and more."""
    item = {"type": "object", "properties": LISTED, "required": list(LISTED)}
    return {
        "type": "object",
        "properties": {"emails": {"type": "array", "items": item}, "problems": PROBLEMS, **more},
        "required": ["emails", "problems", *more],
    }


def schema(properties: Schema, *required: str) -> Schema:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
