"""The stream of a thread on a real server: the document's events, each with its object."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from support.office import API
from support.streams import House, QuickServer, opened_house, quick_server

pytestmark = pytest.mark.req("EVT-01", "EVT-05")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QuickServer]:
    with quick_server(tmp_path_factory.mktemp("talk") / "data") as made:
        yield made


@pytest.fixture
async def house(server: QuickServer) -> AsyncIterator[House]:
    async with opened_house(server) as made:
        yield made


async def test_a_thread_streams_what_is_said_and_answered_and_goes_on_where_it_was_cut(
    house: House,
):
    ann, bob = await house.person(), await house.person()
    space = await house.workspace(ann, bob)
    agent = await ann.call("POST", "/agents", json={"name": "Helper", "workspaceId": space})
    assistant = {"X-Assistant-Id": agent["id"]}
    thread = await ann.call("POST", "/threads", json={}, headers=assistant)
    other = await ann.call("POST", "/threads", json={}, headers=assistant)
    path = f"/threads/{thread['id']}/messages"
    streamed = f"{API}/threads/{thread['id']}/messages/stream"
    stream = await house.stream(ann, path=streamed)
    await ann.call("POST", f"/threads/{other['id']}/messages", json={"content": "Elsewhere"})
    said = await ann.call("POST", path, json={"content": "Which tasks are there?"})
    await stream.until(lambda one: "assistant.response" in one.types)
    names = ["message.created", "assistant.thinking", "message.created", "assistant.response"]
    assert [one for one in stream.types if not one.startswith("stream.")] == names
    first, thinking, _, response = stream.events
    assert first["message"]["id"] == said["id"]
    assert first["message"]["content"] == "Which tasks are there?"
    assert thinking["status"] == "processing"
    assert response["message"]["role"] == "assistant"
    assert response["message"]["content"]

    resumed = await house.stream(ann, path=streamed, after=thinking["position"])
    await resumed.until(lambda one: "assistant.response" in one.types)
    assert [event["position"] for event in resumed.events] == stream.positions[2:]
    refused: Any = await bob.http.get(streamed)
    assert refused.status_code == 404
