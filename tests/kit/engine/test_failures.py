"""Jobs that go wrong end as failed, are listed, and stand in nobody's way."""

import math
import time
from contextlib import suppress

import pytest

from support.jobs import Place
from support.server import wait_for

KINDS = ["error", "strange", "result", "surrogate", "cancelled"]


def ended(status: str) -> bool:
    return status in ("SUCCESS", "ERROR", "CANCELLED")


@pytest.mark.req("RUN-05")
def test_a_job_that_goes_wrong_in_whatever_way_ends_as_failed_and_is_listed(place: Place):
    ids = [f"{where}{kind}" for where in ("", "step ") for kind in KINDS]
    child = place.start()
    child.ask("begin_all", job="fail", ids=ids)
    child.begin("steps", 1, id="last")
    child.wait_done("last")
    with suppress(AssertionError):
        wait_for(lambda: all(map(ended, child.statuses().values())))
    assert child.statuses() == {**dict.fromkeys(ids, "ERROR"), "last": "SUCCESS"}
    assert {failure.id for failure in child.ask("failures")} == set(ids)
    assert len(place.trace("failing")) == len(ids)


def test_half_a_character_in_a_result_does_not_make_a_job_fail(place: Place):
    """Models send halves of emoji, and mail is full of broken text."""
    child = place.start()
    child.ask("begin_all", job="fail", ids=["half", "step half"])
    wait_for(lambda: all(map(ended, child.statuses().values())))
    assert child.statuses() == {"half": "SUCCESS", "step half": "SUCCESS"}


def test_a_failed_job_does_not_run_again_and_does_not_stop_others(place: Place):
    first = place.start(per_partition=1)
    first.begin("fail", "error", id="bad", partition="one")
    first.begin("steps", 1, id="good", partition="one")
    first.wait_done("good")
    wait_for(lambda: ended(first.statuses()["bad"]))
    (failure,) = first.ask("failures")
    assert (failure.id, failure.name, failure.error) == ("bad", "fail", "it never works")
    first.begin("fail", "error", id="bad", times=3)
    first.kill()
    second = place.start()
    second.begin("steps", 1, id="later")
    second.wait_done("later")
    assert len(place.trace("failing")) == 1
    assert [failure.id for failure in second.ask("failures")] == ["bad"]


def a_second_later() -> float:
    """Wait for the next second, as SQLite counts no less; a moment before it began."""
    second = math.ceil(time.time())
    wait_for(lambda: time.time() >= second)
    return second - 0.001


def test_when_a_job_ended_counts_and_not_when_it_was_begun(place: Place):
    child = place.start()
    child.begin("steps", 1, id="old")
    child.begin("fail", "error", id="old failure")
    child.begin("fail", "error", id="patient", delay=3600)
    child.begin("steps", 1, id="waits", delay=3600)
    wait_for(lambda: all(ended(child.statuses()[id]) for id in ("old", "old failure")))
    moment = a_second_later()
    child.ask("hasten", id="patient")
    wait_for(lambda: ended(child.statuses()["patient"]))
    (failure,) = child.ask("failures", since=moment)
    assert failure.id == "patient"
    assert failure.at.timestamp() > moment
    assert child.ask("forget", before=moment) == 2
    assert set(child.jobs()) == {"patient", "waits"}


def test_a_job_that_the_next_version_does_not_know_waits_and_stops_nothing(place: Place):
    first = place.start(hold={"known": "1/in", "under way": "1/in"})
    first.begin("gone", id="under way")
    first.begin("gone", id="delayed", delay=3600)
    first.begin("steps", 2, id="known")
    wait_for(lambda: len(place.trace("held")) == 2)
    first.kill()
    second = place.start(edition=2)
    second.ask("hasten", id="delayed")
    second.wait_done("known")
    wait_for(lambda: second.statuses()["delayed"] == "PENDING")
    second.begin("steps", 2, id="new")
    second.wait_done("new")
    assert not place.trace("ended", job="delayed")
    if place.url:
        return
    second.kill()
    third = place.start()
    third.wait_done("under way", "delayed")
    assert len(place.trace("ended", job="delayed")) == 1


def test_a_cancelled_job_ends_before_its_next_step_and_stays_cancelled(place: Place):
    first = place.start(hold={"a": "1/after"})
    first.begin("steps", 3, id="a")
    first.begin("steps", 3, id="b", delay=3600)
    wait_for(lambda: place.trace("held"))
    for id in ("a", "b"):
        first.ask("cancel", id=id)
    place.open_gate("a")
    first.begin("steps", 1, id="c")
    first.wait_done("c")
    first.kill()
    second = place.start()
    second.begin("steps", 3, id="a")
    second.begin("steps", 1, id="d")
    second.wait_done("d")
    assert second.statuses() == {"a": "CANCELLED", "b": "CANCELLED", "c": "SUCCESS", "d": "SUCCESS"}
    assert place.runs() == {("a", 1): 1, ("c", 1): 1, ("d", 1): 1}
