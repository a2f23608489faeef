"""The order of agents, which everyone in the workspace sees."""

import pytest

from support.office import API
from support.workshop import Workshop


@pytest.mark.req("DIR-04")
async def test_agents_are_put_into_an_order_that_everyone_sees(any_workshop: Workshop):
    shop = any_workshop
    made = [await shop.agent(name=name) for name in ("Cleo", "Adam", "Bert")]
    ids = [each["id"] for each in made]

    async def listed() -> list[str]:
        found = await shop.owner.get(f"{API}/agents", params={"workspaceId": shop.workspace_id})
        return [each["name"] for each in found.json()["items"]]

    assert await listed() == ["Cleo", "Adam", "Bert"]
    order = {"workspaceId": shop.workspace_id, "ids": [ids[2], ids[0], ids[1]]}
    moved = await shop.owner.put(f"{API}/agents/order", json=order)
    assert moved.status_code == 200, moved.text
    assert [each["name"] for each in moved.json()["items"]] == ["Bert", "Cleo", "Adam"]
    await shop.agent(name="Aaron")
    assert await listed() == ["Bert", "Cleo", "Adam", "Aaron"]
    for wrong in (ids, [*ids, ids[0]], [*ids, "agt-000000000000"]):
        refused = await shop.owner.put(
            f"{API}/agents/order", json={"workspaceId": shop.workspace_id, "ids": wrong}
        )
        assert refused.status_code == 409


async def test_many_agents_have_an_order_and_a_director_has_at_most_fifty(workshop: Workshop):
    made = [(await workshop.agent(name=f"Agent {number}"))["id"] for number in range(60)]
    order = {"workspaceId": workshop.workspace_id, "ids": made[::-1]}
    moved = await workshop.owner.put(f"{API}/agents/order", json=order)
    assert [each["id"] for each in moved.json()["items"]] == made[::-1]
    body = {"workspaceId": workshop.workspace_id, "name": "D", "colleagues": made[:51]}
    refused = await workshop.owner.post(f"{API}/agents", json=body)
    assert refused.status_code == 400
    assert "colleagues" in refused.json()["errors"]
