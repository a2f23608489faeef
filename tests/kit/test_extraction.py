"""What strangers made is read in another process, and what becomes of that process stays there."""

import os
import signal
from collections.abc import Iterator

import pytest

from bailiwick.kit.extraction import Extractor

EVAL = "builtins:eval"  # a function that every process has, and that does what the thing says


@pytest.fixture
def extractor() -> Iterator[Extractor]:
    made = Extractor(seconds=0.5)
    yield made
    made.close()


async def test_each_thing_is_answered_in_order_by_another_process(extractor: Extractor):
    things = [b"__import__('os').getpid()", *(b"%d * 2" % number for number in range(200))]
    [pid, *doubled] = await extractor.read(EVAL, things)
    assert pid != os.getpid()
    assert doubled == [number * 2 for number in range(200)]


async def test_what_raises_is_not_read_and_the_rest_is(extractor: Extractor):
    assert await extractor.read(EVAL, [b"1", b"1 / 0", b"3"]) == [1, None, 3]


async def test_what_ends_the_process_is_not_read_and_the_rest_is(extractor: Extractor):
    assert await extractor.read(EVAL, [b"1", b"__import__('os').abort()", b"3"]) == [1, None, 3]


async def test_what_goes_on_for_ever_is_not_read_and_the_rest_is(extractor: Extractor):
    assert await extractor.read(EVAL, [b"1", b"[0 for _ in iter(int, 1)]", b"3"]) == [1, None, 3]


async def test_what_takes_more_memory_than_there_is_for_it_is_not_read(extractor: Extractor):
    assert await extractor.read(EVAL, [b"len(bytes(4 << 30))", b"3"]) == [None, 3]


async def test_a_process_that_is_gone_is_followed_by_another(extractor: Extractor):
    assert await extractor.read(EVAL, [b"1"]) == [1]
    [pid] = extractor.processes
    os.kill(pid, signal.SIGKILL)
    assert await extractor.read(EVAL, [b"2"]) == [2]


async def test_the_process_has_nothing_of_the_offices_environment(
    extractor: Extractor, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BAILIWICK_DATA_KEY", "a secret")
    [known] = await extractor.read(EVAL, [b"dict(__import__('os').environ)"])
    assert set(known) <= {"PATH", "LC_CTYPE"}
