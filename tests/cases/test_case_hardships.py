"""What goes wrong around a case: accounts and models that go away, and content that is too much."""

import asyncio
import threading

import httpx
import pytest
from sqlalchemy import func, select

from bailiwick.artifacts.models import Artifact
from bailiwick.cases.models import Case
from bailiwick.runs.models import Run
from support.desk import desk_in
from support.mailroom import Mailroom, letter
from support.model_server import Request, Turn, calls, fails, says
from support.office import API, user_id
from support.post import NAME
from support.processes import PATIENCE
from support.workshop import scripted, texts

ITEM = {"label": "Summary", "data": "A lamp is broken."}


async def _left(room: Mailroom) -> list[int]:
    """How many cases, runs and items there are, of whomever."""
    async with room.office.product.storage.app.read() as session:
        counts = [select(func.count()).select_from(table) for table in (Case, Run, Artifact)]
        return [await session.scalar(each) or 0 for each in counts]


async def test_an_account_that_goes_while_its_director_works_takes_everything_along(room: Mailroom):
    asked, gone = threading.Event(), threading.Event()

    def waiting(request: Request) -> Turn:
        if request.results:
            asked.set()
            gone.wait(PATIENCE)
        return calls("workspace_add_item", ITEM)

    with scripted(waiting) as server:
        desk = await desk_in(room, server)
        await desk.filtered(await desk.director())
        await room.got(desk.account_id, letter())
        await desk.opened()
        await room.got(desk.account_id, letter(subject="Not yet opened"))
        working = asyncio.create_task(desk.shop.drive())
        await asyncio.to_thread(asked.wait, PATIENCE)
        assert await _left(room) == [1, 1, 1]
        answer = await room.owner.delete(f"{API}/accounts/{desk.account_id}")
        assert answer.is_success, answer.text
        gone.set()
        await working
        assert await desk.opened() == 0
    assert await _left(room) == [0, 0, 0]
    assert len(server.requests) == 2


async def test_a_director_whose_only_account_went_gets_no_mail_of_another_one(room: Mailroom):
    with scripted(says("Read.")) as server:
        desk = await desk_in(room, server)
        other = await room.connect("Other", "other@office.example", routeFrom="all")
        await desk.filtered(await desk.director(accounts=[other]))
        assert (await room.owner.delete(f"{API}/accounts/{other}")).is_success
        await desk.got()
    assert await desk.cases() == []
    assert server.requests == []


@pytest.mark.req("CASE-01")
async def test_what_was_made_before_the_model_failed_stays_and_the_work_can_be_done_again(
    room: Mailroom,
):
    with scripted(calls("workspace_add_item", ITEM), fails(400)) as server:
        desk = await desk_in(room, server)
        await desk.filtered(await desk.director())
        await desk.got()
        (case,) = await desk.cases()
        (half,) = await desk.items(case)
        assert case["state"] == "failed"
        assert case["reason"]
        assert (half["data"], half["unfinished"]) == (ITEM["data"], True)
        server.turns = [calls("workspace_add_item", ITEM | {"label": "Anew"}), says("Done.")]
        again = await room.owner.post(f"{API}/cases/{case['id']}/run-again")
        assert again.status_code == 200, again.text
        await desk.shop.drive()
        (case,) = await desk.cases()
        items = await desk.items(case)
    assert case["state"] == "done"
    assert [(each["label"], each["unfinished"]) for each in items] == [
        ("Summary", True),
        ("Anew", False),
    ]


async def test_agents_that_ask_one_another_ever_deeper_are_refused_in_words(room: Mailroom):
    def passing_on(request: Request) -> Turn:
        name = next((tool for tool in request.tools if tool.startswith("agent__")), None)
        if name and not request.results:
            return calls(name, {"input": "You do it."})
        return says(f"I was told: {request.results[-1] if request.results else 'nothing'}")

    with scripted(passing_on) as server:
        desk = await desk_in(room, server)
        below: list[str] = []
        for number in range(5):
            agent = await desk.shop.agent(name=f"Agent {number}", colleagues=below)
            below = [agent["id"]]
        await desk.filtered(await desk.director(colleagues=below))
        await desk.got()
        (case,) = await desk.cases()
        run = await desk.shop.read(case["runId"])
    assert case["state"] == "done"
    assert "at most 3 deep" in texts(run, "tool")[0]


