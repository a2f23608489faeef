"""Threads and their messages, with the requests of the document."""

import re
from typing import Any

import pytest

from bailiwick.kit.db import migrate
from support.model_server import Request, Turn, calls, fails, says
from support.office import API, user_id
from support.talk import talk_in
from support.workshop import Workshop, scripted

ASKED = "Analyze the Southeast Asia market opportunity"
# As the document posts them.
THREAD: dict[str, Any] = {
    "status": "active",
    "metadata": {
        "title": "Market Analysis Discussion",
        "priority": "high",
        "tags": ["market-research", "strategic-planning"],
    },
}
BLOCKS: list[dict[str, Any]] = [
    {
        "type": "section",
        "text": {
            "type": "mrkdwn",
            "text": "Please analyze the Southeast Asia market opportunity focusing on:",
        },
    },
    {"type": "section", "text": {"type": "mrkdwn", "text": "• Market size and growth potential"}},
]


def repeats(request: Request) -> Turn:
    return says(f"Answer to: {request.last}")


@pytest.mark.req("CHAT-01")
async def test_a_thread_is_made_listed_read_archived_and_removed_as_the_document_shows(
    any_shop: Workshop,
):
    with scripted(repeats) as server:
        talk = await talk_in(any_shop, server)
        thread = await talk.thread(**THREAD)
        assert re.fullmatch(r"thr-[a-zA-Z0-9]{12}", thread["id"])
        assert re.fullmatch(r"usr-[a-zA-Z0-9]{8}", thread["userId"])
        assert (thread["assistantId"], thread["status"]) == (talk.assistant, "active")
        about = thread["metadata"]
        assert {name: about[name] for name in THREAD["metadata"]} == THREAD["metadata"]
        assert (about["totalTokensUsed"], about["messageCount"]) == (0, 0)

        other = await talk.thread()
        path = f"{API}/threads?AssistantId={talk.assistant}&PageSize=1"
        first = (await talk.owner.get(path)).json()
        assert (len(first["items"]), first["totalItems"], first["hasMore"]) == (1, 2, True)
        more = f"{path}&ContinuationToken={first['continuationToken']}"
        second = (await talk.owner.get(more)).json()
        assert {first["items"][0]["id"], second["items"][0]["id"]} == {thread["id"], other["id"]}

        where = f"{API}/threads/{thread['id']}"
        headers = {"X-Assistant-Id": talk.assistant}
        assert (await talk.owner.get(where, headers=headers)).json()["title"] == (
            "Market Analysis Discussion"
        )
        archived = await talk.owner.patch(where, json={"status": "archived"})
        assert archived.json()["status"] == "archived"
        assert (await talk.owner.get(f"{API}/threads?status=archived")).json()["totalItems"] == 1
        assert (await talk.owner.delete(where, headers=headers)).status_code == 204
        trashed = (await talk.owner.get(f"{API}/threads?status=trashed")).json()["items"]
        assert [one["id"] for one in trashed] == [thread["id"]]
        back = await talk.owner.patch(where, json={"status": "active"})
        assert back.json()["status"] == "active"


@pytest.mark.req("CHAT-02", "CHAT-03")
async def test_a_message_is_answered_in_its_thread_and_both_say_what_the_document_says(
    any_shop: Workshop,
):
    with scripted(repeats) as server:
        talk = await talk_in(any_shop, server)
        thread = await talk.thread(**THREAD)
        said = await talk.post(thread, ASKED, blocks=BLOCKS)
        assert re.fullmatch(r"msg-[a-zA-Z0-9]{12}", said["id"])
        assert (said["role"], said["content"], said["blocks"]) == ("user", ASKED, BLOCKS)
        assert said["metadata"] == {
            "wordCount": 6,
            "hasAttachments": False,
            "processingRequired": True,
        }
        asked, answer = await talk.messages(thread)
        assert asked["id"] == said["id"]
        assert (answer["role"], answer["content"]) == ("assistant", f"Answer to: {ASKED}")
        assert answer["assistantId"] == talk.assistant
        assert answer["metadata"]["model"] == "scripted-1"
        assert answer["metadata"]["tokensUsed"] == 30
        assert answer["metadata"]["processingTime"] >= 0
        again = await talk.read(thread)
        assert again["metadata"]["totalTokensUsed"] == 30
        assert again["metadata"]["messageCount"] == 2
        assert again["metadata"]["primaryModel"] == "scripted-1"
        one = await talk.owner.get(f"{API}/threads/{thread['id']}/messages/{answer['id']}")
        assert one.json() == answer
        await talk.drive()
        assert len(await talk.messages(thread)) == 2, "an answer is taken in once"


