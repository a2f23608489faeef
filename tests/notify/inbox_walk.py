"""The parts of the walk that are about the inbox."""

from pathlib import Path

from bailiwick.inbox import guideline
from notify.walking import Walk, part
from support.model_server import says, serving_model
from support.office import API
from support.tray import Tray, suggesting
from support.workshop import workshop_in

_PAPERS = ("one", "two", "three")
_ONE = "/inbox/suggestions/{suggestion_id}"


@part(
    "POST /inbox/organize",
    f"POST {_ONE}/resolve",
    f"POST {_ONE}/undo",
    "POST /inbox/suggestions/resolve",
    "POST /inbox/batches/{batch_id}/undo",
    "POST /inbox/agent/message",
    "PATCH /inbox/settings",
    "PUT /inbox/guidelines/{notebook_id}",
    "POST /inbox/proposals/{proposal_id}/resolve",
    tells="suggestion.created suggestion.resolved suggestion.reopened suggestion.expired"
    " inbox.judged inbox.changed"
    " guideline.proposed guideline.answered agent.created action.done files.changed run.started"
    " run.queued reading.fresh thread.created message.created assistant.thinking",
)
async def inbox(walk: Walk) -> None:
    shop = await workshop_in(walk.office)
    owner, product, tray = shop.owner, walk.office.product, Tray(shop, Path())
    tools = f"{API}/workspaces/{shop.workspace_id}/tools/create_file"
    for path in (*(f"Files/inbox/canary {name}.txt" for name in _PAPERS), "Files/kept/c.txt"):
        file = {"arguments": {"path": path, "content": f"canary {path}"}}
        assert (await owner.post(tools, json=file)).is_success
    await tray.indexed()
    with serving_model() as server:
        _, told = await walk(
            owner, "PATCH /inbox/settings", json={"modelId": await shop.model(server)}
        )
        assert [each.type for each in told] == ["agent.created", "inbox.changed"]
        server.usual = suggesting("Files/kept")
        await walk(owner, "POST /inbox/organize")
        await tray.ended()
        server.usual = says("canary")
        await walk(owner, "POST /inbox/agent/message", json={"message": "canary"})
        await shop.drive()
    made = (await owner.get(f"{API}/inbox/suggestions")).json()["suggestions"]
    assert len(made) == len(_PAPERS)
    _, told = await walk(owner, f"POST {_ONE}/resolve", made[0]["id"], json={"action": "accept"})
    assert "suggestion.resolved" in {each.type for each in told}
    _, told = await walk(owner, f"POST {_ONE}/undo", made[0]["id"])
    assert "suggestion.reopened" in {each.type for each in told}
    ids = [each["id"] for each in made]
    answer, _ = await walk(
        owner, "POST /inbox/suggestions/resolve", json={"ids": ids, "action": "reject"}
    )
    await walk(owner, "POST /inbox/batches/{batch_id}/undo", answer["batch_id"])
    (found,) = (await owner.get(f"{API}/inbox/guidelines")).json()["items"]
    await walk(
        owner,
        "PUT /inbox/guidelines/{notebook_id}",
        found["notebookId"],
        json={"text": "canary", "digest": None},
    )
    await walk(owner, "POST /inbox/suggestions/resolve", json={"ids": ids, "action": "accept"})
    await guideline.learn(product, shop.workspace_id)
    (proposal,) = (await owner.get(f"{API}/inbox/proposals")).json()["items"]
    _, told = await walk(
        owner,
        "POST /inbox/proposals/{proposal_id}/resolve",
        proposal["id"],
        json={"action": "reject"},
    )
    assert [each.type for each in told] == ["guideline.answered"]
    gone = {"arguments": {"path": "Files/inbox/canary four.txt", "content": "canary"}}
    assert (await owner.post(tools, json=gone)).is_success
    await tray.indexed()
    with serving_model() as server:
        server.usual = suggesting("Files/kept")
        await tray.settings(modelId=await shop.model(server))
        await tray.arrived()
    delete = f"{API}/workspaces/{shop.workspace_id}/tools/delete_file"
    gone = {"arguments": {"path": "Files/inbox/canary four.txt"}}
    assert (await owner.post(delete, json=gone)).is_success
    await tray.arrived()
    happened = {row.type for row in await walk.rows()}
    ours = ("suggestion.", "inbox.", "guideline.", "files.", "file.")
    walk.types |= {type for type in happened if type.startswith(ours)}
