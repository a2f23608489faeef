"""Submitting a message to Gmail, and finding out afterwards whether it was sent.

A message counts as not sent only if Gmail refused it, or never received it. If the connection is
lost after the request, or the server failed while it worked on it, the outcome is `unknown`.
"""

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from email.parser import HeaderParser
from email.utils import getaddresses
from typing import Any

import httpx2

from bailiwick.connectors.errors import ConnectorFailed, SubmissionFailed
from bailiwick.connectors.gmail import messages
from bailiwick.connectors.gmail.client import GmailClient, GmailRequest, GmailResponse, refused
from bailiwick.connectors.gmail.fetch import GmailFetch
from bailiwick.connectors.mail import FoundMessage, OutgoingMessage, SubmittedMessage

_SEND = "/gmail/v1/users/me/messages/send"
# Above this size, Google wants an upload instead of base64 in JSON.
_LARGE = 4 * 1024 * 1024
_BOUNDARY = "bailiwick_message"
_NO_UPLOADS = (404, 405, 501)
_NEVER_REACHED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.InvalidURL)
_ADDRESS = re.compile(r"[^\s,;<>()\"\\]+@[^\s,;<>()\"\\@]+")
_HEAD = re.compile(rb"\r?\n\r?\n")
_HEADERS = ("Message-ID", "X-Google-Original-Message-ID")


async def submit(client: GmailClient, message: OutgoingMessage) -> SubmittedMessage:
    """Submit a message, once."""
    message = replace(message, raw=_addressed(message))
    with as_submission():
        answer = await _sent(client, message, thread=message.thread)
        if message.thread and answer.status == 404:
            # The thread no longer exists, so nothing was sent; the headers still name the parent.
            answer = await _sent(client, message, thread=None)
    if not 200 <= answer.status < 300:
        raise _failed(answer)
    id = answer.json.get("id")
    return SubmittedMessage(remote_id=str(id) if id else None)


async def find(client: GmailClient, fetching: GmailFetch, message_id: str) -> FoundMessage:
    """Whether a message of this Message-ID is among what was sent."""
    wanted = message_id.strip("<> ")
    query = {"q": f"rfc822msgid:{wanted}", "includeSpamTrash": "true", "maxResults": 10}
    answer = await client.get("messages", query)
    for one in answer.get("messages") or ():
        found = await fetching.one(str(one["id"]), "metadata", headers=_HEADERS)
        if found is not None and _is_it(found, wanted):
            return FoundMessage("yes", str(one["id"]))
    return FoundMessage("no")


@contextmanager
def as_submission() -> Generator[None]:
    """Turn a failed request into a `SubmissionFailed`."""
    try:
        yield
    except ConnectorFailed as error:
        # Raised before anything was sent, or instead: the token, or a host that cannot be reached.
        raise SubmissionFailed(
            error.problem,
            error.detail,
            sent="no",
            permanent=error.problem == "other",
            retry_after=error.retry_after,
        ) from None
    except _NEVER_REACHED:
        raise SubmissionFailed("network", "Gmail cannot be reached.", sent="no") from None
    except httpx2.HTTPError:
        raise SubmissionFailed(
            "network", "The connection to Gmail was lost while it was sending.", sent="unknown"
        ) from None


async def _sent(
    client: GmailClient, message: OutgoingMessage, *, thread: str | None
) -> GmailResponse:
    facts: dict[str, Any] = {"threadId": thread} if thread else {}
    if len(message.raw) > _LARGE:
        answer = await client.ask_once(_upload(message.raw, facts))
        if answer.status not in _NO_UPLOADS:
            return answer
    body = json.dumps({**facts, "raw": messages.encoded(message.raw)}).encode()
    return await client.ask_once(GmailRequest("POST", _SEND, body=body))


def _addressed(message: OutgoingMessage) -> bytes:
    """The message, with recipients that no header names added as Bcc.

    Gmail has no envelope: it sends to those whom the headers name, so they must name nobody else.
    """
    head = _HEAD.split(message.raw, maxsplit=1)[0]
    # Addresses with letters beyond ASCII are encoded as UTF-8.
    headers = HeaderParser().parsestr(head.decode("utf-8", "replace"))
    given = [str(text) for name in ("To", "Cc", "Bcc") for text in headers.get_all(name, [])]
    named = {address.lower() for _, address in getaddresses(given) if address}
    meant = {address.lower(): address for address in message.recipients}
    if wrong := [address for address in meant if not _ADDRESS.fullmatch(address)]:
        raise _refusal(f"{wrong[0]!r} is not an address.")
    if extra := sorted(named - meant.keys()):
        raise _refusal(f"Its headers name {extra[0]}, who is not among its recipients.")
    hidden = [address for address in meant.values() if address.lower() not in named]
    end = b"\r\n" if b"\r\n" in message.raw[:1000] else b"\n"
    bcc = b"Bcc: " + ", ".join(hidden).encode() + end if hidden else b""
    return bcc + message.raw


def _refusal(detail: str) -> SubmissionFailed:
    return SubmissionFailed("other", detail, sent="no", permanent=True)


def _upload(raw: bytes, facts: dict[str, Any]) -> GmailRequest:
    head = (
        f"--{_BOUNDARY}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n"
        f"{json.dumps(facts)}\r\n"
        f"--{_BOUNDARY}\r\nContent-Type: message/rfc822\r\n\r\n"
    )
    return GmailRequest(
        "POST",
        f"/upload{_SEND}",
        {"uploadType": "multipart"},
        body=head.encode("ascii") + raw + f"\r\n--{_BOUNDARY}--\r\n".encode("ascii"),
        type=f'multipart/related; boundary="{_BOUNDARY}"',
    )


def _failed(answer: GmailResponse) -> SubmissionFailed:
    error = refused(answer)
    return SubmissionFailed(
        error.problem,
        error.detail,
        sent="unknown" if answer.status >= 500 else "no",
        permanent=not answer.is_busy,
        retry_after=error.retry_after,
    )


def _is_it(found: messages.GmailMessage, message_id: str) -> bool:
    ids = {messages.header(found, name).strip("<> ") for name in _HEADERS}
    return "SENT" in messages.label_ids(found) and message_id in ids
