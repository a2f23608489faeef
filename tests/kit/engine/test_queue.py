"""Queues: bounds hold, no partition starves another, and what is delayed begins when it is due."""

import time
from collections.abc import Iterable
from typing import Any

import pytest

from support.jobs import Place
from support.server import wait_for


def most_at_once(lines: Iterable[dict[str, Any]]) -> int:
    """How many bodies ran side by side at the worst moment, whichever process ran them."""
    now, most = 0, 0
    for line in sorted(lines, key=lambda line: line["at"]):
        now += {"began": 1, "ended": -1}.get(line["kind"], 0)
        most = max(most, now)
    return most


def of_partition(place: Place, partition: str) -> list[dict[str, Any]]:
    return [line for line in place.trace() if line["job"].startswith(partition)]


def fill(place: Place, partition: str, count: int) -> list[str]:
    ids = [f"{partition}{number}" for number in range(count)]
    for id in ids:
        place.children[0].begin("gated", "all", id=id, partition=partition)
    return ids


def test_the_bounds_of_a_partition_and_of_a_process_hold(place: Place):
    child = place.start(per_partition=2, per_process=5)
    ids = [id for partition in "abc" for id in fill(place, partition, 5)]
    wait_for(lambda: len(place.trace("began")) == 5)
    place.open_gate("all")
    child.wait_done(*ids)
    assert max(most_at_once(of_partition(place, partition)) for partition in "abc") == 2
    assert most_at_once(place.trace()) == 5


def test_the_bound_of_a_partition_holds_over_all_processes(shared_place: Place):
    children = [shared_place.start(per_partition=2, per_process=5) for _ in range(2)]
    ids = fill(shared_place, "a", 8)
    # Who takes something else has looked for these too.
    for number in range(100):
        children[0].begin("steps", 1, id=f"else{number}", partition=f"else{number}")
        children[0].wait_done(f"else{number}")
        if len({line["by"] for line in of_partition(shared_place, "else")}) == 2:
            break
    wait_for(lambda: len(of_partition(shared_place, "a")) == 2)
    shared_place.open_gate("all")
    children[0].wait_done(*ids)
    assert most_at_once(of_partition(shared_place, "a")) == 2


def test_a_partition_that_hangs_does_not_starve_another(place: Place):
    child = place.start(per_partition=2, per_process=4)
    fill(place, "slow", 10)
    wait_for(lambda: len(place.trace("began")) == 2)
    quick = [f"quick{number}" for number in range(6)]
    for id in quick:
        child.begin("steps", 1, id=id, partition="quick")
    child.wait_done(*quick)
    assert len(of_partition(place, "slow")) == 2


@pytest.mark.req("RUN-05")
def test_a_delayed_job_begins_when_it_is_due_or_when_it_is_hastened(place: Place):
    child = place.start()
    asked = time.monotonic()
    child.begin("steps", 1, id="late", delay=2)
    child.begin("steps", 1, id="hurried", delay=3600)
    child.begin("steps", 1, id="hurried")
    child.begin("steps", 1, id="left", delay=3600)
    child.wait_done("late")
    (late,) = place.trace("began", job="late")
    assert late["at"] - asked > 1
    child.ask("hasten", id="hurried")
    child.wait_done("hurried")
    child.ask("hasten", id="hurried")
    child.ask("hasten", id="never begun")
    assert child.statuses()["left"] == "DELAYED"
    assert place.runs() == {("late", 1): 1, ("hurried", 1): 1}