async def test_a_case_whose_agent_is_at_work_waits_for_nobody_though_another_case_does(
    room: Mailroom,
):
    def asking(request: Request) -> Turn:
        if request.results:
            return says("Done.")
        if "agent__helper" in request.tools:
            return calls("agent__helper", {"input": "You do it."})
        return calls("workspace_add_item", ITEM)

    with scripted(asking) as server:
        desk = await desk_in(room, server)
        helper = await desk.shop.agent(name="Helper", scope={"tools": ["workspace_*"]})
        await desk.filtered(await desk.director("Asks", askWrites=True), "lamp")
        await desk.got()
        await desk.filtered(await desk.director("Leads", colleagues=[helper["id"]]), "other")
        await room.got(desk.account_id, letter(subject="Another"))
        await desk.opened()
        (leads,) = await desk.cases(state="working")
        await desk.shop.runner.segment(leads["runId"], 1)  # the agent has not begun yet
        found = {case["directorName"]: case["state"] for case in await desk.cases()}
        waiting = await desk.cases(state="waiting")
    assert found == {"Asks": "waiting", "Leads": "working"}
    assert [case["directorName"] for case in waiting] == ["Asks"]


async def test_an_item_of_twenty_megabytes_is_refused_to_a_person_and_to_a_model(room: Mailroom):
    large = "x" * 20_000_000

    too_much = calls("workspace_add_item", {"label": "Large", "data": large}, piece=1_000_000)
    with scripted(too_much) as server:
        desk = await desk_in(room, server)
        await desk.filtered(await desk.director())
        await desk.got()
        (case,) = await desk.cases()
        refused = await room.owner.post(
            f"{API}/cases/{case['id']}/items", json={"label": "Large", "data": large}
        )
        items = await desk.items(case)
    assert refused.status_code == 413, refused.text[:200]
    assert case["state"] == "failed"
    assert "longer than 4000000 characters" in case["reason"]
    assert items == []


async def test_one_mail_to_two_people_makes_two_cases_each_with_rights_of_its_own(room: Mailroom):
    mail = letter(to="all@office.example", subject="To all of you")
    with scripted(_summing_up) as server:
        desk = await desk_in(room, server)
        director = await desk.director(shared=True)
        person, account = await _colleague(room)
        for who in (room.owner, person):
            await desk.filtered(director, who=who)
        await desk.got(mail)
        await desk.got(mail, account_id=account)
        (mine,) = await desk.cases()
        (theirs,) = (await person.get(f"{API}/cases")).json()["items"]
        assert mine["accountId"] == desk.account_id
        assert theirs["accountId"] == account
        assert [mine["state"], theirs["state"]] == ["done", "done"]
        for who, other in ((room.owner, theirs), (person, mine)):
            assert (await who.get(f"{API}/cases/{other['id']}")).status_code == 404
            assert (await who.get(f"{API}/cases/{other['id']}/items")).status_code == 404


def _summing_up(request: Request) -> Turn:
    return says("Done.") if request.results else calls("workspace_add_item", ITEM)


async def _colleague(room: Mailroom) -> tuple[httpx.AsyncClient, str]:
    """Someone else in the workspace, and an account of theirs."""
    person = await room.office.member("sam")
    path = f"{API}/workspaces/{room.workspace_id}/members/{await user_id(person)}"
    assert (await room.owner.put(path, json={"role": "write"})).is_success
    made = await person.post(
        f"{API}/accounts",
        json={
            "workspaceId": room.workspace_id,
            "connector": NAME,
            "label": "Sam's",
            "settings": {"folder": str(room.folder / "sam"), "address": "sam@office.example"},
            "routeFrom": "all",
        },
    )
    assert made.status_code == 201, made.text
    return person, made.json()["id"]
