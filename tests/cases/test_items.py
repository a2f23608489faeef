"""The items of a case: added, changed and removed by agents and people, with every version kept."""

import base64
import json

import pytest

from support.desk import Desk, desk_in
from support.mailroom import Mailroom
from support.model_server import Request, Turn, calls, says
from support.office import API
from support.workshop import scripted, texts

PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(20)).decode()


async def _case(desk: Desk) -> dict:
    await desk.filtered(await desk.director())
    await desk.got()
    (case,) = await desk.cases()
    return case


def _path(case: dict, *more: str) -> str:
    return "/".join((API, "cases", case["id"], "items", *more))


@pytest.mark.req("CASE-03")
async def test_people_add_change_and_remove_items_and_every_version_is_kept(room: Mailroom):
    with scripted(says("Nothing to add.")) as server:
        desk = await desk_in(room, server)
        case = await _case(desk)
    owner = room.owner
    body = {"label": "Note", "mimeType": "text/plain", "data": "First.", "tags": ["mine"]}
    added = await owner.post(_path(case), json=body)
    assert added.status_code == 200, added.text
    item = added.json()["item"]
    assert item["context"]["createdBy"] == "person"
    assert item["trust"] == "owner"
    changed = await owner.put(
        _path(case, item["id"]), json={"data": "Second.", "expectedRevision": 1}
    )
    assert changed.status_code == 200, changed.text
    assert changed.json()["item"]["revision"] == 2
    assert changed.json()["item"]["label"] == "Note", "what is left out stays"
    versions = (await owner.get(_path(case, item["id"], "versions"))).json()["items"]
    assert [each["data"] for each in versions] == ["Second.", "First."]
    assert (await owner.get(_path(case), params={"tag": "other"})).json()["items"] == []
    assert (await owner.get(_path(case), params={"type": "text/*"})).json()["totalItems"] == 1
    gone = await owner.delete(_path(case, item["id"]))
    assert gone.json()["undoable"]
    assert await desk.items(case) == []
    (kept,) = await desk.items(case, includeDeleted=True)
    assert kept["deleted"]
    undone = await owner.post(f"{API}/actions/{gone.json()['actionId']}/undo")
    assert undone.status_code == 200, undone.text
    assert [each["id"] for each in await desk.items(case)] == [item["id"]]
    await owner.delete(_path(case, item["id"]), params={"hard": True})
    assert (await owner.get(_path(case, item["id"]))).status_code == 404


@pytest.mark.req("CASE-01")
async def test_a_change_of_a_version_that_is_not_the_newest_is_refused_with_both(room: Mailroom):
    with scripted(says("Nothing to add.")) as server:
        desk = await desk_in(room, server)
        case = await _case(desk)
    added = await room.owner.post(_path(case), json={"label": "Note", "data": "First."})
    path = _path(case, added.json()["item"]["id"])
    assert (await room.owner.put(path, json={"data": "Mine.", "expectedRevision": 1})).is_success
    late = await room.owner.put(path, json={"data": "Yours.", "expectedRevision": 1})
    assert late.status_code == 409
    assert "revision 2, not 1" in late.json()["detail"]
    assert late.json()["errors"]["theirs"] == ["Mine."]
    assert late.json()["errors"]["yours"] == ["Yours."]
    assert (await room.owner.get(path)).json()["data"] == "Mine."


@pytest.mark.req("MODEL-06")
async def test_facts_that_are_no_json_come_back_to_the_model_which_writes_them_anew(room: Mailroom):
    facts = {"label": "Facts", "mimeType": "application/json"}

    def working(request: Request) -> Turn:
        data = ['{"number": 4711', '{"number": 4711}']
        done = len(request.results)
        add = calls("workspace_add_item", {**facts, "data": data[min(done, 1)]})
        return add if done < 2 else says("Done.")

    with scripted(working) as server:
        desk = await desk_in(room, server)
        case = await _case(desk)
        run = await desk.shop.read(case["runId"])
    assert [call["status"] for call in run["calls"]] == ["denied", "done"]
    assert "this is not JSON, which `mimeType` says it is" in server.requests[1].results[0]
    (item,) = await desk.items(case)
    assert json.loads(item["data"]) == {"number": 4711}


@pytest.mark.req("CASE-01")
async def test_an_agent_uses_the_five_tools_with_the_documents_arguments(room: Mailroom):
    def working(request: Request) -> Turn:
        done = len(request.results)
        id = request.results[0].partition('"id": "')[2].partition('"')[0] if done else ""
        steps = [
            calls(
                "workspace_add_item", {"label": "Mood", "mimeType": "text/plain", "data": "Sad."}
            ),
            calls("workspace_list_items", {}),
            calls("workspace_get_item", {"id": id}),
            calls(
                "workspace_update_item",
                {"id": id, "patch": {"data": "Angry.", "tags": ["mood"]}, "expectedRevision": 1},
            ),
            calls(
                "workspace_add_item",
                {"mimeType": "image/png", "encoding": "base64", "data": PICTURE, "supersedes": id},
            ),
            calls("workspace_remove_item", {"id": id}),
        ]
        return steps[done] if done < len(steps) else says("Done.")

    with scripted(working) as server:
        desk = await desk_in(room, server)
        case = await _case(desk)
        run = await desk.shop.read(case["runId"])
    assert [call["status"] for call in run["calls"]] == ["done"] * 6, texts(run, "tool")
    assert not run["pendingActions"], "what stays within the case asks nobody"
    (picture,) = await desk.items(case)
    first, second = await desk.items(case, includeDeleted=True)
    assert (first["data"], first["revision"], first["tags"]) == ("Angry.", 2, ["mood"])
    assert first["supersededBy"] == [picture["id"]]
    assert second["supersedes"] == first["id"]
    shown = await room.owner.get(_path(case, picture["id"], "content"))
    assert shown.content == base64.b64decode(PICTURE)
    assert shown.headers["content-type"] == "image/png"


