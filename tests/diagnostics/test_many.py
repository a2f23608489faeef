"""A thousand runs: the tree and the lines come page by page, each once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from bailiwick.cases.models import Case
from bailiwick.runs.models import Run, RunCall
from support.office import API, Office, every
from support.traced import read
from support.workshop import Workshop, workshop_in

pytestmark = pytest.mark.req("DIAG-01")
START = datetime(2026, 1, 1, tzinfo=UTC)
RUNS, CYCLES = 1_000, 50


def moment(number: int) -> datetime:
    return START + timedelta(seconds=number)


def rows(shop: Workshop, agents: list[str]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """A thousand cases in fifty cycles, the first of which has half of them."""
    for number in range(RUNS):
        cycle = 0 if number < RUNS // 2 else 1 + number % (CYCLES - 1)
        at, director = moment(number), agents[number % 2]
        yield (
            Case,
            {
                "id": f"cas-{number:012}",
                "workspace_id": shop.workspace_id,
                "owner_id": shop.owner_id,
                "account_id": "acc-1",
                "message_id": f"msg-{number}",
                "digest": f"{number}",
                "subject": f"Mail {number}",
                "sender_name": "",
                "sender_address": "a@b.example",
                "received_at": at,
                "label": "stranger",
                "director_id": director,
                "filter_id": "flt-1",
                "cycle_id": f"cyc-{cycle:012}",
                "run_id": f"run-{number:012}",
                "created_at": at,
            },
        )
        yield (
            Run,
            {
                **dict.fromkeys(("depth", "segment", "length", "steps", "steps_before"), 0),
                **dict.fromkeys(("api_calls", "input_tokens", "output_tokens", "money"), 1),
                "id": f"run-{number:012}",
                "workspace_id": shop.workspace_id,
                "agent_id": director,
                "user_id": shop.owner_id,
                "user_name": "Olive",
                "in_person": False,
                "kind": "case",
                "title": f"Mail {number}",
                "status": "failed" if number % 10 == 0 else "completed",
                "variables": {},
                "case_id": f"cas-{number:012}",
                "files_modified": [],
                "finalized": True,
                "created_at": at,
                "started_at": at,
                "updated_at": at,
                "completed_at": at + timedelta(milliseconds=900),
            },
        )
        yield (
            RunCall,
            {
                "run_id": f"run-{number:012}",
                "id": "call-0",
                "number": 0,
                "step": 0,
                "tool": "read_email",
                "arguments": "{}",
                "status": "done",
                "asked": False,
                "started_at": at + timedelta(milliseconds=500),
            },
        )


@pytest.fixture
async def many(any_office: Office) -> Office:
    """An office with a thousand cases."""
    shop = await workshop_in(any_office)
    await any_office.set(rate_limit_percent=100_000)
    agents = [(await shop.agent(name=name, kind="director"))["id"] for name in ("One", "Two")]
    made: dict[Any, list[dict[str, Any]]] = {}
    for table, row in rows(shop, agents):
        made.setdefault(table, []).append(row)
    async with any_office.product.storage.app.write() as session:
        for table, values in made.items():
            await session.execute(insert(table), values)
    return any_office


async def test_every_run_is_in_the_tree_once_however_it_is_paged(many: Office):
    owner = await many.owner()
    cycles = await every(owner, "/diagnostics/unified", PageSize=7)
    assert len({cycle["id"] for cycle in cycles}) == len(cycles) == CYCLES
    assert sum(cycle["directors"] for cycle in cycles) == RUNS
    assert [cycle["at"] for cycle in cycles] == sorted(
        (each["at"] for each in cycles), reverse=True
    )
    largest = cycles[-1]
    assert (largest["directors"], largest["hasMoreChildren"]) == (RUNS // 2, True)
    assert len(largest["children"]) < 100
    inside = await every(owner, "/diagnostics/unified", parentId=largest["id"], PageSize=100)
    assert len({node["id"] for node in inside}) == RUNS // 2
    assert [node["id"] for node in largest["children"]] == [
        node["id"] for node in inside[: len(largest["children"])]
    ]


async def test_every_line_comes_once_in_the_flat_view(many: Office):
    owner = await many.owner()
    lines = await every(owner, "/diagnostics/unified", view="flat", PageSize=100)
    # Each began, called a tool and ended; nine of ten have a result.
    assert len({line["id"] for line in lines}) == len(lines) == 3 * RUNS + RUNS * 9 // 10
    times = [(datetime.fromisoformat(line["at"]), line["id"]) for line in lines]
    assert times == sorted(times, reverse=True)


async def test_filters_leave_what_is_asked_for(many: Office):
    owner = await many.owner()
    failed = await read(owner, "/unified", state="failed", PageSize=100)
    children = [node for cycle in failed["items"] for node in cycle["children"]]
    assert children
    assert {node["state"] for node in children} == {"failed"}
    one = children[0]["director"]
    of_one = await every(owner, "/diagnostics/unified", directorId=one, PageSize=100)
    assert sum(cycle["directors"] for cycle in of_one) == RUNS // 2
    late = await read(owner, "/unified", view="flat", since=moment(RUNS - 2).isoformat())
    assert {line["dirThreadId"] for line in late["items"]} == {
        f"run-{number:012}" for number in (RUNS - 2, RUNS - 1)
    }
    early = await read(owner, "/unified", until=moment(1).isoformat())
    assert [cycle["directors"] for cycle in early["items"]] == [1]


async def test_all_are_deleted_in_one_go(many: Office):
    owner = await many.owner()
    body = {"before": moment(RUNS - 10).isoformat()}
    gone = await owner.post(f"{API}/diagnostics/deletions", json=body)
    assert gone.json() == {"runs": RUNS - 10, "lines": 0}
    left = await every(owner, "/diagnostics/unified")
    assert sum(cycle["directors"] for cycle in left) == 10
