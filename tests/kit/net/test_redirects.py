"""Where a redirect may lead."""

import asyncio

import pytest

from kit.net.peers import (
    NAME,
    OK,
    PUBLIC,
    failure,
    knows,
    outbound,
    peer,
    redirect,
    refused,
)

pytestmark = pytest.mark.req("EVT-02")


@pytest.mark.parametrize("status", [307, 308])
async def test_three_redirects_are_followed_with_the_same_method_body_and_headers(status: int):
    moves = [redirect(to, status) for to in ("/b", "http://127.0.0.1:PORT/c#part", "?d=1")]
    async with peer(*moves, OK) as server:
        out = outbound()
        answer = await out.post(f"{server.url}/a", content=b"{}", headers={"X-Signature": "abc"})
    assert (answer.status, answer.url) == (200, f"{server.url}/c?d=1")
    firsts = [request.split(b"\r\n")[0] for request in server.requests]
    assert firsts == [b"POST %b HTTP/1.1" % path for path in (b"/a", b"/b", b"/c", b"/c?d=1")]
    for request in server.requests:
        assert b"X-Signature: abc\r\n" in request
        assert request.endswith(b"\r\n\r\n{}")


@pytest.mark.parametrize("to", ["/next", "/"])
async def test_the_fourth_redirect_is_not_followed_and_a_circle_ends(to: str):
    async with peer(*[redirect(to)] * 4, OK) as server:
        told = await failure(f"{server.url}/")
    assert told == (
        "127.0.0.1 answered with a redirect: 127.0.0.1 answered with a redirect, after 3 others"
    )
    assert len(server.requests) == 4


async def test_the_body_of_a_redirect_is_not_waited_for():
    async def moved(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 307 Moved\r\nLocation: /b\r\nContent-Length: 9\r\n\r\n")
        await reader.read()

    async with peer(moved, OK) as server:
        out = outbound()
        assert (await out.get(server.url)).body == b"done"


async def test_another_server_gets_only_headers_that_hold_no_secret():
    given = {"Authorization": "Bearer x", "X-Signature": "abc", "Content-Type": "text/plain"}
    async with peer(OK) as third:
        out = outbound()
        moves = redirect("http://other.example:PORT/"), redirect(f"{third.url}/")
        async with peer(*moves) as server:
            await out.post(server.url, content=b"hello", headers=given)
    first, *others = [*server.requests, *third.requests]
    assert b"Bearer x" in first
    assert len(others) == 2
    for request in others:
        assert b"Content-Type: text/plain\r\n" in request
        assert request.endswith(b"\r\n\r\nhello")
        assert b"Bearer" not in request
        assert b"abc" not in request


async def test_headers_that_were_left_behind_do_not_come_back():
    moves = redirect("http://other.example:PORT/"), redirect(f"http://{NAME}:PORT/")
    async with peer(*moves, OK) as server:
        out = outbound()
        await out.get(f"http://{NAME}:{server.port}/", headers={"X-Signature": "abc"})
    assert [b"abc" in request for request in server.requests] == [True, False, False]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize(
    ("to", "told"),
    [
        ("http://169.254.169.254/latest/meta-data/", "169.254.169.254 is a link-local address"),
        ("//[fd00:ec2::254]/", "fd00:ec2::254 is a private address"),
        ("http://2130706433/", "neither a name nor an address"),
        ("http://evil.example/", "evil.example leads to 127.0.0.2, a loopback address"),
        ("file:///etc/passwd", "must begin with https://"),
        ("http://kim@example.com/", "user name or a password"),
        ("http://[::1", "does not lead to a correct web address"),
        ("http://example.com:22/", "Port 22"),
    ],
)
async def test_a_redirect_inwards_is_refused_and_told(status: int, to: str, told: str):
    resolve = knows(hooks__example__com=["127.0.0.1"], evil__example=["127.0.0.2"])
    async with peer(redirect(to, status)) as server:
        said = await refused(f"http://{NAME}:{server.port}/", resolve=resolve)
    assert said.startswith(f"{NAME} answered with a redirect: ")
    assert told in said


@pytest.mark.parametrize("status", [300, 301, 302, 303, 305, 399])
async def test_other_redirects_are_told_and_not_followed(status: int):
    resolve = knows(hooks__example__com=["127.0.0.1"], new__example__com=[PUBLIC])
    async with peer(redirect("https://new.example.com/hook", status)) as server:
        said = await failure(f"http://{NAME}:{server.port}/", resolve=resolve)
    assert said == (
        f"{NAME} answered with a redirect to https://new.example.com/hook; "
        "give that address instead"
    )


@pytest.mark.parametrize("status", [304, 307])
async def test_a_redirect_to_nowhere_is_an_answer(status: int):
    said = f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode()
    async with peer(said) as server:
        out = outbound()
        assert (await out.get(server.url)).status == status
