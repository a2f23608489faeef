"""The local mailbox as a feature."""

from bailiwick.connectors.connector import FOLDER, Connector, Permission
from bailiwick.connectors.local import sealing
from bailiwick.connectors.local.mailbox import LocalMailbox
from bailiwick.feature import Feature
from bailiwick.kit.sealing import KeptFolder

_SETTINGS = {
    "type": "object",
    "properties": {
        "address": {
            "type": "string",
            "title": "Address",
            "description": "Whose mailbox it is. Mail that is sent to it arrives in its inbox.",
            "minLength": 3,
            "maxLength": 320,
            "pattern": r"^[^@\s<>,;]+@[^@\s<>,;]+$",
        },
        "name": {"type": "string", "title": "Name", "maxLength": 200, "default": ""},
        "path": {
            "type": "string",
            "title": "Folder",
            "description": (
                "A Maildir of yours on this machine, which stays as it is and readable to other"
                " programs. Empty: the office keeps one of its own, sealed if there is a data key."
                " Only an admin of the office can name a folder."
            ),
            "maxLength": 1000,
            "default": "",
        },
        "authserv_id": {
            "type": "string",
            "title": "Name of the receiving server",
            "description": (
                "Whose verdict on a sender counts: the name at the beginning of"
                " Authentication-Results headers that the server which fills this folder writes."
            ),
            "maxLength": 255,
            "default": "mail.bailiwick.invalid",
        },
    },
    "required": ["address"],
    "additionalProperties": False,
}

CONNECTOR = Connector(
    name="local",
    title="Local mailbox (nothing is sent out)",
    summary="A Maildir on this machine, to try things out. Mail stays here: only what you write "
    "to its own address arrives. In a folder of yours, any mail program can read along.",
    settings=_SETTINGS,
    permissions=(
        Permission("read", "Read", "Read the mail in this folder.", required=True),
        Permission("send", "Send", "Put mail into Sent; none leaves this machine."),
        Permission("organise", "Organise", "Move, mark and label mail."),
        Permission("drafts", "Drafts", "Keep drafts."),
    ),
    open_mail=LocalMailbox,
    keeps_folder=True,
    users_folder=lambda settings: str(settings.get("path") or "").strip() or None,
)


feature = Feature(
    name="local",
    connectors=[CONNECTOR],
    folders=[KeptFolder(f"{FOLDER}/*", sealing.reseal)],
)
