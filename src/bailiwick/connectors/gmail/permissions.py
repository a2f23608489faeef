"""The permissions that a user may switch on, each with the smallest Google scope for it."""

from bailiwick.connectors.connector import Permission

_SCOPE = "https://www.googleapis.com/auth/gmail."

PERMISSIONS = (
    Permission(
        "read",
        "Read mail",
        "Fetch and search your mail. Nothing works without it.",
        scopes=(f"{_SCOPE}readonly",),
        required=True,
        within=("organise",),
    ),
    Permission("send", "Send mail", "Send mail in your name.", scopes=(f"{_SCOPE}send",)),
    Permission(
        "organise",
        "Organise mail",
        "Archive, label and mark mail, and move it to the trash.",
        scopes=(f"{_SCOPE}modify",),
    ),
    Permission("drafts", "Keep drafts", "Save and remove drafts.", scopes=(f"{_SCOPE}compose",)),
    Permission(
        "signature",
        "Read the signature",
        "Use the signature that is set in Gmail.",
        scopes=(f"{_SCOPE}settings.basic",),
    ),
)
TITLES = {one.name: one.title for one in PERMISSIONS}
