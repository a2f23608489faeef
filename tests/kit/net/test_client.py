"""The client that keeps its connections, as connectors and models have it."""

import gzip
from ipaddress import ip_network

import httpx2
import pytest

from bailiwick.kit.net.addresses import AddressRefused
from bailiwick.kit.net.client import client
from bailiwick.kit.net.transport import CheckedTransport, failure
from support.receiver import Reply, receiving

LOOPBACK = [ip_network("127.0.0.1/32")]


def here(**more: int) -> httpx2.AsyncClient:
    return client(CheckedTransport(LOOPBACK, **more), connect=5.0, read=5.0)


async def test_one_connection_serves_many_requests():
    with receiving("127.0.0.1", *[Reply(body=b"one"), Reply(body=b"two")]) as server:
        async with here() as http:
            said = [(await http.post(server.url, content=b"?")).text for _ in "ab"]
    assert said == ["one", "two"]
    assert [each.body for each in server.received] == [b"?", b"?"]


async def test_nothing_is_remembered_from_one_answer_to_the_next():
    with receiving("127.0.0.1") as server:
        server.usual = Reply(headers={"Set-Cookie": "who=you; Path=/"})
        async with here() as http:
            for _ in "ab":
                await http.post(server.url)
            assert not http.cookies
    assert [each.headers.get("Cookie") for each in server.received] == [None, None]


async def test_an_answer_that_is_too_long_is_given_up():
    with receiving("127.0.0.1", Reply(body=b"x" * 1000), Reply(body=b"x" * 1001)) as server:
        async with here(longest=1000) as http:
            assert len((await http.post(server.url)).content) == 1000
            with pytest.raises(httpx2.ReadError, match="too long"):
                await http.post(server.url)


async def test_a_compressed_answer_is_unpacked():
    packed = Reply(body=gzip.compress(b"hello"), headers={"Content-Encoding": "gzip"})
    with receiving("127.0.0.1", packed) as server:
        async with here() as http:
            assert (await http.post(server.url)).text == "hello"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://10.0.0.7/", "10.0.0.7 is a private address"),
        ("http://127.0.0.1:25/", "Port 25 is not for the web: use 80, 443, or one above 1023"),
        ("http://2130706433/", "2130706433 is neither a name nor an address in its usual spelling"),
    ],
)
async def test_a_refused_address_is_a_failed_connection_that_says_why(url: str, told: str):
    async with here() as http:
        with pytest.raises(httpx2.ConnectError) as caught:
            await http.get(url)
    assert isinstance(failure(caught.value), AddressRefused)
    assert str(caught.value) == told


async def test_a_server_that_hangs_up_is_told_in_the_words_of_the_library():
    with receiving("127.0.0.1") as server:
        url = server.url
    async with here() as http:
        with pytest.raises(httpx2.ConnectError) as caught:
            await http.get(url)
    assert failure(caught.value) is None
