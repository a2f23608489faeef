"""Working ahead by one: in order, by one task, and nothing is left under way."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from bailiwick.kit.prefetch import one_ahead


class Source:
    """Numbers, and what was seen while they were made."""

    def __init__(self, count: int, *, fails: bool = False) -> None:
        self.count, self.fails = count, fails
        self.made: list[int] = []
        self.tasks: set[object] = set()
        self.closed = False

    async def numbers(self) -> AsyncGenerator[int]:
        try:
            # It would not survive a change of the task.
            async with asyncio.timeout(60):
                for number in range(self.count):
                    await asyncio.sleep(0)
                    self.made.append(number)
                    self.tasks.add(asyncio.current_task())
                    yield number
            if self.fails:
                raise ValueError("lost")
        finally:
            self.closed = True


async def test_each_is_made_while_the_one_before_is_used_and_no_more():
    source = Source(5)
    async with one_ahead(source.numbers()) as numbers:
        async for number in numbers:
            for _ in range(20):
                await asyncio.sleep(0)
            assert source.made == list(range(min(number + 2, 5)))
    assert len(source.tasks) == 1
    assert source.closed


async def test_what_goes_wrong_comes_after_all_that_went_well():
    source, seen = Source(3, fails=True), []

    async def use() -> None:
        async with one_ahead(source.numbers()) as numbers:
            async for number in numbers:
                seen.append(number)  # noqa: PERF401

    with pytest.raises(ValueError, match="lost"):
        await use()
    assert seen == [0, 1, 2]
    assert source.closed


async def test_who_stops_early_leaves_nothing_under_way():
    source = Source(1000)
    before = asyncio.all_tasks()
    async with one_ahead(source.numbers()) as numbers:
        async for number in numbers:
            if number == 2:
                break
    assert source.closed
    assert asyncio.all_tasks() == before
