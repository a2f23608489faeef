"""Schedules that are kept: once across processes, made up for, changed and taken off."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from support.jobs import Jobber, Place
from support.server import wait_for

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def an_hour_ago() -> str:
    """A cron line that was due within the last hours, and is not due again during the test."""
    due = datetime.now(UTC) - timedelta(hours=1)
    return f"{due.minute} {due.hour} * * *"


def moments(place: Place) -> list[Any]:
    return [line["moment"] for line in place.trace("due")]


def settle(child: Jobber, id: str) -> None:
    """Wait until what was begun before has run: schedules pass the same engine."""
    child.begin("steps", 1, id=id)
    child.wait_done()


@pytest.mark.req("TASK-03")
def test_what_was_due_while_nothing_ran_is_made_up_for_once(place: Place):
    words = an_hour_ago()
    first = place.start()
    first.ask("schedule", words=words, catch_up=LONG_AGO)
    settle(first, "new")
    assert not moments(place), "it was not there yet when it was last due"
    first.kill()
    second = place.start()
    second.ask("schedule", words=words, catch_up=LONG_AGO)
    wait_for(lambda: moments(place))
    second.ask("schedule", words=words, catch_up=LONG_AGO)
    settle(second, "again")
    second.kill()
    third = place.start()
    third.ask("schedule", words=words, catch_up=LONG_AGO)
    settle(third, "and again")
    (moment,) = moments(place)
    due = datetime.fromisoformat(moment)
    assert timedelta(0) < datetime.now(UTC) - due < timedelta(hours=2)
    assert (due.minute, due.hour) == tuple(int(part) for part in words.split()[:2])


@pytest.mark.req("TASK-03")
def test_two_processes_make_up_for_it_once(shared_place: Place):
    words = an_hour_ago()
    first, second = shared_place.start(), shared_place.start()
    first.ask("schedule", words=words)
    for child in (first, second) * 3:
        child.tell("schedule", words=words, catch_up=LONG_AGO)
    for child in (first, second) * 3:
        child.answer()
    wait_for(lambda: moments(shared_place))
    settle(second, "after")
    assert len(moments(shared_place)) == 1


@pytest.mark.req("TASK-03")
def test_a_schedule_is_changed_and_taken_off(place: Place):
    words = an_hour_ago()
    child = place.start()
    child.ask("schedule", words=None)
    child.ask("schedule", words="every sunday at 3:00", zone="Europe/Berlin")
    assert child.ask("schedules") == [("due", "0 3 * * 0", "Europe/Berlin")]
    child.ask("schedule", words="every sunday at 3:00", zone="Asia/Tokyo")
    assert child.ask("schedules") == [("due", "0 3 * * 0", "Asia/Tokyo")]
    child.ask("schedule", words=words, catch_up=LONG_AGO)
    assert child.ask("schedules") == [("due", words, "UTC")]
    # Neither was it there when it was last due, nor was the installation.
    child.ask("schedule", words=words, catch_up=datetime.now(UTC))
    child.ask("schedule", words=words)
    child.ask("schedule", words=None)
    child.ask("schedule", words=None)
    assert child.ask("schedules") == []
    settle(child, "after")
    assert not moments(place)


@pytest.mark.req("TASK-03")
def test_a_job_has_a_schedule_for_each_thing_and_is_told_which(shared_place: Place):
    words = an_hour_ago()
    first, second = shared_place.start(), shared_place.start()
    for child in (first, second):
        child.tell("schedule", words=words, about="one", catch_up=LONG_AGO)
        child.tell("schedule", words=words, about="new", catch_up=datetime.now(UTC))
        child.tell("schedule", words=words, about="other")
    for child in (first, second) * 3:
        child.answer()
    wait_for(lambda: moments(shared_place))
    settle(second, "after")
    (line,) = shared_place.trace("due")
    assert line["about"] == ["one"], "that it was missed is known, though the engine is new to it"
    assert first.ask("scheduled") == {"one", "new", "other"}
    first.ask("schedule", words=None, about="one")
    assert second.ask("scheduled") == {"new", "other"}
