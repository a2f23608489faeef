"""The account's address and its newest history id, from the profile or without one.

Servers that stand in for Gmail, and some proxies before it, do not serve the profile. The sending
address and the newest message give the same facts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.gmail.client import GmailClient, GmailRequest, object_of

_NOT_SERVED = (404, 405, 410, 501)


async def address(client: GmailClient) -> str:
    """The account's own address."""
    found = str((await _profile(client)).get("emailAddress") or "")
    if found:
        return found
    for one in await senders(client):
        if one.get("sendAsEmail"):
            return str(one["sendAsEmail"])
    raise ConnectorFailed("other", "Gmail does not say whose account this is.")


async def senders(client: GmailClient) -> Sequence[Mapping[str, Any]]:
    """The addresses that mail is sent from, the account's own first."""
    found = (await client.get("settings/sendAs")).get("sendAs") or ()
    return sorted(found, key=lambda one: (not one.get("isPrimary"), not one.get("isDefault")))


async def history(client: GmailClient) -> str:
    """The newest history id; empty for a mailbox without history."""
    found = str((await _profile(client)).get("historyId") or "")
    return found or await _newest(client)


async def _newest(client: GmailClient) -> str:
    listed = await client.get("messages", {"includeSpamTrash": "true", "maxResults": 1})
    for one in listed.get("messages") or ():
        message = await client.get(f"messages/{one['id']}", {"format": "minimal"})
        return str(message.get("historyId") or "")
    return ""


async def _profile(client: GmailClient) -> Mapping[str, Any]:
    answer = await client.ask(GmailRequest("GET", "/gmail/v1/users/me/profile", {}))
    return {} if answer.status in _NOT_SERVED else object_of(answer)