@pytest.mark.req("CHAT-06")
async def test_what_is_said_anew_and_answered_anew_keeps_the_branches_that_were_there(
    any_shop: Workshop,
):
    said = iter(("first", "second", "third", "fourth", "fifth"))

    def answer(request: Request) -> Turn:
        return says(f"{next(said)}: {request.last}")

    with scripted(answer) as server:
        talk = await talk_in(any_shop, server)
        thread = await talk.thread()
        await talk.post(thread, "One")
        two = await talk.post(thread, "Two")
        assert await talk.said(thread) == ["One", "first: One", "Two", "second: Two"]
        instead = await talk.post(thread, "Two, otherwise", replaces=two["id"])
        assert await talk.said(thread) == [
            "One",
            "first: One",
            "Two, otherwise",
            "third: Two, otherwise",
        ]
        asked = server.requests[-1].messages
        heard = [each["content"] for each in asked if each["role"] != "system"]
        assert heard == ["One", "first: One", "Two, otherwise"], "it never heard the other branch"
        assert instead["siblings"] == [two["id"], instead["id"]]

        last = (await talk.messages(thread))[-1]
        path = f"{API}/threads/{thread['id']}/messages/{last['id']}/regenerate"
        assert (await talk.owner.post(path)).status_code == 202
        await talk.drive()
        assert (await talk.said(thread))[-1] == "fourth: Two, otherwise"
        newest = (await talk.messages(thread))[-1]
        assert newest["siblings"] == [last["id"], newest["id"]]

        where = f"{API}/threads/{thread['id']}"
        assert (await talk.owner.patch(where, json={"head": two["id"]})).status_code == 200
        assert await talk.said(thread) == ["One", "first: One", "Two", "second: Two"]
        await talk.post(thread, "Three")
        assert (await talk.said(thread))[-2:] == ["Three", "fifth: Three"]
        assert [each["content"] for each in server.requests[-1].messages][-2:] == [
            "second: Two",
            "Three",
        ]


@pytest.mark.req("CHAT-06")
async def test_work_that_was_stopped_leaves_a_word_and_the_thread_goes_on(shop: Workshop):
    def answer(request: Request) -> Turn:
        return calls("create_task", {"title": "Milk"}) if request.last == "Go" else says("Yes.")

    with scripted(answer) as server:
        talk = await talk_in(shop, server, askTools=["create_task"])
        thread = await talk.thread()
        await talk.post(thread, "Go")
        assert (await talk.read(thread))["runStatus"] == "waiting"
        where = f"{API}/threads/{thread['id']}"
        assert (await talk.owner.post(f"{where}/stop")).status_code == 200
        assert (await talk.owner.post(f"{where}/stop")).status_code == 409
        await talk.drive()
        word = (await talk.messages(thread))[-1]
        assert (word["role"], word["subtype"]) == ("system", "run_cancelled")
        await talk.post(thread, "Are you there?")
        assert (await talk.said(thread))[-1] == "Yes."


async def test_a_model_that_fails_is_told_in_the_thread(shop: Workshop):
    with scripted(lambda _: fails(400, "No such model")) as server:
        talk = await talk_in(shop, server)
        thread = await talk.thread()
        await talk.post(thread, "Go")
        word = (await talk.messages(thread))[-1]
        assert (word["role"], word["subtype"]) == ("system", "run_failed")
        session = await shop.read(word["runId"])
        assert word["content"] == session["errorMessage"]


@pytest.mark.req("CHAT-02")
async def test_reactions_are_counted_and_stars_are_ones_own(shop: Workshop):
    with scripted(repeats) as server:
        talk = await talk_in(shop, server)
        thread = await talk.thread()
        said = await talk.post(thread, "Hello")
        where = f"{API}/threads/{thread['id']}/messages/{said['id']}"
        thumbs = {"emoji": "thumbsup", "action": "add"}
        for _ in range(2):
            assert (await talk.owner.post(f"{where}/reactions", json=thumbs)).status_code == 200
        await talk.owner.post(f"{where}/reactions", json={"emoji": "star"})
        found = (await talk.owner.get(f"{where}/reactions")).json()
        assert found["total_reactions"] == 2
        assert found["reactions"][0] == {
            "emoji": "thumbsup",
            "count": 1,
            "users": [thread["userId"]],
            "user_reacted": True,
        }
        assert (await talk.owner.delete(f"{where}/reactions/thumbsup")).status_code == 204
        assert (await talk.owner.put(f"{where}/star")).status_code == 204
        shown = (await talk.owner.get(where)).json()
        assert [each["emoji"] for each in shown["reactions"]] == ["star"]
        assert shown["isStarred"] is True
        refused = await talk.owner.post(f"{where}/reactions", json={"emoji": "<script>"})
        assert "emoji" in refused.json()["errors"]
        for number in range(49):
            await talk.owner.post(f"{where}/reactions", json={"emoji": f"e{number}"})
        many = await talk.owner.post(f"{where}/reactions", json={"emoji": "onemore"})
        assert many.status_code == 409


