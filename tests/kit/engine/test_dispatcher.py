"""The dispatcher: every committed event begins its job, once, whenever the process dies."""

import pytest

from support.jobs import Place
from support.server import wait_for


def seen(place: Place) -> list[int]:
    """The positions of the events whose job has run, each as often as it ran."""
    return sorted(line["step"] for line in place.trace("ended"))


@pytest.mark.req("RUN-05")
def test_an_event_committed_a_moment_before_the_process_died_is_dispatched_after_the_restart(
    place: Place,
):
    first = place.start()
    first.tell("happen", count=2, dies=True)
    first.wait_died()
    assert not place.trace()
    place.start()
    wait_for(lambda: seen(place) == [1, 2])


@pytest.mark.req("RUN-05")
def test_a_process_that_died_between_beginning_a_job_and_remembering_it_begins_no_second(
    place: Place,
):
    first = place.start(die={"seen": "begun"})
    first.tell("happen", count=3)
    first.wait_died()
    again = place.start(die={"seen": "begun"})
    again.wait_died()
    last = place.start()
    wait_for(lambda: {*seen(place)} == {1, 2, 3})
    last.ask("happen")
    wait_for(lambda: {*seen(place)} == {1, 2, 3, 4})
    # A body that was killed before its record runs again, but as the same job.
    assert len(last.wait_done()) == len(place.effects()) == 4


def test_a_burst_is_dispatched_whole_and_what_is_rolled_back_is_not(place: Place):
    child = place.start()
    child.ask("happen", count=3, fails=True)
    child.ask("happen", count=120)
    wait_for(lambda: len(seen(place)) >= 120)
    assert len(child.wait_done()) == 120
    assert len(set(seen(place))) == len(seen(place)) == 120


@pytest.mark.req("RUN-05")
def test_events_of_every_process_are_dispatched_once_by_the_one_that_leads(shared_place: Place):
    children = [shared_place.start() for _ in range(2)]
    for child in children:
        child.tell("happen", count=10)
    for child in children:
        child.answer()
    wait_for(lambda: len(seen(shared_place)) >= 20)
    children[0].wait_done()
    assert seen(shared_place) == list(range(1, 21))
    assert [child.ask("leads") for child in children].count(True) == 1