async def test_removing_for_good_needs_the_capability_and_asks(room: Mailroom):
    def removing(request: Request) -> Turn:
        if not request.results:
            return calls("workspace_add_item", {"label": "Note", "data": "x"})
        if len(request.results) == 1:
            id = request.results[0].partition('"id": "')[2].partition('"')[0]
            return calls("workspace_remove_item", {"id": id, "hardDelete": True})
        return says("Done.")

    with scripted(removing) as server:
        desk = await desk_in(room, server)
        await desk.filtered(await desk.director("Careful"), "lamp")
        await desk.filtered(await desk.director("Free", canDelete=True), "lamp")
        await desk.got()
        cases = {case["directorName"]: case for case in await desk.cases()}
        run = await desk.shop.read(cases["Careful"]["runId"])
    assert run["calls"][-1]["code"] == "out_of_scope"
    assert run["calls"][-1]["effect"] == "delete"
    assert cases["Careful"]["state"] == "done"
    assert cases["Free"]["state"] == "waiting"


async def test_what_a_person_wrote_no_agent_changes(room: Mailroom):
    def meddling(request: Request) -> Turn:
        if "Change it." not in request.last:
            return says("Nothing to add.")
        if not request.results:
            return calls("workspace_list_items", {})
        if len(request.results) == 1:
            id = request.results[0].partition('"id": "')[2].partition('"')[0]
            return calls(
                "workspace_update_item", {"id": id, "patch": {"data": "Pay at evil.example"}}
            )
        return says("Done.")

    with scripted(meddling) as server:
        desk = await desk_in(room, server)
        case = await _case(desk)
        await room.owner.post(_path(case), json={"label": "Reply", "data": "Dear Cleo"})
        run = await desk.shop.say(case["runId"], "Change it.")
    assert run["calls"][-1]["status"] == "failed"
    assert "A person has changed this item" in run["calls"][-1]["reason"]
    (item,) = await desk.items(case)
    assert item["data"] == "Dear Cleo"


async def test_a_run_reaches_no_case_but_its_own_and_a_session_none(room: Mailroom):
    def prying(request: Request) -> Turn:
        if not request.results:
            return calls("workspace_list_items", {"caseId": request.last.split()[-1]})
        return says("Done.")

    with scripted(says("Nothing to add.")) as server:
        desk = await desk_in(room, server)
        case = await _case(desk)
        server.usual = prying
        agent = await desk.director("Prying")
        run = await desk.shop.ask(agent, f"Look into {case['id']}")
    assert run["calls"][0]["status"] == "failed"
    assert "do not work on it" in run["calls"][0]["reason"]


@pytest.mark.req("CASE-02")
async def test_html_in_an_item_can_run_nothing_and_load_nothing(room: Mailroom):
    html = "<p>Hi</p><script>alert(1)</script><img src=x onerror=alert(1)><iframe src=//evil>"
    with scripted(says("Nothing to add.")) as server:
        desk = await desk_in(room, server)
        case = await _case(desk)
    added = await room.owner.post(_path(case), json={"mimeType": "text/html", "data": html})
    shown = await room.owner.get(_path(case, added.json()["item"]["id"], "content"))
    assert "sandbox" in shown.headers["content-security-policy"]
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert "<p>Hi</p>" in shown.text
    for bad in ("<script", "onerror", "<iframe", "evil"):
        assert bad not in shown.text
    svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"
    added = await room.owner.post(_path(case), json={"mimeType": "image/svg+xml", "data": svg})
    shown = await room.owner.get(_path(case, added.json()["item"]["id"], "content"))
    assert shown.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"encoding": "base64", "data": "not base64!"}, "data"),
        ({"encoding": "binary", "data": "€"}, "data"),
        ({"mimeType": "nonsense"}, "mimeType"),
        ({"mimeType": "application/json", "data": "{'mood': 'sad'}"}, "data"),
        ({"mimeType": "application/ld+json", "data": "[" * 100_000}, "data"),
        ({"data": "x" * 8_000_001}, "data"),
        ({"label": "a\nb"}, "label"),
    ],
)
async def test_a_bad_item_names_the_field(room: Mailroom, body: dict, field: str):
    with scripted(says("Nothing to add.")) as server:
        desk = await desk_in(room, server)
        case = await _case(desk)
    refused = await room.owner.post(_path(case), json=body)
    assert refused.status_code == 400, refused.text
    assert list(refused.json()["errors"]) == [field]
    assert await desk.items(case) == []
