"""HTTP to addresses that others gave: never inwards, never without end, and told in sentences."""

import asyncio
import gzip
import socket
import ssl
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path

import anyio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from bailiwick.kit.net.addresses import refusal
from bailiwick.kit.net.lookup import looked_up, system_resolve
from bailiwick.kit.net.outbound import AddressRefused, Outbound, OutboundFailed
from bailiwick.kit.net.sockets import CheckedSockets
from support.server import PATIENCE

pytestmark = pytest.mark.req("EVT-02")
LOOPBACK = [ip_network("127.0.0.1/32")]
NAME = "hooks.example.com"
PUBLIC = "93.184.216.34"
SHORT = 0.5
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

# What each kind is called, and addresses of it.
REFUSED = {
    "a loopback address": ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"],
    "a private address": [
        *("10.0.0.7", "172.16.0.1", "172.31.255.255", "192.168.1.1", "::ffff:192.168.1.1"),
        *("fc00::1", "fd00:ec2::254", "fec0::1", "64:ff9b::10.0.0.7", "64:ff9b::a00:7"),
    ],
    "a link-local address": [
        *("169.254.169.254", "fe80::1", "fe80::1%1", "febf::1", "::ffff:a9fe:a9fe"),
        "64:ff9b::169.254.169.254",
    ],
    "a provider's internal address": [
        *("100.64.0.1", "100.127.255.254", "100.100.100.200", "168.63.129.16"),
        "::ffff:100.64.0.1",
    ],
    "an unspecified address": ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"],
    "a broadcast address": ["255.255.255.255"],
    "a multicast address": ["224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1"],
    "a tunnel's address": [
        *("192.88.99.1", "2002:7f00:1::", "2002:a00:7::1", "2002:808:808::1"),
        *("64:ff9b:1::10.0.0.7", "64:ff9b:1::8.8.8.8", "2001:0:4136:e378:8000:63bf:80ff:fffe"),
    ],
    "an address for documentation": [
        *("192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"),
    ],
    "a reserved address": [
        *("192.0.0.1", "192.0.0.192", "198.18.0.1", "240.0.0.1", "::127.0.0.1", "::8.8.8.8"),
        *("100::1", "2001:2::1", "2001:20::1", "4000::1", "5f00::1", "8000::1", "64:ff9a::1"),
    ],
}
KINDS = [(address, kind) for kind, addresses in REFUSED.items() for address in addresses]
PUBLIC_ADDRESSES = [
    *("1.1.1.1", PUBLIC, "100.63.255.255", "100.128.0.1", "172.32.0.1", "192.0.1.1"),
    *("2606:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"),
]
INWARD_SPELLINGS = [
    *("127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0x7f.0.0.1", "0X7F000001", "0x7f000001"),
    *("2130706433", "0177.0.0.1", "017700000001", "127.0.0.01", "127.0.0.1.", "127.1.", "0", "0x"),
    *("127\u30020\u30020\u30021", "127\uff0e0\uff0e0\uff0e1", "127\uff610\uff610\uff611"),
    *("\uff11\uff12\uff17.0.0.1", "\u2460\u2461\u2466.0.0.1", "127%2e0.0.1", "127.0.0.1\u3002"),
    *("[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "[::127.0.0.1]"),
    *("[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%1]", "[::1%25lo]", "[64:ff9b::7f00:1]"),
    *("169.254.169.254", "[fd00:ec2::254]", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376"),
    *("user@127.0.0.1", "example.com@127.0.0.1", "127.0.0.1@example.com", "a:b@example.com"),
    *("example.com\\@127.0.0.1", "127.0.0.1\\.example.com", "127.0.0.1%00.example.com"),
    *("example.com:80@127.0.0.1", "[::1]example.com", "example.com[::1]", "[::1", "::1"),
    *("1.2.3.4.5", "256.256.256.256", "1.2.3", "a.0x7f", "a.1"),
]


class Peer:
    """A server on loopback, and what was sent to it."""

    def __init__(self) -> None:
        self.port = 0
        self.requests: list[bytes] = []
        self.ended = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def peer(*answers: bytes | Talk, tls: ssl.SSLContext | None = None) -> AsyncGenerator[Peer]:
    """Each connection gets the next answer, and the last one is given again and again."""
    made = Peer()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = answers[min(len(made.requests), len(answers) - 1)]
            made.requests.append(await read_request(reader))
            if isinstance(answer, bytes):
                writer.write(answer.replace(b"PORT", str(made.port).encode()))
            else:
                await answer(reader, writer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
            made.ended.set()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    async with server:
        made.port = server.sockets[0].getsockname()[1]
        yield made
        if made.requests:
            await asyncio.wait_for(made.ended.wait(), PATIENCE)


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line[15:] for line in head.lower().splitlines() if line[:15] == b"content-length:"]
    return head + await reader.readexactly(int(lengths[0]) if lengths else 0)


async def silence(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while not reader.at_eof():
        writer.write(b"x")
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(), SHORT / 10)


async def drip_headers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not reader.at_eof():
        writer.write(b"x")
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(), SHORT / 10)


async def flood(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x" * 65536)
        await writer.drain()


async def only_informs(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)
        await writer.drain()


async def reset(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


def redirect(to: str, status: int = 307) -> bytes:
    return f"HTTP/1.1 {status} Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


def knows(**names: list[str]) -> Callable[[str, int], Awaitable[list[str]]]:
    """A resolver that knows these names (a dot is written as two underscores)."""
    known = {name.replace("__", "."): addresses for name, addresses in names.items()}

    async def resolve(host: str, _port: int) -> list[str]:
        if host not in known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return known[host]

    return resolve


async def here(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


def permitted(address: IPv4Address | IPv6Address, allowed=()) -> bool:
    return refusal(address, allowed) is None


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that connections were tried to; none succeeds."""
    return recorded(monkeypatch)


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    tried: list[str] = []

    async def connect_tcp(remote_host: str, **_options: object) -> None:
        tried.append(remote_host)
        raise OSError("not in a test")

    monkeypatch.setattr(anyio, "connect_tcp", connect_tcp)
    return tried


# A context of its own for each would read hundreds of authorities each time.
BARE = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def outbound(*, allowed=LOOPBACK, resolve=here, certificates: ssl.SSLContext = BARE) -> Outbound:
    return Outbound(allowed=allowed, resolve=resolve, certificates=certificates)


async def failure(url: str, *, timeout: float = PATIENCE, **options) -> str:  # noqa: ASYNC109
    out = outbound(**options)
    with pytest.raises(OutboundFailed) as caught:
        await out.post(url, content=b"{}", timeout=timeout)
    return str(caught.value)


async def refused(url: str, **options) -> str:
    out = outbound(**options)
    with pytest.raises(AddressRefused) as caught:
        await out.post(url, content=b"{}", timeout=PATIENCE)
    return str(caught.value)


# --- addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("address", "kind"), KINDS)
async def test_a_name_that_leads_inwards_is_refused_and_told_where_it_leads(
    connections: list[str], address: str, kind: str
):
    async def resolve(_host: str, _port: int) -> list[str]:
        return [address]

    told = await refused(f"https://{NAME}/", allowed=[], resolve=resolve)
    assert told == f"{NAME} leads to {address}, {kind}"
    assert connections == []


@pytest.mark.parametrize(("address", "kind"), KINDS)
def test_a_literal_address_that_leads_inwards_is_refused_as_it_is_typed(address: str, kind: str):
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefused) as caught:
        Outbound().check_url(f"https://{host}/hook")
    normal = str(ip_address(address))
    zoned = "The server's name in the address is not a correct one"
    assert str(caught.value) == (zoned if "%" in address else f"{normal} is {kind}")


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
async def test_public_addresses_are_connected_to(connections: list[str], address: str):
    async def resolve(_host: str, _port: int) -> list[str]:
        return [address]

    told = await failure(f"https://{NAME}/", allowed=[], resolve=resolve)
    assert told == f"{NAME} cannot be reached"
    assert connections == [address]


@pytest.mark.parametrize("host", INWARD_SPELLINGS)
@pytest.mark.parametrize("scheme", ["http", "HTTPS"])
async def test_no_spelling_of_an_address_gets_round_the_check(
    connections: list[str], scheme: str, host: str
):
    for url in (f"{scheme}://{host}/", f"{scheme}://{host}:8080/x"):
        with pytest.raises(AddressRefused):
            Outbound().check_url(url)
        await refused(url, allowed=[], resolve=system_resolve)
    assert connections == []


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost"])
async def test_what_the_systems_resolver_makes_of_a_name_is_judged_too(
    connections: list[str], host: str
):
    with pytest.raises(AddressRefused, match="a loopback address"):
        await CheckedSockets([]).connect_tcp(host, 80)
    assert connections == []


async def test_one_bad_address_among_good_ones_refuses_the_name(connections: list[str]):
    for addresses in ([PUBLIC, "10.0.0.7"], ["10.0.0.7", PUBLIC], [PUBLIC, "nonsense"]):
        told = await refused(
            f"http://{NAME}/", allowed=[], resolve=knows(hooks__example__com=addresses)
        )
        assert told.startswith(f"{NAME} leads to ")
    assert connections == []


async def test_an_allowed_network_is_reached_in_every_form_and_no_other_is():
    inner = [ip_network("10.0.0.0/24"), ip_network("fd00:1::/64")]
    for good in ("10.0.0.7", "::ffff:10.0.0.7", "64:ff9b::10.0.0.7", "fd00:1::7"):
        assert permitted(ip_address(good), inner), good
    for bad in ("10.0.1.7", "::ffff:10.0.1.7", "::10.0.0.7", "2002:a00:7::", "fd00:2::7", "::1"):
        assert not permitted(ip_address(bad), inner), bad
    assert Outbound(inner).check_url("http://10.0.0.7/x") == "http://10.0.0.7/x"
    with pytest.raises(AddressRefused, match=r"^10\.0\.1\.7 is a private address$"):
        Outbound(inner).check_url("http://10.0.1.7/x")


async def test_a_name_is_looked_up_once_and_the_first_answer_is_the_one_connected_to(
    connections: list[str],
):
    answers = [[PUBLIC], ["127.0.0.1"]]

    async def resolve(_host: str, _port: int) -> list[str]:
        return answers.pop(0)

    await failure(f"http://{NAME}/", allowed=[], resolve=resolve)
    assert connections == [PUBLIC]
    assert answers == [["127.0.0.1"]]
    assert "a loopback address" in await refused(f"http://{NAME}/", allowed=[], resolve=resolve)
    assert connections == [PUBLIC]


@pytest.mark.parametrize("addresses", [["::1", "127.0.0.1"], ["127.0.0.1", "::1"]])
async def test_the_next_address_is_tried_when_one_does_not_answer(addresses: list[str]):
    both = [*LOOPBACK, ip_network("::1/128")]
    resolve = knows(hooks__example__com=addresses)
    async with peer(OK) as server:
        out = outbound(allowed=both, resolve=resolve)
        answer = await out.get(f"http://{NAME}:{server.port}/")
    assert answer.body == b"done"


async def test_an_address_is_tried_once(connections: list[str]):
    resolve = knows(hooks__example__com=[PUBLIC, "1.1.1.1", PUBLIC])
    await failure(f"http://{NAME}/", allowed=[], resolve=resolve)
    assert connections == [PUBLIC, "1.1.1.1"]


async def test_nobody_is_asked_about_an_address():
    async def resolve(_host: str, _port: int) -> list[str]:
        raise AssertionError("asked")

    assert await looked_up(PUBLIC, 80, allowed=[], resolve=resolve) == [PUBLIC]


async def test_sockets_of_this_machine_are_refused():
    with pytest.raises(AddressRefused):
        await CheckedSockets(LOOPBACK).connect_unix_socket("/var/run/docker.sock")


STRICTER = [
    ip_network(net)
    for net in (
        *("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "224.0.0.0/4"),
        *("2001::/23", "2002::/16", "3fff::/20"),
        *("::/3", "4000::/2", "8000::/1"),
    )
]
V4 = st.ip_addresses(v=4) | st.integers(0, 2**32 - 1).map(IPv4Address)
V6 = st.ip_addresses(v=6) | st.integers(0, 2**128 - 1).map(IPv6Address)
WRAPPED = st.builds(
    lambda prefix, inner, shift: IPv6Address(int(IPv6Address(prefix)) | int(inner) << shift),
    st.sampled_from(["::ffff:0:0", "64:ff9b::", "64:ff9b:1::", "::", "2002::", "2001::"]),
    V4,
    st.sampled_from([0, 80]),
)


def meant(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Our own reading, from the text, of what an address stands for."""
    high, low = divmod(int(address), 2**32)
    standing_for = {0xFFFF, 0x64FF9B << 64}
    return IPv4Address(low) if address.version == 6 and high in standing_for else address


@given(V4 | V6 | WRAPPED)
def test_only_global_addresses_are_allowed_and_all_but_a_few_of_them(
    address: IPv4Address | IPv6Address,
):
    real = meant(address)
    if permitted(address):
        assert real.is_global
        assert not any(real in network for network in STRICTER)
    else:
        assert refusal(address)
        assert not real.is_global or any(real in network for network in STRICTER)


@given(address=V4 | V6 | WRAPPED)
async def test_an_address_that_is_not_allowed_is_never_connected_to(
    address: IPv4Address | IPv6Address,
):
    with pytest.MonkeyPatch.context() as monkeypatch:
        tried = recorded(monkeypatch)

        async def resolve(_host: str, _port: int) -> list[str]:
            return [str(address)]

        told = await failure(f"http://{NAME}/", allowed=[], resolve=resolve)
    assert tried == ([str(address)] if permitted(address) else [])
    assert ("leads to" in told) is not permitted(address)


# --- URLs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "must begin with https://"),
        ("example.com/hook", "must begin with https://"),
        ("//example.com/hook", "must begin with https://"),
        ("ftp://example.com/", "must begin with https://"),
        ("file:///etc/passwd", "must begin with https://"),
        ("gopher://example.com:6379/_x", "must begin with https://"),
        ("unix:///var/run/docker.sock", "must begin with https://"),
        (" https://example.com/", "not a correct web address|must begin"),
        ("https://", "names no server"),
        ("https:///hook", "names no server"),
        ("https:example.com", "names no server"),
        ("https:\\\\example.com", "names no server"),
        ("https://./", "names no server"),
        ("https://?x", "names no server"),
        ("https://kim:s3cret@example.com/", "user name or a password"),
        ("https://kim@example.com/", "user name or a password"),
        ("https://example.com/#part", "must not have a #"),
        ("https://example.com/#", "must not have a #"),
        ("https://example.com/\r\nX: y", "invisible characters"),
        ("https://example.com/\x00", "invisible characters"),
        ("https://exam\tple.com/", "invisible characters"),
        ("https://example.com/\u202egpj", "invisible characters"),
        ("https://exam\u200bple.com/", "invisible characters"),
        ("https://example.com/\ud800", "invisible characters"),
        ("https://example.com/" + "x" * 2000, "too long: 2000"),
        ("https://example.com/" + "ü" * 1000, "too long: 2000"),
        ("https://example.com/" + "./" * 1000, "too long: 2000"),
        ("https://exa mple.com/", "not a correct one"),
        ("https://example..com/", "not a correct one"),
        ("https://example.com../", "not a correct one"),
        ("https://-example.com/", "not a correct one"),
        (f"https://{'a' * 64}.com/", "not a correct one"),
        (f"https://{'a.' * 127}com/", "not a correct one"),
        ("https://exa{m}ple.com/", "not a correct one"),
        ("https://exa_mple.com|x/", "not a correct one"),
        ("https://example.com:port/", "not a correct web address"),
        ("https://example.com:65536/", "Port 65536"),
        ("https://example.com:0/", "Port 0"),
        ("https://example.com:-1/", "Port -1"),
        ("http://example.com:22/", "Port 22 is not for the web"),
        ("http://example.com:25/", "Port 25 is not for the web"),
        ("http://example.com:445/", "Port 445 is not for the web"),
    ],
)
async def test_what_is_no_web_address_is_refused_with_the_reason(url: str, told: str):
    with pytest.raises(AddressRefused, match=told) as caught:
        Outbound().check_url(url)
    assert "s3cret" not in str(caught.value)
    assert isinstance(caught.value, ValueError)
    await refused(url)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("https://example.com/Hook?a=1&b=%2F", "https://example.com/Hook?a=1&b=%2F"),
        ("HTTPS://Example.COM/Hook", "https://example.com/Hook"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://example.com:80", "http://example.com"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("https://example.com./x", "https://example.com/x"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://example。com/", "https://example.com/"),
        ("https://my_host.example/a b", "https://my_host.example/a%20b"),
        ("https://[2606:4700:0:0::1111]:8443/", "https://[2606:4700::1111]:8443/"),
        (f"http://{PUBLIC}./", f"http://{PUBLIC}/"),
        ("https://1password.com/", "https://1password.com/"),
        ("https://example.com/" + "x" * 1980, "https://example.com/" + "x" * 1980),
    ],
)
def test_a_web_address_is_given_back_in_its_normal_form(url: str, normal: str):
    assert Outbound().check_url(url) == normal
    assert Outbound().check_url(normal) == normal


@given(st.sampled_from(["", "http://", "https://", "http://[", "https://a@"]), st.text())
def test_any_text_is_either_refused_or_an_address_in_its_normal_form(start: str, rest: str):
    try:
        normal = Outbound().check_url(start + rest)
    except AddressRefused:
        return
    assert normal.isascii()
    assert Outbound().check_url(normal) == normal


# --- exchanges ---------------------------------------------------------------------------------


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


# --- redirects ---------------------------------------------------------------------------------


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


# --- TLS ---------------------------------------------------------------------------------------


class Certificate:
    """A certificate that is its own authority, and what a server and its friends need."""

    def __init__(self, folder: Path, name: str) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        made = (
            x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(hours=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        self.pem = made.public_bytes(serialization.Encoding.PEM)
        secret = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        file = folder / "certificate.pem"
        file.write_bytes(secret + self.pem)
        self.asked_for: list[str | None] = []
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.load_cert_chain(file)
        self.server.sni_callback = lambda _object, name, _context: self.asked_for.append(name)

    @property
    def trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=self.pem.decode())


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return Certificate(tmp_path, NAME)


async def test_tls_proves_the_name_and_not_the_address(certificate: Certificate):
    async with peer(OK, tls=certificate.server) as server:
        out = outbound(certificates=certificate.trusted)
        assert (await out.get(f"https://{NAME}:{server.port}/")).body == b"done"
        assert certificate.asked_for == [NAME]
        assert f"Host: {NAME}:{server.port}\r\n".encode() in server.requests[0]
        with pytest.raises(OutboundFailed, match=r"^other\.example has a certificate.*mismatch"):
            await out.get(f"https://other.example:{server.port}/")
        with pytest.raises(OutboundFailed, match=r"^127\.0\.0\.1 has a certificate.*mismatch"):
            await out.get(f"https://127.0.0.1:{server.port}/")
    assert len(server.requests) == 1


async def test_a_certificate_that_nobody_vouches_for_is_refused(certificate: Certificate):
    async with peer(OK, tls=certificate.server) as server:
        out = Outbound(allowed=LOOPBACK, resolve=here)
        with pytest.raises(OutboundFailed) as caught:
            await out.post(f"https://{NAME}:{server.port}/", content=b"{}")
    expected = f"{NAME} has a certificate that cannot be verified: self-signed certificate"
    assert str(caught.value) == expected
    assert server.requests == []


async def test_https_to_a_server_that_does_not_speak_it_is_told():
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(plain, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        told = await failure(f"https://{NAME}:{port}/")
    assert told.startswith(f"{NAME} does not speak HTTPS as it should: ")


@pytest.mark.parametrize("cancel", [False, True])
async def test_a_handshake_that_never_ends_is_ended_and_its_connection_closed(*, cancel: bool):
    begun, ended = asyncio.Event(), asyncio.Event()

    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        begun.set()
        await reader.read()
        ended.set()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(mute, "127.0.0.1", 0) as server:
        out = outbound()
        url = f"https://{NAME}:{server.sockets[0].getsockname()[1]}/"
        call = asyncio.create_task(out.get(url, timeout=60 if cancel else 2 * SHORT))
        await asyncio.wait_for(begun.wait(), PATIENCE)
        if cancel:
            call.cancel()
        with pytest.raises(asyncio.CancelledError if cancel else OutboundFailed):
            await call
        await asyncio.wait_for(ended.wait(), PATIENCE)


async def test_a_redirect_never_leads_from_https_to_http(certificate: Certificate):
    async with peer(OK) as plain:
        for status in (307, 302):
            move = redirect(f"http://{NAME}:{plain.port}/", status)
            async with peer(move, tls=certificate.server) as server:
                url = f"https://{NAME}:{server.port}/"
                said = await refused(url, certificates=certificate.trusted)
            assert "it leads from https to http" in said
    assert plain.requests == []


async def test_a_redirect_from_http_to_https_is_to_the_same_server(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch
):
    real = anyio.connect_tcp
    async with (
        peer(redirect(f"https://{NAME}/new")) as plain,
        peer(OK, tls=certificate.server) as secure,
    ):
        out = outbound(certificates=certificate.trusted)
        ports = {80: plain.port, 443: secure.port}

        async def connect_tcp(remote_host: str, remote_port: int, **_options: object):
            return await real(remote_host, ports[remote_port])

        monkeypatch.setattr(anyio, "connect_tcp", connect_tcp)
        answer = await out.get(f"http://{NAME}/", headers={"X-Signature": "abc"})
    assert answer.url == f"https://{NAME}/new"
    assert b"X-Signature: abc" in secure.requests[0]
    assert f"Host: {NAME}\r\n".encode() in secure.requests[0]
