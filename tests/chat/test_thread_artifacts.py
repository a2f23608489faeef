"""Artifacts of threads: made by agents and by REST, read by whoever may read the thread."""

import re
from typing import Any

import pytest

from bailiwick.kit.eventlog import log as eventlog
from support.model_server import Request, Turn, calls, says
from support.office import API, user_id
from support.talk import Talk, talk_in
from support.workshop import Workshop, scripted

REPORT = {"title": "Q4 report", "type": "report", "content": "# Q4\n\nRevenue grew by 23%."}


def reports(request: Request) -> Turn:
    return says("Here it is.") if request.results else calls("create_artifact", REPORT)


async def only(talk: Talk, **query: Any) -> dict[str, Any]:
    found = await talk.owner.get(f"{API}/artifacts", params=query)
    assert found.status_code == 200, found.text
    (one,) = found.json()["items"]
    return one


@pytest.mark.req("ART-01", "ART-04")
async def test_what_an_agent_makes_stands_with_its_answer_and_keeps_its_history(
    any_shop: Workshop,
):
    with scripted(reports) as server:
        talk = await talk_in(any_shop, server)
        thread = await talk.thread()
        await talk.post(thread, "Write a report on Q4")
        answer = (await talk.messages(thread))[-1]
        listed = await only(talk, threadId=thread["id"])
        id = listed["artifactId"]
        assert answer["metadata"]["artifacts"] == [id]
        assert (await talk.read(thread))["metadata"]["artifacts"] == [id]
        assert (listed["parentMsgId"], listed["messages"]) == (answer["id"], [answer["id"]])
        assert listed["content"] is None, "a list is short"
        assert listed["metadata"]["generator"] == "Tester"
        where = f"{API}/artifacts/{id}"
        whole = (await talk.owner.get(where)).json()
        assert (whole["content"], whole["version"]) == (REPORT["content"], 1)

        change = {"content": "# Q4\n\nIt grew by 24%.", "expectedRevision": 1}
        done = (await talk.owner.patch(where, json=change)).json()
        assert (done["status"], done["artifact"]["version"]) == ("done", 2)
        late = await talk.owner.patch(where, json=change | {"content": "other"})
        assert late.status_code == 409
        versions = (await talk.owner.get(f"{where}/versions")).json()["items"]
        assert [each["version"] for each in versions] == [2, 1]
        assert versions[1]["content"] == REPORT["content"]
        assert (await talk.owner.patch(where, json={"archived": True})).status_code == 200
        assert (await talk.owner.get(f"{API}/artifacts")).json()["items"] == []
        assert (await only(talk, archived=True))["archived"] is True
        await talk.owner.patch(where, json={"archived": False})
        assert (await only(talk, q="Q4", type="report"))["artifactId"] == id
        assert (await talk.owner.get(f"{API}/artifacts?q=Q5")).json()["items"] == []
        removed = (await talk.owner.delete(where)).json()
        assert (await talk.owner.get(f"{API}/artifacts")).json()["items"] == []
        undone = await talk.owner.post(f"{API}/actions/{removed['actionId']}/undo")
        assert undone.is_success, undone.text
        assert (await only(talk))["artifactId"] == id


