"""What someone remembers for themselves leaves no words in activity, audit or cards of others."""

from typing import Any

import pytest

from gate.conftest import Desk, desk_in
from support.office import API, Office

pytestmark = pytest.mark.req("AGENT-04")
SECRET = "Wiebke leaves in March"


@pytest.fixture
async def desk(any_office: Office) -> Desk:
    return await desk_in(any_office)


async def member(desk: Desk, name: str, role: str) -> Any:
    person = await desk.office.member(name)
    body = {"email": f"{name}@example.com", "role": role}
    added = await desk.owner.post(f"{API}/workspaces/{desk.workspace_id}/members", json=body)
    assert added.status_code in (200, 201), added.text
    return person


async def everything(person: Any) -> str:
    """All that someone finds where acts are told of, each line with its details."""
    found = ""
    for path in ("actions", "approvals", "audit"):
        listed = await person.get(f"{API}/{path}?PageSize=100")
        assert listed.status_code == 200, listed.text
        found += listed.text
        for item in listed.json()["items"]:
            found += (await person.get(f"{API}/{path}/{item['id']}")).text
    found += (await person.get(f"{API}/audit?q=Wiebke")).text
    return found


async def test_a_private_memory_is_read_by_nobody_else_through_what_is_told_of_it(desk: Desk):
    mia, adam = await member(desk, "mia", "write"), await member(desk, "adam", "admin")
    made = (await desk.use("memory_add", content=SECRET)).json()
    id = made["result"]["id"]
    await desk.use("memory_edit", memory_id=id, content=f"{SECRET}!")
    await desk.use("memory_add", content=SECRET, reach="no such reach")
    await desk.use("memory_search", query=SECRET)
    await desk.pending(desk.agent(ask_writes=True), "memory_add", content=SECRET)
    await desk.use("memory_delete", memory_id=id)
    for other in (mia, adam):
        assert "Wiebke" not in await everything(other)
        assert (await other.get(f"{API}/actions/{made['actionId']}")).status_code == 404
    assert SECRET in (await desk.owner.get(f"{API}/actions")).text
    assert SECRET in (await desk.owner.get(f"{API}/approvals")).text


async def test_another_cannot_answer_what_is_private_to_the_owner(desk: Desk):
    adam = await member(desk, "adam", "admin")
    waiting = await desk.pending(desk.agent(ask_writes=True), "memory_add", content=SECRET)
    path = f"{API}/approvals/{waiting.approval_id}"
    assert (await adam.get(path)).status_code == 404
    assert (await adam.post(f"{path}/allow", json={})).status_code == 404
    assert (await desk.owner.post(f"{path}/allow", json={})).status_code == 200
