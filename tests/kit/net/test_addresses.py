"""Which addresses are talked to: never inwards, whatever leads there."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bailiwick.kit.net.addresses import refusal
from bailiwick.kit.net.lookup import looked_up, system_resolve
from bailiwick.kit.net.outbound import AddressRefused, Outbound
from bailiwick.kit.net.sockets import CheckedSockets
from kit.net.peers import (
    LOOPBACK,
    NAME,
    OK,
    PUBLIC,
    failure,
    knows,
    outbound,
    peer,
    recorded,
    refused,
)

pytestmark = pytest.mark.req("EVT-02")

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


def permitted(address: IPv4Address | IPv6Address, allowed=()) -> bool:
    return refusal(address, allowed) is None


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