@pytest.mark.req("CHAT-05")
async def test_a_message_can_be_corrected_and_its_words_taken_away(any_shop: Workshop):
    with scripted(repeats) as server:
        talk = await talk_in(any_shop, server)
        thread = await talk.thread()
        said = await talk.post(thread, "My number is 4711")
        where = f"{API}/threads/{thread['id']}/messages/{said['id']}"
        first = await talk.owner.patch(where, json={"content": "It is 4712", "editedAt": None})
        assert first.json()["editedAt"]
        late = await talk.owner.patch(where, json={"content": "It is 4713", "editedAt": None})
        assert late.status_code == 409, "another tab was faster"
        assert late.json()["errors"]["content"] == ["It is 4712"]
        assert (await talk.owner.delete(where)).status_code == 204
        assert [one["role"] for one in await talk.messages(thread)] == ["assistant"]
        record = (await talk.messages(thread, hidden=True))[0]
        assert (record["subtype"], record["hidden"], record["content"]) == (
            "message_deleted",
            True,
            "",
        )
        assert record["deletedAt"]


async def test_words_that_were_deleted_are_told_to_no_model_any_more(shop: Workshop):
    with scripted(lambda _: says("Noted.")) as server:
        talk = await talk_in(shop, server)
        thread = await talk.thread()
        said = await talk.post(thread, "My number is 4711")
        await talk.owner.delete(f"{API}/threads/{thread['id']}/messages/{said['id']}")
        await talk.post(thread, "What is my number?")
        assert "4711" not in str(server.requests[-1].messages)


@pytest.mark.req("CHAT-02")
async def test_bad_messages_are_refused_with_the_name_of_what_is_wrong(shop: Workshop):
    with scripted(repeats) as server:
        talk = await talk_in(shop, server)
        thread = await talk.thread()
        path = f"{API}/threads/{thread['id']}/messages"
        for body, field in (
            ({"content": "x" * 50_001}, "content"),
            ({"content": ""}, "content"),
            ({"content": "x", "role": "assistant"}, "role"),
            ({"content": "x", "replaces": "msg-aaaaaaaaaaaa"}, "replaces"),
            ({"content": "x", "blocks": [{}] * 51}, "blocks"),
        ):
            refused = await talk.owner.post(path, json=body)
            assert refused.status_code == 400, refused.text
            assert field in refused.json()["errors"]
        none = await talk.owner.post(f"{API}/threads", json=THREAD)
        assert none.status_code == 400
        assert "X-Assistant-Id" in none.json()["errors"]
        counted = {"metadata": {"totalTokensUsed": 5}}
        refused = await talk.owner.patch(f"{API}/threads/{thread['id']}", json=counted)
        assert "metadata.totalTokensUsed" in refused.json()["errors"]
        assert (await talk.owner.get(f"{API}/threads/invalid-id")).status_code == 400
        assert server.requests == []


@pytest.mark.req("CHAT-01")
async def test_a_thread_is_its_owners_alone_until_it_is_shared_and_then_only_read(shop: Workshop):
    with scripted(repeats) as server:
        talk = await talk_in(shop, server, shared=True)
        thread = await talk.thread()
        said = await talk.post(thread, "A secret")
        other = await shop.office.member("mara")
        other_id = await user_id(other)
        path = f"{API}/workspaces/{shop.workspace_id}/members"
        body = {"email": "mara@example.com", "role": "read"}
        assert (await talk.owner.post(path, json=body)).status_code in (200, 201)
        where = f"{API}/threads/{thread['id']}"
        assert (await other.get(where)).status_code == 404
        assert (await other.get(f"{where}/messages")).status_code == 404
        shared = await talk.owner.post(f"{where}/shares", json={"userId": other_id})
        assert shared.status_code == 201, shared.text
        assert (await other.get(where)).json()["isOwn"] is False
        found = (await other.get(f"{where}/messages")).json()["items"]
        assert found[-1]["content"] == "A secret"
        reaction = f"{where}/messages/{said['id']}/reactions"
        assert (await other.post(reaction, json={"emoji": "eyes"})).status_code == 200
        spoken = await other.post(f"{where}/messages", json={"content": "Do it for me"})
        assert spoken.status_code == 404, "whoever speaks acts in the owner's name"
        assert (await other.patch(where, json={"title": "Mine"})).status_code == 404
        assert (await other.delete(where)).status_code == 404
        await talk.owner.delete(f"{where}/shares/{other_id}")
        assert (await other.get(where)).status_code == 404
        unknown = await talk.owner.post(f"{where}/shares", json={"userId": "usr-nobody00"})
        assert "userId" in unknown.json()["errors"]


