"""`GmailMailbox`: the mail protocol on Gmail's REST API."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import quote

import httpx2

from bailiwick.connectors.connector import AccountAccess
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.gmail import labels, messages, profile, submission
from bailiwick.connectors.gmail.client import (
    LARGEST,
    GmailClient,
    GmailRequest,
    Patience,
    good,
    too_busy,
)
from bailiwick.connectors.gmail.fetch import GmailFetch
from bailiwick.connectors.gmail.labels import ARCHIVE, PLACES
from bailiwick.connectors.gmail.permissions import TITLES
from bailiwick.connectors.gmail.sync import GmailSync
from bailiwick.connectors.mail import (
    Cursor,
    FoundMessage,
    Identity,
    MailFlag,
    MailPage,
    OutgoingMessage,
    SubmittedMessage,
)

_AUTHSERV_ID = "mx.google.com"
_MISSING = (404, 410)
# Which labels put a message into a place. It cannot be put among sent mail or drafts, but what
# was there before comes back when it is taken out of the others.
_INTO: dict[str, tuple[list[str], list[str]]] = {
    "INBOX": (["INBOX"], ["TRASH", "SPAM"]),
    ARCHIVE: ([], ["INBOX", "TRASH", "SPAM"]),
    "TRASH": (["TRASH"], ["INBOX", "SPAM"]),
    "SPAM": (["SPAM"], ["INBOX", "TRASH"]),
    "SENT": ([], ["TRASH", "SPAM"]),
    "DRAFT": ([], ["TRASH", "SPAM"]),
}
# Gmail does not say whether a message was answered.
_FLAGS: dict[MailFlag, tuple[str, bool]] = {"seen": ("UNREAD", False), "flagged": ("STARRED", True)}


class GmailMailbox:
    """One account's mail."""

    def __init__(
        self, access: AccountAccess, patience: Patience | None = None, *, largest: int = LARGEST
    ) -> None:
        self._access = access
        self._client = GmailClient(access, patience, largest=largest)
        self._fetching = GmailFetch(self._client)

    async def probe(self) -> Identity:
        """Ask for the account's address."""
        return Identity(await profile.address(self._client), authserv_id=_AUTHSERV_ID)

    async def changes(self, cursor: Cursor | None) -> AsyncIterator[MailPage]:
        """What happened since the cursor."""
        try:
            async for page in GmailSync(self._client, self._fetching).changes(cursor):
                yield page
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ConnectorFailed("other", "Gmail's answer cannot be understood.") from error

    async def wait(self, seconds: float) -> bool:
        """Return False: Gmail notifies only servers that are reachable from the internet."""
        return False

    async def submit(self, message: OutgoingMessage) -> SubmittedMessage:
        """Send a message; Gmail keeps the copy in Sent."""
        with submission.as_submission():
            self._check("send")
        return await submission.submit(self._client, message)

    async def find_sent(self, message_id: str) -> FoundMessage:
        """Whether the message is among the sent ones.

        Gmail's search finds a new message only after some seconds. The outbox waits a minute before
        it asks, so it may trust a "no".
        """
        return await submission.find(self._client, self._fetching, message_id)

    async def save_draft(self, raw: bytes, *, thread: str | None = None) -> str:
        """Save a draft; a failure is not retried, because that could save it twice."""
        self._check("drafts")
        message = {"raw": messages.encoded(raw), **({"threadId": thread} if thread else {})}
        try:
            answer = await self._client.post("drafts", {"message": message}, once=True)
            if thread and answer.status in _MISSING:
                del message["threadId"]
                answer = await self._client.post("drafts", {"message": message}, once=True)
        except httpx2.HTTPError:
            raise too_busy(None) from None
        return str((good(answer).json.get("message") or {}).get("id") or "")

    async def remove_draft(self, remote_id: str) -> None:
        """Remove a draft; other messages stay."""
        self._check("drafts")
        draft = await self._draft_of(remote_id)
        if draft is not None:
            path = f"/gmail/v1/users/me/drafts/{quote(draft, safe='')}"
            answer = await self._client.ask(GmailRequest("DELETE", path))
            if answer.status not in _MISSING:
                good(answer)

    async def relabel(
        self, remote_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> None:
        """Add and remove labels; a folder's name is not a label."""
        self._check("organise")
        if place := next((one for one in (*add, *remove) if labels.names_a_place(one)), None):
            raise ConnectorFailed("other", f"{place.strip()} is not a label: move the mail there.")
        known = labels.read(await self._client.get("labels"))
        more = [known.id_of(title) or await self._made(title) for title in add]
        less = [id for title in remove if (id := known.id_of(title))]
        await self._modify(remote_id, more, less)

    async def move(self, remote_id: str, *, to: str, out_of: str | None = None) -> str:
        """Put a message into a folder; it keeps its id."""
        self._check("organise")
        roles = {role: id for id, (_, role) in PLACES.items()} | {"all": ARCHIVE}
        place = next((id for role, id in roles.items() if role == to), to)
        if place in _INTO:
            more, less = _INTO[place]
        else:
            known = labels.read(await self._client.get("labels"))
            if place not in known.titles:
                raise ConnectorFailed("other", "This account has no such folder.")
            gone = [out_of] if out_of and out_of in known.titles and out_of != place else []
            more, less = [place], ["INBOX", "TRASH", "SPAM", *gone]
        await self._modify(remote_id, more, less)
        return remote_id

    async def set_flags(
        self, remote_id: str, *, add: Sequence[MailFlag] = (), remove: Sequence[MailFlag] = ()
    ) -> None:
        """Set and clear the flags that Gmail knows."""
        self._check("organise")
        wanted = dict.fromkeys(remove, False) | dict.fromkeys(add, True)
        known = [(*_FLAGS[flag], on) for flag, on in wanted.items() if flag in _FLAGS]
        more = [label for label, meant, on in known if meant == on]
        less = [label for label, meant, on in known if meant != on]
        await self._modify(remote_id, more, less)

    async def signature(self) -> str | None:
        """The signature of the sending address; None if the permission to read it is missing."""
        if "signature" not in self._access.permissions:
            return None
        best = await profile.senders(self._client)
        return next((str(one["signature"]) for one in best[:1] if one.get("signature")), None)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    def _check(self, permission: str) -> None:
        if permission not in self._access.permissions:
            raise ConnectorFailed(
                "other",
                f"This account may not do that: switch on “{TITLES[permission]}” in its settings"
                " and authorise it again.",
            )

    async def _modify(self, id: str, add: Sequence[str], remove: Sequence[str]) -> None:
        if not add and not remove:
            return
        body = {"addLabelIds": list(add), "removeLabelIds": list(remove)}
        answer = await self._client.post(f"messages/{quote(id, safe='')}/modify", body)
        if answer.status in _MISSING:
            raise ConnectorFailed("other", "This message is not in the mailbox any more.")
        good(answer)

    async def _made(self, title: str) -> str:
        body = {
            "name": title.strip(),
            "labelListVisibility": "labelShow",
            "messageListVisibility": "show",
        }
        answer = await self._client.post("labels", body)
        if answer.status == 409:
            # Made by someone else since, or by the try before this one.
            found = labels.read(await self._client.get("labels")).id_of(title)
            if found is not None:
                return found
        return str(good(answer).json["id"])

    async def _draft_of(self, message_id: str) -> str | None:
        """The draft's own id, which differs from its message's."""
        token: str | None = None
        while True:
            query: dict[str, Any] = {"maxResults": 500, **({"pageToken": token} if token else {})}
            answer = await self._client.get("drafts", query)
            for one in answer.get("drafts") or ():
                if (one.get("message") or {}).get("id") == message_id:
                    return str(one["id"])
            token = answer.get("nextPageToken")
            if not token:
                return None
