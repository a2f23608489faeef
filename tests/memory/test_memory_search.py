"""Searching memories by their words and by what they mean, with every filter."""

import logging
from typing import Any

import pytest
from sqlalchemy import func, select, update

from bailiwick.errors import Unavailable
from bailiwick.llm import vectors
from bailiwick.memory import search
from bailiwick.memory.models import Memory
from library.toolbox import Toolbox

pytestmark = pytest.mark.req("MEM-01")

SEAT = "Flights: always book an aisle"
TYRES = "The car needs new tyres before winter"
TEA = "Olive likes tea, never coffee"


async def add(tools: Toolbox, content: str, **given: Any) -> str:
    done = await tools.use("memory_add", content=content, **given)
    return done.data["id"].removeprefix("note:")


async def found(tools: Toolbox, query: str = "", **given: Any) -> list[str]:
    done = await tools.use("memory_search", query=query, **given)
    return [memory["content"] for memory in done.data["memories"]]


async def with_vectors(tools: Toolbox) -> int | None:
    async with tools.storage.app.read() as session:
        return await session.scalar(select(func.count(Memory.id)).where(Memory.vector.isnot(None)))


async def without_vectors(tools: Toolbox) -> None:
    """As an office has them that was there before meaning was."""
    async with tools.storage.app.write() as session:
        await session.execute(update(Memory).values(vector=None))


async def test_meaning_finds_what_words_miss(any_tools: Toolbox):
    tools = any_tools
    for content in (SEAT, TYRES, TEA):
        await add(tools, content)
    for query, meant in (
        ("where to sit on a plane", SEAT),
        ("vehicle maintenance", TYRES),
        ("hot drinks", TEA),
    ):
        assert await found(tools, query, mode="keyword") == []
        assert await found(tools, query, mode="semantic") == [meant]
        assert await found(tools, query) == [meant]
    assert await found(tools, "quantum physics") == []


async def test_what_holds_the_words_comes_before_what_is_alike(tools: Toolbox):
    await add(tools, "Vehicle maintenance is done by Mr Baker")
    await add(tools, TYRES)
    both = await found(tools, "vehicle maintenance")
    assert both == ["Vehicle maintenance is done by Mr Baker", TYRES]
    assert await found(tools, "vehicle maintenance", mode="keyword") == both[:1]
    assert await found(tools, "vehicle maintenance", limit=1) == both[:1]


async def test_the_groups_keep_their_order_whatever_is_most_alike(any_tools: Toolbox):
    tools = any_tools
    await add(tools, "Vehicle maintenance is done by Mr Baker", reach="global")
    await add(tools, "Oil and tyres of the car: maintenance in May", reach="shared")
    await add(tools, TYRES)
    shown = await tools.use("memory_search", query="vehicle maintenance")
    reaches = [memory["reach"] for memory in shown.data["memories"]]
    assert reaches == ["local", "shared", "global"]
    (best,) = await found(tools, "vehicle maintenance", limit=1)
    assert best.startswith("Vehicle"), "words are not crowded out by what is only alike"


@pytest.mark.req("MEM-02")
async def test_a_search_is_narrowed_by_reach_owner_and_tags(any_tools: Toolbox):
    tools = any_tools
    other = tools.acting(actor_id="agt-2", actor_name="Ärzte")
    await add(tools, "local one", tags=["Home", "Car"])
    await add(tools, "shared one", reach="shared", tags=["home"])
    await add(tools, "global one", scope="global")
    await add(other, "theirs", tags=["home"])
    assert await found(tools, reach="shared") == ["shared one"]
    assert await found(tools, scope="global") == ["global one"]
    assert await found(tools, tag="home") == ["local one", "shared one"]
    assert await found(tools, tag="home", tags=["car"]) == ["local one"]
    assert await found(tools, owner="Tester") == ["local one"]
    assert await found(tools, owner="agt-1") == ["local one"]
    assert await found(tools, owner="usr-1") == ["shared one"]
    assert await found(tools, owner="Ärzte") == [], "another's local memories stay theirs"
    assert await found(other, owner="äRZTE") == ["theirs"]
    assert await found(tools, "one", owner="tester", mode="semantic", tags=["food"]) == []


async def test_memories_from_before_get_their_meaning_when_somebody_searches(any_tools: Toolbox):
    tools = any_tools
    await add(tools, SEAT)
    memory = await add(tools, TYRES)
    assert await with_vectors(tools) == 2
    await without_vectors(tools)
    assert await found(tools, "airplane", mode="keyword") == []
    assert await with_vectors(tools) == 0, "words alone need none"
    assert await found(tools, "where to sit on a plane") == [SEAT]
    assert await with_vectors(tools) == 2
    changed = await tools.use("memory_edit", memory_id=memory, content=TEA)
    assert await found(tools, "vehicle maintenance") == []
    await tools.undo(changed)
    assert await found(tools, "vehicle maintenance") == [TYRES]
    assert await found(tools, "hot drinks") == []


async def test_what_changed_while_its_meaning_was_made_does_not_keep_the_old_one(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
):
    memory = await add(tools, TYRES)
    await without_vectors(tools)
    kept = search.repository.keep_vectors

    async def late(session: Any, made: Any) -> None:
        row = await session.get_one(Memory, memory)
        row.content, row.revision = TEA, row.revision + 1
        await session.flush()
        await kept(session, made)

    monkeypatch.setattr(search.repository, "keep_vectors", late)
    await found(tools, "vehicle maintenance")
    monkeypatch.undo()
    assert await with_vectors(tools) == 0
    assert await found(tools, "hot drinks") == [TEA]


async def test_without_meaning_memories_are_kept_and_found_by_words(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def broken() -> Any:
        raise OSError("the weights are gone")

    caplog.set_level(logging.CRITICAL)
    monkeypatch.setattr(vectors, "_loaded", [])
    monkeypatch.setattr(vectors, "_load", broken)
    await add(tools, TYRES)
    assert await found(tools, "car") == [TYRES]
    assert await found(tools, "vehicle") == []
    with pytest.raises(Unavailable, match="Search by words"):
        await found(tools, "vehicle", mode="semantic")
    monkeypatch.undo()
    assert await found(tools, "vehicle maintenance") == [TYRES]


@pytest.mark.req("GATE-16")
async def test_what_is_found_by_meaning_carries_its_label(tools: Toolbox):
    await add(tools.acting(label="stranger"), TYRES)
    shown = await tools.use("memory_search", query="vehicle maintenance")
    assert shown.label == "stranger"
