"""The parts of the walk that are about agents and their runs."""

from notify.walking import Told, Walk, part
from support.model_server import Turn, calls, fails, says, serving_model
from support.office import API
from support.workshop import Workshop, workshop_in

AGENT = {"name": "canary-agent", "description": "canary", "canCreate": True, "askWrites": True}


async def shop_of(walk: Walk) -> tuple[Workshop, set[str], set[str]]:
    """The workshop, who hears of agents, and who hears of runs."""
    shop = await workshop_in(walk.office)
    heard = {"admins", f"workspace:{shop.workspace_id}"}
    return shop, heard, {f"user:{shop.owner_id}"}


@part(
    "POST /agents",
    "PUT /agents/{agent_id}",
    "DELETE /agents/{agent_id}",
    "POST /agents/{agent_id}/restore",
    "POST /agents/{agent_id}/activate",
    "POST /agents/{agent_id}/credentials",
    "DELETE /agents/{agent_id}/credentials/{key}",
    "POST /agents/{agent_id}/estimate",
    "PUT /agents/order",
    tells="agent.created agent.changed agent.removed agent.reordered",
)
async def agents(walk: Walk) -> None:
    shop, heard, _ = await shop_of(walk)
    owner, me, space = shop.owner, shop.owner_id, shop.workspace_id
    answer, told = await walk(owner, "POST /agents", json={"workspaceId": space, **AGENT})
    id = answer["id"]
    assert told == [Told("agent.created", heard, me, id, space)]
    changed = [Told("agent.changed", heard, me, id, space)]
    put = {**AGENT, "prompt": [{"role": "system", "content": "canary"}]}
    assert (await walk(owner, "PUT /agents/{agent_id}", id, json=put))[1] == changed
    assert (await walk(owner, "PUT /agents/{agent_id}", id, json=put))[1] == []
    off = {"params": {"active": False}}
    assert (await walk(owner, "POST /agents/{agent_id}/activate", id, **off))[1] == changed
    secret = {"keyName": "api_key", "value": "canary-key"}
    route = "POST /agents/{agent_id}/credentials"
    assert (await walk(owner, route, id, json=secret))[1] == changed
    route = "DELETE /agents/{agent_id}/credentials/{key}"
    assert (await walk(owner, route, id, "api_key"))[1] == changed
    words = {"content": "canary"}
    assert (await walk(owner, "POST /agents/{agent_id}/estimate", id, json=words))[1] == []
    more = {"workspaceId": space, "name": "canary-2"}
    other = (await owner.post(f"{API}/agents", json=more)).json()["id"]
    order = {"workspaceId": space, "ids": [other, id]}
    _, told = await walk(owner, "PUT /agents/order", json=order)
    assert [each.type for each in told] == ["agent.reordered"]
    removed = [Told("agent.removed", heard, me, id, space)]
    assert (await walk(owner, "DELETE /agents/{agent_id}", id))[1] == removed
    back = [Told("agent.created", heard, me, id, space)]
    assert (await walk(owner, "POST /agents/{agent_id}/restore", id))[1] == back


@part(
    "POST /agents/{agent_id}/sessions",
    "POST /sessions/uploads",
    "POST /sessions/{session_id}/message",
    "POST /sessions/{session_id}/confirm",
    "POST /sessions/{session_id}/cancel",
    "POST /runs/{run_id}/resume",
    "POST /runs/{run_id}/retry",
    "POST /runs/{run_id}/replay",
    tells="run.started run.progressed run.waiting run.completed run.failed run.cancelled"
    " run.expired approval.allowed run.queued reading.fresh flag.raised"
    " thread.created message.created assistant.thinking assistant.response",
)
async def runs(walk: Walk) -> None:
    shop, _, heard = await shop_of(walk)
    owner, me, space = shop.owner, shop.owner_id, shop.workspace_id
    sent = {"params": {"name": "canary.txt"}, "content": b"canary"}
    assert (await walk(owner, "POST /sessions/uploads", **sent))[1] == []
    slow = Turn("canary", hang_after=1)
    script = [calls("create_task", {"title": "canary"}), says("canary"), *[fails(400)] * 2]
    # The replay hears both of the person's messages.
    script += [says("canary"), says("canary"), slow]
    with serving_model(*script) as server:
        server.usual = says("canary")
        agent = await shop.agent(modelId=await shop.model(server), **AGENT)

        def told_of(type: str, id: str, status: str) -> Told:
            about = {"agentId": agent["id"], "status": status}
            return Told(type, heard, me, id, space, about)

        route = "POST /agents/{agent_id}/sessions"
        answer, told = await walk(owner, route, agent["id"], json={})
        id = answer["id"]
        assert [t for t in told if t.subject == id] == [told_of("run.progressed", id, "pending")]
        words = {"content": "canary"}
        route = "POST /sessions/{session_id}/message"
        _, told = await walk(owner, route, id, json=words)
        about_it = [t for t in told if t.audience and t.subject == id]
        assert about_it == [told_of("run.started", id, "pending")]
        await shop.drive()
        session = await shop.read(id)
        body = {"actionId": session["pendingActions"][0]["id"], "confirmed": True}
        _, told = await walk(owner, "POST /sessions/{session_id}/confirm", id, json=body)
        assert [event.type for event in told] == ["approval.allowed"]
        await shop.drive()
        await walk(owner, route, id, json=words)
        await shop.drive()
        assert (await shop.read(id))["status"] == "failed"
        _, told = await walk(owner, "POST /runs/{run_id}/resume", id)
        assert [t for t in told if t.audience] == [told_of("run.started", id, "pending")]
        await shop.drive()
        again, _ = await walk(owner, "POST /runs/{run_id}/retry", id, json={"step": 1})
        _, told = await walk(owner, "POST /sessions/{session_id}/cancel", again["id"])
        cancelled = [t for t in told if t.audience]
        assert cancelled == [told_of("run.cancelled", again["id"], "cancelled")]
        await walk(owner, "POST /runs/{run_id}/replay", id, json={})
        await shop.drive()
        hurried = {"name": "canary-agent", "modelId": agent["modelId"], "timeoutSeconds": 1}
        await owner.put(f"{API}/agents/{agent['id']}", json=hurried)
        await shop.ask(agent, "canary")
    walk.types |= {row.type for row in await walk.rows() if row.type.startswith("run.")}
