"""Shared memories are between a director and an agent; a director reads what is opened to it."""

import json
from typing import Any

import pytest

from support.model_server import Call, Request, Turn, says
from support.office import API
from support.workshop import Workshop, scripted, texts


def answers(session: dict[str, Any]) -> list[Any]:
    return [json.loads(text) for text in texts(session, "tool")]


def contents(found: Any) -> list[str]:
    return [each["content"] for each in found["memories"]]


def searched(**more: Any) -> Call:
    return Call("memory_search", more)


def added(content: str, scope: str) -> Call:
    return Call("memory_add", {"scope": scope, "entry": {"content": content, "tags": ["t"]}})


class Office:
    """A director with two agents, which do what they are told to."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        self.plan: dict[str, tuple[Call, ...]] = {}
        self.agents: dict[str, dict[str, Any]] = {}

    def answer(self, request: Request) -> Turn:
        system = next(each["content"] for each in request.messages if each["role"] == "system")
        name = system.removeprefix("You are ").split(",")[0]
        if request.results:
            return says("Done.")
        return Turn(calls=self.plan[name]) if self.plan.get(name) else says("Done.")

    async def make(self, server: Any, name: str, **more: Any) -> dict[str, Any]:
        if not self.shop.servers:
            self.model = await self.shop.model(server)
        made = await self.shop.agent(name=name, modelId=self.model, **more)
        self.agents[name] = made
        return made

    async def run(self, name: str, **plan: tuple[Call, ...]) -> dict[str, list[Any]]:
        """Let an agent work by a plan; what each that took part was answered."""
        self.plan = plan
        session = await self.shop.ask(self.agents[name], "Go.")
        assert session["status"] == "completed", session["errorMessage"]
        told = {name: answers(session)}
        for child in session["children"]:
            told[child["agentName"]] = answers(await self.shop.read(child["id"]))
        return told


def asks(name: str) -> Call:
    return Call(f"agent__{name.lower()}", {"input": "Go."})


@pytest.mark.req("MEM-01")
async def test_what_is_shared_in_a_directors_run_is_between_it_and_the_agent(
    any_workshop: Workshop,
):
    office = Office(any_workshop)
    with scripted(office.answer) as server:
        ann, ben = [await office.make(server, name) for name in ("Ann", "Ben")]
        ids = [ann["id"], ben["id"]]
        for name in ("Dora", "Emil"):
            await office.make(server, name, kind="director", colleagues=ids)
        await office.run("Dora", Dora=(asks("Ann"),), Ann=(added("of the pair", "shared"),))
        await office.run("Dora", Dora=(added("of Dora", "shared"),))
        await office.run("Ann", Ann=(added("of the person", "shared"), added("own", "local")))
        looks = (searched(scope="shared"),)
        both = (asks("Ann"), asks("Ben"))
        told = await office.run("Dora", Dora=(*both, *looks), Ann=looks, Ben=looks)
        everyone = {"of the person", "of Dora"}
        assert {*contents(told["Ann"][0])} == {*everyone, "of the pair"}
        assert {*contents(told["Ben"][0])} == everyone
        (found,) = [each for each in told["Dora"] if "memories" in each]
        assert {*contents(found)} == {*everyone, "of the pair"}
        told = await office.run("Emil", Emil=(asks("Ann"), *looks), Ann=looks)
        assert contents(told["Ann"][0]) == ["of the person"]
        told = await office.run("Ann", Ann=looks)
        assert contents(told["Ann"][0]) == ["of the person"]
        cascade = await office.run("Dora", Dora=(asks("Ann"),), Ann=(searched(),))
        assert contents(cascade["Ann"][0])[0] == "own"
    query = {"workspaceId": any_workshop.workspace_id, "reach": "shared"}
    listed = (await any_workshop.owner.get(f"{API}/memory", params=query)).json()["items"]
    pair = {each["content"]: (each["directorId"], each["agentId"]) for each in listed}
    dora = office.agents["Dora"]["id"]
    assert pair == {
        "of the pair": (dora, ann["id"]),
        "of Dora": (dora, None),
        "of the person": (None, None),
    }


@pytest.mark.req("MEM-02")
async def test_memory_access_opens_the_named_agents_local_memories_to_be_read(
    any_workshop: Workshop,
):
    office = Office(any_workshop)
    with scripted(office.answer) as server:
        ann, ben = [await office.make(server, name) for name in ("Ann", "Ben")]
        await office.make(server, "Dora", kind="director", memoryAccess=[ann["id"]])
        await office.make(server, "Emil", kind="director")
        for name in ("Ann", "Ben"):
            await office.run(name, **{name: (added(f"secret of {name}", "local"),)})
        told = await office.run(
            "Dora", Dora=(searched(owner="Ann"), searched(owner=ben["id"]), searched(tag="t"))
        )
        assert [contents(each) for each in told["Dora"]] == [
            ["secret of Ann"],
            [],
            ["secret of Ann"],
        ]
        note = told["Dora"][0]["memories"][0]["id"]
        edit = Call("memory_edit", {"entry": {"id": note, "content": "changed"}})
        told = await office.run("Dora", Dora=(edit,))
        assert told["Dora"][0]["code"] == "not_found"
        told = await office.run("Emil", Emil=(searched(owner="Ann"),))
        assert contents(told["Emil"][0]) == []


@pytest.mark.req("MEM-01")
async def test_the_documents_arguments_of_memory_tools_work(any_workshop: Workshop):
    office = Office(any_workshop)
    with scripted(office.answer) as server:
        await office.make(server, "Ann")
        told = await office.run(
            "Ann",
            Ann=(
                added("The rent is due", "local"),
                Call("memory_add", {"content": "x", "entry": {"content": "y"}}),
                Call("memory_add", {"scope": "local"}),
            ),
        )
        note = told["Ann"][0]["id"]
        assert [each.get("code") for each in told["Ann"][1:]] == ["invalid_arguments"] * 2
        told = await office.run(
            "Ann",
            Ann=(
                Call("memory_edit", {"entry": {"id": note, "content": "The rent is paid"}}),
                Call("memory_edit", {"entry": {"id": "note_999", "content": "x"}}),
                Call("memory_edit", {"content": "x"}),
                Call("memory_move", {"memory_id": note, "scope": "global"}),
                searched(scope="global", tag="t", query="rent"),
            ),
        )
    assert told["Ann"][0]["content"] == "The rent is paid"
    assert told["Ann"][1]["code"] == "unknown_id"
    assert told["Ann"][2]["code"] == "invalid_arguments"
    assert contents(told["Ann"][4]) == ["The rent is paid"]
