"""Flags: whoever watches one is stopped when it goes up, and by nothing else."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bailiwick.kit.db import Storage, migrate
from bailiwick.kit.engine import flags
from bailiwick.kit.engine.flags import Flags, Stopped
from bailiwick.kit.eventlog import bus, tail
from bailiwick.kit.eventlog.tail import Tail
from support.jobber import Life
from support.jobs import Place
from support.server import PATIENCE, wait_for


@dataclass
class Tower:
    """This process's flags, and the store that they are in."""

    storage: Storage
    flags: Flags
    tail: Tail
    tidied: int = 0

    async def hoist(self, *names: str) -> None:
        async with self.storage.app.write() as session:
            for name in names:
                await flags.hoist(session, name)

    async def lower(self, name: str) -> None:
        async with self.storage.app.write() as session:
            await flags.lower(session, name)

    async def watching(self, *names: str) -> "asyncio.Task[str]":
        """A task that watches until it is stopped, and can still await things afterwards."""
        begun = asyncio.Event()

        async def watch() -> str:
            try:
                await self._watch(names, begun)
            except Stopped as stopped:
                await asyncio.sleep(0)
                return str(stopped)
            except asyncio.CancelledError:
                await asyncio.sleep(0)
                self.tidied += 1
                raise
            return ""

        task = asyncio.create_task(watch())
        async with asyncio.timeout(PATIENCE):
            await begun.wait()
        return task

    async def _watch(self, names: tuple[str, ...], begun: asyncio.Event) -> None:
        if not names:
            begun.set()
            await asyncio.Event().wait()
        async with self.flags.watched(names[0]):
            await self._watch(names[1:], begun)


@pytest.fixture
async def tower(tmp_path: Path) -> AsyncIterator[Tower]:
    storage = Life(folder=tmp_path).storage()
    await migrate.upgrade(storage)
    async with bus.opened(storage) as the_bus, tail.followed(storage, the_bus) as the_tail:
        made = Flags(storage)
        the_tail.follow(made.follow)
        yield Tower(storage, made, the_tail)
    await storage.close()


async def result(task: "asyncio.Task[str]") -> str:
    """What became of a task, in bounded time."""
    done, _ = await asyncio.wait([task], timeout=PATIENCE)
    assert done, "it was not stopped"
    return task.result()


async def test_who_watches_a_flag_is_stopped_when_it_goes_up(tower: Tower):
    watchers = [await tower.watching("red") for _ in range(3)]
    other = await tower.watching("green")
    await tower.hoist("red")
    assert [await result(task) for task in watchers] == ["red"] * 3
    assert not other.done()
    await tower.hoist("green")
    assert await result(other) == "green"


async def test_a_flag_that_was_up_before_lets_nothing_begin(tower: Tower):
    await tower.hoist("red")
    with pytest.raises(Stopped):
        async with tower.flags.watched("red"):
            pytest.fail("it began")
    await tower.lower("red")
    async with tower.flags.watched("red"):
        pass


async def test_a_flag_that_goes_up_twice_stops_as_well_as_one(tower: Tower):
    task = await tower.watching("red")
    await tower.hoist("red", "red")
    assert await result(task) == "red"


async def test_a_flag_that_comes_down_at_once_has_stopped_who_watched_it(tower: Tower):
    task = await tower.watching("red")
    async with tower.storage.app.write() as session:
        await flags.hoist(session, "red")
        await flags.lower(session, "red")
    assert await result(task) == "red"


@pytest.mark.parametrize("raised", ["outer", "inner"])
async def test_of_two_watched_flags_either_stops(tower: Tower, raised: str):
    task = await tower.watching("outer", "inner")
    await tower.hoist(raised)
    assert await result(task) == raised


async def test_both_of_two_watched_flags_stop_too(tower: Tower):
    task = await tower.watching("outer", "inner")
    await tower.hoist("outer", "inner")
    assert await result(task) in ("outer", "inner")


async def test_a_cancellation_from_elsewhere_passes_through_once(tower: Tower):
    task = await tower.watching("red")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await result(task)
    assert task.cancelling() == 1
    assert tower.tidied == 1, "it was cancelled again while it tidied up"


async def test_a_cancellation_from_elsewhere_outranks_a_flag(tower: Tower):
    task = await tower.watching("red")
    # In the very turn in which the flag has stopped it.
    tower.tail.follow(lambda _: task.cancel())
    await tower.hoist("red")
    with pytest.raises(asyncio.CancelledError):
        await result(task)


async def test_a_timeout_around_what_is_watched_is_a_timeout_and_leaves_nothing_behind(
    tower: Tower,
):
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05), tower.flags.watched("red"):
            await asyncio.Event().wait()
    await asyncio.sleep(0)


async def test_what_ended_before_the_flag_went_up_is_left_alone(tower: Tower):
    async with tower.flags.watched("red"):
        pass
    other = await tower.watching("red")
    await tower.hoist("red")
    assert await result(other) == "red"
    assert not asyncio.current_task().cancelling()  # pyright: ignore[reportOptionalMemberAccess]


async def test_an_error_of_what_is_watched_is_its_own(tower: Tower):
    with pytest.raises(ZeroDivisionError):
        async with tower.flags.watched("red"):
            raise ZeroDivisionError


@pytest.mark.req("RUN-05")
def test_a_step_under_way_is_stopped_when_the_flag_goes_up_in_another_process(shared_place: Place):
    worker, other = shared_place.start(), shared_place.start()
    worker.ask("begin_all", job="watch", ids=["red", "green"])
    wait_for(lambda: len(shared_place.trace("watching")) == 2)
    other.ask("flag", name="red")
    assert worker.wait_done("red")["red"]["output"] == "stopped by red"
    other.begin("watch", "red", id="too late")
    assert worker.wait_done("too late")["too late"]["output"] == "stopped by red"
    other.ask("flag", name="red", up=False)
    other.begin("watch", "red", id="again")
    wait_for(lambda: shared_place.trace("watching", job="again"))
    assert worker.statuses()["green"] == "PENDING"


def test_a_job_whose_flag_went_up_twice_ends(place: Place):
    """Left neither done nor failed, it would be under way for as long as the process lives."""
    child = place.start()
    child.begin("watch", "red", id="job")
    wait_for(lambda: place.trace("watching"))
    child.ask("flag", name="red", times=2)
    child.wait_done("job")