@pytest.mark.req("ART-02")
async def test_the_documents_submissions_are_taken_and_uses_are_counted_by_source(shop: Workshop):
    with scripted(says("Hello.")) as server:
        talk = await talk_in(shop, server)
        thread = await talk.thread()
        said = await talk.post(thread, "Hello")
        # As the document submits them.
        submission = {
            "threadId": thread["id"],
            "type": "artifact",
            "subtype": "insight",
            "title": "Revenue Growth",
            "data": {"summary": "Campaign X outperformed others by 35%..."},
            "createdBy": "assistant-system",
        }
        made = await talk.owner.post(f"{API}/artifacts", json=submission)
        assert made.status_code == 201, made.text
        insight = made.json()["artifact"]
        assert (insight["type"], insight["mimeType"]) == ("insight", "application/json")
        where = f"{API}/artifacts/{insight['artifactId']}"
        for what, source in (("view", "panel"), ("view", "panel"), ("download", "thread")):
            body = {"what": what, "source": source}
            assert (await talk.owner.post(f"{where}/uses", json=body)).status_code == 204
        assert (await talk.owner.get(where)).json()["uses"] == [
            {"what": "download", "source": "thread", "count": 1},
            {"what": "view", "source": "panel", "count": 2},
        ]
        link = {"messageId": said["id"]}
        assert (await talk.owner.post(f"{where}/links", json=link)).status_code == 204
        assert (await talk.owner.get(where)).json()["messages"] == [said["id"]]
        kept = await talk.owner.get(f"{where}/content")
        assert "attachment" in kept.headers["content-disposition"]
        none = {name: value for name, value in submission.items() if name != "data"}
        refused = await talk.owner.post(f"{API}/artifacts", json=none)
        assert refused.status_code == 400
        assert "data" in refused.json()["errors"]


@pytest.mark.req("ART-02")
async def test_what_was_made_of_an_artifact_is_told_of_when_that_changes(shop: Workshop):

    def answer(request: Request) -> Turn:
        if not request.results:
            return calls("create_artifact", REPORT)
        if len(request.results) == 1:
            name = re.findall(r"item_[\w-]+", request.results[0])[0]
            more = {"title": "Summary", "content": "23%", "dependsOn": [name]}
            return calls("create_artifact", more)
        return says("Done.")

    with scripted(answer) as server:
        talk = await talk_in(shop, server)
        await talk.post(await talk.thread(), "Write it, and a summary")
        report, summary = [await only(talk, q=title) for title in ("Q4", "Summary")]
        assert summary["dependsOn"] == [report["artifactId"]]
        await talk.owner.patch(f"{API}/artifacts/{report['artifactId']}", json={"content": "New"})
        async with shop.office.product.storage.app.read() as session:
            told = await eventlog.after(session, 0, limit=1_000)
        (outdated,) = [event for event in told if event.type == "artifact.outdated"]
        assert outdated.subject_id == summary["artifactId"]
        assert outdated.data["changedId"] == report["artifactId"]


@pytest.mark.req("ART-01")
async def test_an_artifact_is_read_by_whoever_may_read_its_thread_and_changed_by_its_owner(
    shop: Workshop,
):
    with scripted(reports) as server:
        talk = await talk_in(shop, server)
        thread = await talk.thread()
        await talk.post(thread, "Write a report on Q4")
        where = f"{API}/artifacts/{(await only(talk))['artifactId']}"
        mara = await shop.office.member("mara")
        body = {"email": "mara@example.com", "role": "write"}
        await talk.owner.post(f"{API}/workspaces/{shop.workspace_id}/members", json=body)
        assert (await mara.get(where)).status_code == 404
        assert (await mara.get(f"{API}/artifacts")).json()["items"] == []
        share = {"userId": await user_id(mara)}
        await talk.owner.post(f"{API}/threads/{thread['id']}/shares", json=share)
        assert (await mara.get(where)).json()["title"] == "Q4 report"
        for refused in (
            await mara.patch(where, json={"title": "Mine"}),
            await mara.patch(where, json={"archived": True}),
            await mara.delete(where),
        ):
            assert refused.status_code == 404, refused.text
        submission = {"threadId": thread["id"], "title": "Mine", "data": "x"}
        assert (await mara.post(f"{API}/artifacts", json=submission)).status_code == 404


@pytest.mark.req("GATE-02")
async def test_a_rule_stops_an_agent_from_making_artifacts(shop: Workshop):
    rule = {"name": "none", "action": "BLOCK"}
    rule["condition"] = {"==": [{"var": "tool"}, "create_artifact"]}
    assert (await shop.owner.post(f"{API}/rules", json=rule)).status_code == 201
    with scripted(reports) as server:
        talk = await talk_in(shop, server)
        await talk.post(await talk.thread(), "Write a report on Q4")
        assert (await talk.owner.get(f"{API}/artifacts")).json()["items"] == []
