"""Single exchanges: never without end, and told in sentences."""

import asyncio
import gzip
import socket
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path

import anyio
import pytest

from bailiwick.kit.net.outbound import OutboundFailed
from kit.net.peers import (
    NAME,
    OK,
    SHORT,
    Talk,
    drip,
    drip_headers,
    failure,
    flood,
    only_informs,
    outbound,
    peer,
    redirect,
    reset,
    silence,
)
from support.server import PATIENCE

pytestmark = pytest.mark.req("EVT-02")


async def test_what_is_sent_arrives_and_what_is_answered_comes_back():
    given = {"Content-Type": "application/json", "X-Signature": "abc", "User-Agent": "office"}
    said = b"HTTP/1.1 202 Accepted\r\nX-Id: 7\r\nContent-Length: 4\r\n\r\ndone"
    async with peer(said) as server:
        out = outbound()
        url = f"http://{NAME}:{server.port}/hook?x=1"
        answer = await out.post(url, content=b'{"a": 1}', headers=given)
    assert (answer.status, answer.body, answer.url) == (202, b"done", url)
    assert answer.headers["x-id"] == "7"
    assert 0 <= answer.milliseconds < 5000
    head, body = server.requests[0].split(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    assert first == "POST /hook?x=1 HTTP/1.1"
    sent = dict(line.split(": ") for line in lines)
    assert len(sent) == len(lines)
    assert sent == given | {
        "Host": f"{NAME}:{server.port}",
        "Accept-Encoding": "identity",
        "Connection": "close",
        "Content-Length": "8",
    }
    assert body == b'{"a": 1}'


async def test_what_is_read_is_asked_for_without_a_body():
    async with peer(OK) as server:
        out = outbound()
        assert (await out.get(server.url)).body == b"done"
    assert server.requests[0].startswith(b"GET / HTTP/1.1\r\n")
    assert b"content-length" not in server.requests[0].lower()


async def test_an_address_with_colons_is_named_in_brackets(monkeypatch: pytest.MonkeyPatch):
    real = anyio.connect_tcp
    async with peer(OK) as server:
        out = outbound(allowed=[ip_network("::1/128")])

        async def connect_tcp(remote_host: str, remote_port: int, **_options: object):
            assert remote_host == "::1"
            return await real("127.0.0.1", remote_port)

        monkeypatch.setattr(anyio, "connect_tcp", connect_tcp)
        await out.get(f"http://[::1]:{server.port}/")
    assert f"Host: [::1]:{server.port}\r\n".encode() in server.requests[0]


async def test_the_caller_cannot_speak_for_the_connection():
    given = {
        "host": "evil.example",
        "ACCEPT-ENCODING": "gzip",
        "Connection": "keep-alive, Upgrade",
        "Upgrade": "h2c",
        "Content-Length": "0",
        "Transfer-Encoding": "chunked",
        "Expect": "100-continue",
    }
    async with peer(OK) as server:
        out = outbound()
        await out.post(server.url, content=b"12345", headers=given)
    (request,) = server.requests
    assert request.endswith(b"\r\n\r\n12345")
    for absent in (b"evil", b"gzip", b"Upgrade", b"chunked", b"Expect"):
        assert absent not in request


@pytest.mark.parametrize(
    "given", [{"X-Secret": "s3\r\nX: y"}, {"X-Secret": "s3\u20ac"}, {"X s3": "y"}, {"X": "s3\x00"}]
)
async def test_a_header_that_cannot_be_sent_is_told_without_its_value(given: dict[str, str]):
    async with peer(OK) as server:
        out = outbound()
        with pytest.raises(OutboundFailed, match="a header has characters") as caught:
            await out.get(server.url, headers=given)
    assert "s3" not in str(caught.value)
    assert server.requests == []


async def test_the_environment_has_no_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login kim password secret")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with peer(OK) as server:
        out = outbound()
        assert (await out.get(server.url)).status == 200
    assert b"uthorization" not in server.requests[0]


async def test_a_body_is_cut_and_the_rest_never_read():
    async with peer(flood) as server:
        out = outbound()
        answer = await out.get(server.url, longest=100_000)
        assert answer.body == b"x" * 100_000
        await asyncio.wait_for(server.ended.wait(), PATIENCE)
    async with peer(OK) as server:
        out = outbound()
        assert (await out.get(server.url, longest=3)).body == b"don"
        assert (await out.get(server.url, longest=4)).body == b"done"
        assert (await out.get(server.url, longest=0)).body == b""


async def test_a_compressed_body_is_not_unpacked():
    bomb = gzip.compress(b"0" * 10_000_000)
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(bomb)}\r\n\r\n"
    async with peer(head.encode() + bomb) as server:
        out = outbound()
        assert (await out.get(server.url)).body == bomb
    assert b"Accept-Encoding: identity" in server.requests[0]


@pytest.mark.parametrize("talk", [silence, drip, drip_headers, only_informs])
async def test_the_time_limit_is_for_the_whole_exchange(talk: Talk):
    async with peer(talk) as server:
        told = await failure(server.url, timeout=SHORT)
        assert told == "127.0.0.1 did not answer within 0.5 seconds"
        await asyncio.wait_for(server.ended.wait(), PATIENCE)


async def test_the_time_limit_is_for_all_redirects_together():
    async def slowly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(), SHORT * 0.6)
        writer.write(redirect("/again"))

    async with peer(slowly) as server:
        assert "did not answer within 0.5 seconds" in await failure(server.url, timeout=SHORT)
    assert len(server.requests) <= 2


async def test_a_look_up_that_never_ends_is_ended():
    async def resolve(_host: str, _port: int) -> list[str]:
        return await asyncio.Future()

    told = await failure(f"http://{NAME}/", timeout=SHORT, resolve=resolve)
    assert told == f"{NAME} did not answer within 0.5 seconds"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (socket.EAI_NONAME, f"{NAME} does not exist (no such name)"),
        (socket.EAI_AGAIN, f"{NAME} cannot be looked up at the moment"),
        (None, f"{NAME} does not exist (no such name)"),
    ],
)
async def test_a_name_that_is_not_found_is_told(error: int | None, told: str):
    async def resolve(_host: str, _port: int) -> list[str]:
        if error:
            raise socket.gaierror(error, "x")
        return []

    assert await failure(f"https://{NAME}/", resolve=resolve) == told


async def test_a_refused_connection_is_told():
    async with peer(OK) as server:
        pass
    assert await failure(server.url) == "127.0.0.1 refused the connection"


async def test_a_connection_that_is_broken_off_is_told():
    async with peer(reset) as server:
        assert await failure(server.url) == "127.0.0.1 broke off the connection"


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"\x00\x01\x02\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    ],
    ids=range(8),
)
async def test_an_answer_that_is_not_http_is_told(garbage: bytes):
    async with peer(garbage) as server:
        assert await failure(server.url) == "127.0.0.1 did not give a complete answer in HTTP"
