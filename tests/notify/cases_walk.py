"""The parts of the walk that are about cases, and what is told of their diagnostics."""

from collections import Counter

from bailiwick.cases import opening
from bailiwick.kit import correlation
from bailiwick.kit.ledger import Ledger
from notify.walking import Walk, part
from support.mailbag import letter, mailbag_in
from support.model_server import calls, fails, says, serving_model
from support.office import API
from support.workshop import workshop_in

_ITEMS = "/cases/{case_id}/items"


@part(
    f"POST {_ITEMS}",
    f"PUT {_ITEMS}/{{item_id}}",
    f"DELETE {_ITEMS}/{{item_id}}",
    "POST /cases/deletions",
    "POST /cases/deletions/{deletion_id}/undo",
    "POST /cases/{case_id}/run-again",
    "POST /cases/{case_id}/stop",
    "POST /agents/{agent_id}/preview",
    "POST /agents/{agent_id}/trials",
    "DELETE /diagnostics/unified/{node_id}",
    "POST /diagnostics/deletions",
    tells="case.opened case.working case.changed case.done case.failed case.stopped case.removed"
    " case.restored item.added item.changed item.removed action.done diagnostics.deleted"
    " run.started run.queued run.cancelled reading.fresh flag.raised",
)
async def cases(walk: Walk) -> None:
    bag, shop = await mailbag_in(walk.office), await workshop_in(walk.office)
    owner, product = shop.owner, walk.office.product
    account_id = await bag.account("canary-label")
    script = [calls("create_task", {"title": "canary"}), says("canary"), fails(400)]
    with serving_model(*script) as server:
        server.usual = says("canary")
        agent = {"name": "canary", "kind": "director", "askWrites": True}
        director = await shop.agent(modelId=await shop.model(server), **agent)
        given = {"workspaceId": shop.workspace_id, "directorId": director["id"]}
        given |= {"field": "Subject", "regex": "canary"}
        assert (await owner.post(f"{API}/filters", json=given)).is_success
        await bag.got(account_id, letter("canary", "canary", sender="canary@example.com"))
        await opening.open_cases(product, account_id)
        await shop.drive()
        (case,) = (await owner.get(f"{API}/cases")).json()["items"]
        id = case["id"]
        assert case["state"] == "waiting"
        await shop.answer(await shop.read(case["runId"]), yes=True)
        _, told = await walk(owner, "POST /cases/{case_id}/run-again", id)
        assert "case.working" in {each.type for each in told}
        await shop.drive()
        await walk(owner, "POST /cases/{case_id}/run-again", id)
        _, told = await walk(owner, "POST /cases/{case_id}/stop", id)
        assert "case.stopped" in {each.type for each in told}
        tried = {"mailId": case["mail"]["id"]}
        route = "POST /agents/{agent_id}/preview"
        assert (await walk(owner, route, director["id"], json=tried))[1] == []
        _, told = await walk(owner, "POST /agents/{agent_id}/trials", director["id"], json=tried)
        assert {each.type for each in told if each.audience} == {"run.started"}
        await shop.drive()
    answer, told = await walk(owner, f"POST {_ITEMS}", id, json={"data": "canary"})
    assert [each.type for each in told] == ["item.added", "action.done"]
    item, eyes = answer["item"]["id"], {f"user:{shop.owner_id}", f"account:{account_id}"}
    assert (told[0].audience, told[0].subject) == (eyes, item)
    _, told = await walk(owner, f"PUT {_ITEMS}/{{item_id}}", id, item, json={"data": "canary-2"})
    assert [each.type for each in told] == ["item.changed", "action.done"]
    _, told = await walk(owner, f"DELETE {_ITEMS}/{{item_id}}", id, item)
    assert [each.type for each in told] == ["item.removed", "action.done"]
    answer, told = await walk(owner, "POST /cases/deletions", json={"ids": [id]})
    assert [each.type for each in told] == ["case.removed"]
    _, told = await walk(owner, "POST /cases/deletions/{deletion_id}/undo", answer["id"])
    assert [each.type for each in told] == ["case.restored"]
    tree = (await owner.get(f"{API}/diagnostics/unified")).json()["items"]
    _, told = await walk(owner, "DELETE /diagnostics/unified/{node_id}", tree[0]["id"])
    assert [each.type for each in told] == ["diagnostics.deleted"]
    await walk(owner, "POST /diagnostics/deletions", json={"all": True})
    happened = Counter(row.type for row in await walk.rows())
    walk.types |= {type for type in happened if type.startswith("case.")}


@part(tells="audit.sealed")
async def sealed(walk: Walk) -> None:
    """What no request does: the audit is sealed, where the owner wants that told."""
    await walk.office.set(audit_anchor_events=True)
    correlation.begin(correlation="trace-of-a-seal")
    owner = await walk.office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    task = {"arguments": {"title": "canary"}}
    await owner.post(f"{API}/workspaces/{space}/tools/create_task", json=task)
    await walk.office.product[Ledger].seal()
    told = [row for row in await walk.rows() if row.type == "audit.sealed"]
    assert told
    assert set(told[-1].audience) == {"admins"}
    walk.types.add("audit.sealed")
