"""Gmail and the local mailbox as a person connects them, by the API."""

from typing import Any

import httpx
import pytest

from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors.contract import MailboxCopy, letter
from support.gmail_server import MODIFY, SEND, GmailServer, serving_gmail
from support.local_rig import local_rig
from support.office import API, Office

NAVIGATION = {
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
}


async def home(person: httpx.AsyncClient) -> str:
    known = (await person.get(f"{API}/workspaces")).json()["items"]
    if not known:
        return (await person.post(f"{API}/workspaces", json={"name": "Own"})).json()["id"]
    return known[0]["id"]


async def synced(office: Office, account_id: str) -> MailboxCopy:
    copy = MailboxCopy()
    async with office.product[AccountOpener].mailbox(account_id) as mailbox:
        async for page in mailbox.changes(None):
            copy.take_in(page)
    return copy


async def connect_local(person: httpx.AsyncClient, **settings: Any) -> httpx.Response:
    body = {
        "workspaceId": await home(person),
        "connector": "local",
        "settings": {"address": "me@example.org", **settings},
    }
    return await person.post(f"{API}/accounts", json=body)


async def through_google(person: httpx.AsyncClient, server: GmailServer, **query: Any) -> Any:
    asked = {"workspaceId": await home(person), **query}
    begun = await person.get(f"{API}/connectors/gmail/oauth/start", params=asked)
    assert begun.status_code == 200, begun.text
    page = begun.json()["authorizeUrl"]
    assert page.startswith(f"{server.url}/o/oauth2/v2/auth?")
    async with httpx.AsyncClient(trust_env=False) as browser:
        back = (await browser.get(page)).headers["Location"]
    return await person.get(back, headers=NAVIGATION)


@pytest.mark.req("ACC-02", "ACC-03", "ACC-07")
async def test_gmail_is_connected_with_a_client_id_of_ones_own(office: Office):
    owner = await office.owner()
    with serving_gmail() as server:
        server.account.signature = "<b>Olive</b>"
        server.account.add(letter("a@example.org"), {"INBOX", "UNREAD"})
        options = {"options": server.options}
        configured = await owner.patch(f"{API}/connectors/gmail", json=options)
        assert configured.status_code == 200, configured.text
        assert server.client_secret not in configured.text
        wanted = ["read", "send", "organise", "signature"]
        back = await through_google(owner, server, permissions=wanted)
        assert back.status_code == 303, back.text
        (made,) = (await owner.get(f"{API}/accounts")).json()["items"]
        assert made["address"] == server.account.address
        assert made["authservId"] == "mx.google.com"
        assert made["signature"]["text"] == "Olive"
        scopes = next(iter(server.refresh_tokens.values()))
        assert {SEND, MODIFY} < scopes
        assert not any(scope.endswith(("readonly", "compose")) for scope in scopes)
        server.tokens.clear()  # as if the access token had run out long before its time
        copy = await synced(office, made["id"])
        assert copy.in_role("inbox") == ["a@example.org"]


@pytest.mark.req("ACC-02")
async def test_a_local_mailbox_takes_an_address_and_no_more(office: Office):
    person = await office.member("mia")
    made = await connect_local(person)
    assert made.status_code == 201, made.text
    assert made.json()["address"] == "me@example.org"
    assert made.json()["authservId"] == "mail.bailiwick.invalid"
    assert (await synced(office, made.json()["id"])).messages == {}


@pytest.mark.req("ACC-02")
async def test_a_folder_of_the_machine_is_for_admins_to_name(office: Office, tmp_path):
    other = local_rig(tmp_path / "other")
    await other.deliver(letter("foreign@example.org"))
    path = str(other.access.folder / "Maildir")
    refused = await connect_local(await office.member("mia"), path=path)
    assert refused.status_code >= 400
    assert "admin" in refused.text
    made = await connect_local(await office.owner(), path=path)
    assert made.status_code == 201, made.text
    copy = await synced(office, made.json()["id"])
    assert copy.in_role("inbox") == ["foreign@example.org"]