@pytest.mark.req("CHAT-06")
async def test_threads_are_found_by_their_words_and_tags_and_can_be_taken_along(shop: Workshop):
    with scripted(repeats) as server:
        talk = await talk_in(shop, server)
        boat = await talk.thread(metadata={"tags": ["sea"]})
        await talk.post(boat, "How deep is the harbour of 100% Kiel?")
        await talk.post(await talk.thread(), "What is for lunch?")

        async def found(query: str) -> list[str]:
            answer = await talk.owner.get(f"{API}/threads?{query}")
            return [one["id"] for one in answer.json()["items"]]

        assert await found("q=HARBOUR+deep") == [boat["id"]]
        assert await found("q=100%25") == [boat["id"]]
        assert await found("q=harbour+lunch") == []
        assert await found("tag=sea") == [boat["id"]]
        assert await found("tag=se") == []
        told = await talk.owner.get(f"{API}/threads/{boat['id']}/export")
        assert "Answer to: How deep is the harbour" in told.text
        assert "attachment" in told.headers["content-disposition"]
        whole = (await talk.owner.get(f"{API}/threads/{boat['id']}/export?format=json")).json()
        assert [one["role"] for one in whole["messages"]] == ["user", "assistant"]


@pytest.mark.req("CHAT-06")
async def test_another_agent_takes_over_and_knows_what_was_said(shop: Workshop):
    with scripted(repeats) as server:
        talk = await talk_in(shop, server)
        other = await shop.agent(name="Lawyer", modelId=talk.agent["modelId"])
        thread = await talk.thread()
        await talk.post(thread, "The roof leaks")
        named = other["id"].replace("agt-", "asst-")
        await talk.post(thread, "May I sue?", assistantId=named)
        answers = [one for one in await talk.messages(thread) if one["role"] == "assistant"]
        assert [one["assistantId"] for one in answers] == [talk.assistant, named]
        assert "The roof leaks" in str(server.requests[-1].messages)
        shown = await talk.read(thread)
        assert (shown["assistantId"], shown["assistantName"]) == (named, "Lawyer")
        session = await shop.read(shown["runId"])
        assert session["threadId"] == thread["id"]
        words = [one["messageId"] for one in session["messages"] if one["messageId"]]
        assert set(words) == {(await talk.messages(thread))[2]["id"]}
        await talk.post(thread, "Sure?")
        assert (await talk.messages(thread))[-1]["assistantId"] == named, "and it stays so"
        path = f"{API}/threads/{thread['id']}/messages"
        body = {"content": "x", "assistantId": "asst-aaaaaaaaaaaa"}
        refused = await talk.owner.post(path, json=body)
        assert "assistantId" in refused.json()["errors"]


async def test_pinned_threads_can_be_asked_for_alone(shop: Workshop):
    with scripted(repeats) as server:
        talk = await talk_in(shop, server)
        first, second = await talk.thread(), await talk.thread()
        await talk.owner.patch(f"{API}/threads/{first['id']}", json={"pinned": True})
        for query, id in (("true", first["id"]), ("false", second["id"])):
            found = await talk.owner.get(f"{API}/threads?pinned={query}")
            assert [one["id"] for one in found.json()["items"]] == [id]


async def test_a_session_is_a_thread_and_what_is_said_there_is_in_it(shop: Workshop):
    with scripted(repeats) as server:
        talk = await talk_in(shop, server)
        session = await shop.ask(talk.agent, "From the session's side")
        await shop.say(session["id"], "And again")
        await talk.drive()
        (thread,) = (await talk.owner.get(f"{API}/threads")).json()["items"]
        assert thread["runId"] == session["id"]
        assert thread["title"] == "From the session's side"
        assert await talk.said(thread) == [
            "From the session's side",
            "Answer to: From the session's side",
            "And again",
            "Answer to: And again",
        ]


@pytest.mark.req("OPS-03")
async def test_sessions_of_an_earlier_version_are_threads_after_the_upgrade(any_shop: Workshop):
    def answer(request: Request) -> Turn:
        return calls("list_tasks") if request.last == "First" else repeats(request)

    with scripted(answer) as server:
        talk = await talk_in(any_shop, server)
        session = await any_shop.ask(talk.agent, "First")
        await any_shop.say(session["id"], "Second")
        storage = any_shop.office.product.storage
        await migrate.to(storage, "app", "0036_app")
        await migrate.to(storage, "app", "head")
        (thread,) = (await talk.owner.get(f"{API}/threads")).json()["items"]
        assert (thread["runId"], thread["title"]) == (session["id"], "First")
        said = await talk.said(thread)
        assert said[0] == "First"
        assert said[-2:] == ["Second", "Answer to: Second"]
        await talk.post(thread, "Third")
        assert (await talk.said(thread))[-2:] == ["Third", "Answer to: Third"]
        assert (await talk.messages(thread))[-1]["runId"] == session["id"]
