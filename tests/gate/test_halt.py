"""The panic stop."""

import pytest

from bailiwick.config import Settings
from gate.conftest import Desk, desk_in
from support.office import API, opened_office, user_id

pytestmark = pytest.mark.req("GATE-20")


async def test_one_button_refuses_every_call_until_it_is_released(either_desk: Desk):
    desk = either_desk
    stopped = await desk.owner.post(f"{API}/halt", json={"reason": "Something is odd"})
    assert stopped.json()["stopped"]
    for caller in (desk.agent(), desk.client()):
        assert (await desk.denied(caller, "list_files")).code == "halted"
    assert (await desk.use("list_files")).status_code == 503
    assert (await desk.owner.delete(f"{API}/halt")).json() == {
        "stopped": False,
        "at": None,
        "by": None,
        "reason": None,
    }
    await desk.done(desk.agent(), "list_files")


async def test_a_stop_survives_a_restart(sqlite_settings: Settings):
    async with opened_office(sqlite_settings) as office:
        desk = await desk_in(office)
        await desk.owner.post(f"{API}/halt", json={})
        workspace, owner = desk.workspace_id, desk.owner_id
    async with opened_office(sqlite_settings) as office:
        desk = Desk(office, office.operator, owner, workspace)
        assert (await desk.denied(desk.agent(), "list_files")).code == "halted"


async def test_anyone_may_stop_but_only_an_admin_releases(desk: Desk):
    ines = await desk.office.member("ines")
    assert (await ines.post(f"{API}/halt", json={"reason": "help"})).status_code == 200
    assert (await ines.delete(f"{API}/halt")).status_code == 403
    again = await desk.owner.post(f"{API}/halt", json={"reason": "other"})
    assert again.json()["by"] == "Ines"
    assert (await desk.owner.delete(f"{API}/halt")).status_code == 200
    assert (await desk.owner.delete(f"{API}/halt")).status_code == 409


async def test_what_was_allowed_does_not_run_while_everything_is_stopped(desk: Desk):
    await desk.done(desk.agent(), "create_file", path="Files/a.txt", content="A")
    waiting = await desk.pending(desk.agent(), "move_file", path="Files/a.txt", to="Files/b.txt")
    await desk.owner.post(f"{API}/approvals/{waiting.approval_id}/allow", json={})
    await desk.owner.post(f"{API}/halt", json={})
    assert await desk.run_allowed(waiting.approval_id) == "failed"
    await desk.owner.delete(f"{API}/halt")
    assert (await desk.done(desk.agent(), "read_file", path="Files/a.txt"))["content"] == "A"


async def test_everyone_is_told_who_stopped_it_and_when(desk: Desk):
    ines = await desk.office.member("ines")
    ines_id = await user_id(ines)
    stopped = (await ines.post(f"{API}/halt", json={"reason": "help"})).json()
    for person in (desk.owner, ines):
        shown = (await person.get(f"{API}/halt")).json()
        assert (shown["by"], shown["at"]) == ("Ines", stopped["at"])
        events = (await person.get(f"{API}/events?types=halt.raised")).json()["items"]
        assert [event["actorId"] for event in events] == [ines_id]
    refused = await desk.denied(desk.agent(), "list_files")
    assert f"stopped by Ines since {stopped['at'][:10]}" in refused.reason
    await desk.owner.delete(f"{API}/halt")
    (released,) = (await ines.get(f"{API}/events?types=halt.released")).json()["items"]
    assert released["actorId"] != ines_id
