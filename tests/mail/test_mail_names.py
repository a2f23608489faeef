"""What a page shows of a mail, a person may act on: by the name that tools know it by."""

import pytest

from support.mailroom import Mailroom, letter
from support.office import API

pytestmark = pytest.mark.req("MCP-03")


async def test_a_mail_that_is_shown_says_under_which_name_tools_take_it(room: Mailroom):
    id = await room.got(await room.connect(), letter())
    shown = (await room.owner.get(f"{API}/mail/{id}")).json()
    (listed,) = (await room.done("list_emails"))["emails"]
    assert shown["virtualId"] == listed["id"]
    assert (await room.done("archive_email", email_id=shown["virtualId"]))["status"] == "archived"
    again = (await room.owner.get(f"{API}/mail/{id}")).json()
    assert (again["roles"], again["virtualId"]) == (["archive"], shown["virtualId"])


async def test_the_name_holds_in_its_workspace_alone_and_tools_take_no_other(room: Mailroom):
    id = await room.got(await room.connect(), letter())
    name = (await room.owner.get(f"{API}/mail/{id}")).json()["virtualId"]
    assert (await room.use("archive_email", email_id=id)).status_code == 404
    other = await room.owner.post(f"{API}/workspaces", json={"name": "Elsewhere"})
    tool = f"{API}/workspaces/{other.json()['id']}/tools/archive_email"
    refused = await room.owner.post(tool, json={"arguments": {"email_id": name}})
    assert refused.status_code == 404
    assert "that you have seen" in refused.text
