"""Which addresses on the net may be talked to when a user or a stranger names them.

Globally routable unicast, and nothing else unless the operator allowed its network. The list is our
own, because Python's idea of "global" changes between its patch releases; Python has a veto. An
address that stands for an IPv4 address (mapped, or behind the well-known NAT64 prefix, which is how
a machine without IPv4 sees the whole IPv4 world) is judged as that one. Other wrappings (6to4,
Teredo, local NAT64, IPv4-compatible) are refused whatever is in them: no server lives there.

A name is looked up once for each connection, and the connection goes to what was found and judged.
If any of its addresses is refused, all are: a public server has no such address, so a mixture is a
trap or a mistake, and saying so beats a connection that works every other time.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import cast

import httpcore
import httpx

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolve = Callable[[str, int], Awaitable[list[str]]]

_LONGEST_URL = 2000
# How many seconds one of several addresses may keep the next from being tried.
_PATIENCE = 3.0
_NAT64 = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_RESERVED = "a reserved address"
# The first that fits names the address, so the narrower ones stand before the wider.
_KINDS = {
    "a loopback address": ("127.0.0.0/8", "::1/128"),
    "a private address": (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
        *("fc00::/7", "fec0::/10"),
    ),
    "a link-local address": ("169.254.0.0/16", "fe80::/10"),
    # The single one looks public, but is the host's agent on every Azure machine.
    "a provider's internal address": ("100.64.0.0/10", "168.63.129.16/32"),
    "an unspecified address": ("0.0.0.0/8", "::/128"),
    "a broadcast address": ("255.255.255.255/32",),
    "a multicast address": ("224.0.0.0/4", "ff00::/8"),
    "a tunnel's address": ("192.88.99.0/24", "64:ff9b:1::/48", "2001::/32", "2002::/16"),
    "an address for documentation": (
        *("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
        *("2001:db8::/32", "3fff::/20"),
    ),
    _RESERVED: ("192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "2001::/23"),
}
_REFUSED = [(ip_network(net), kind) for kind, nets in _KINDS.items() for net in nets]
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
# 127.1, 2130706433 and 0x7f.1 are addresses to the system's resolver; no real name ends like that.
_LIKE_A_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")


class OutboundFailed(Exception):
    """No answer came; the text says why, in a sentence for a person."""


class AddressRefused(OutboundFailed, ValueError):
    """The address is one that we do not talk to, or is no web address at all."""


def refusal(address: Address, allowed: Sequence[Network] = ()) -> str | None:
    """What kind of address this is, if that is a reason not to talk to it."""
    meant = _meant(address)
    if any(meant in network for network in allowed):
        return None
    for network, kind in _REFUSED:
        if meant in network:
            return kind
    outside = meant.version == 6 and meant not in _GLOBAL_UNICAST
    return _RESERVED if outside or not meant.is_global else None


def allowed_address(address: Address, allowed: Sequence[Network] = ()) -> bool:
    """Whether a connection to it may be opened."""
    return refusal(address, allowed) is None


def literal(host: str) -> Address | None:
    """The address that a host is, unless it is a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def checked_url(url: str, allowed: Sequence[Network] = ()) -> httpx.URL:
    """The URL in its normal form, if its form is acceptable; what a name leads to is not asked."""
    if len(url) > _LONGEST_URL:
        raise AddressRefused(f"The address is too long: {_LONGEST_URL} characters at most")
    if not url.isprintable():
        raise AddressRefused("The address has invisible characters in it")
    try:
        parsed = httpx.URL(url)
        parsed = parsed.copy_with(host=_normal(parsed.raw_host.decode("ascii")))
    except (httpx.InvalidURL, UnicodeError):
        raise AddressRefused("This is not a correct web address") from None
    if parsed.scheme not in ("http", "https"):
        raise AddressRefused("The address must begin with https:// or http://")
    if parsed.userinfo:
        raise AddressRefused("The address must not have a user name or a password in it")
    if "#" in url:
        raise AddressRefused("The address must not have a # in it")
    if len(str(parsed)) > _LONGEST_URL:
        raise AddressRefused(f"The address is too long: {_LONGEST_URL} characters at most")
    _check_host(parsed.raw_host.decode("ascii"), allowed)
    _check_port(parsed.port)
    return parsed


async def system_resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, as this machine sees them."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


async def looked_up(
    host: str, port: int, *, allowed: Sequence[Network], resolve: Resolve
) -> list[str]:
    """The addresses of a server, each of them one that may be talked to."""
    found = [host] if literal(host) else await _resolved(host, port, resolve)
    for text in found:
        address = literal(text)
        kind = refusal(address, allowed) if address else "which is no address"
        if kind:
            raise AddressRefused(f"{host} leads to {text}, {kind}")
    return found


class CheckedSockets(httpcore.AsyncNetworkBackend):
    """Connects to addresses that may be talked to, and has it undone by `opened`."""

    def __init__(
        self, allowed: Sequence[Network], *, resolve: Resolve, opened: AsyncExitStack
    ) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._opened = opened
        self._sockets = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address that answers."""
        found = await looked_up(host, port, allowed=self._allowed, resolve=self._resolve)
        for address in found[:-1]:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return await self._connect(address, port, patience=_PATIENCE)
        return await self._connect(found[-1], port, patience=timeout)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Never."""
        raise AddressRefused("Sockets of this machine are not for addresses that others gave")

    async def _connect(
        self, address: str, port: int, *, patience: float | None
    ) -> httpcore.AsyncNetworkStream:
        stream = await self._sockets.connect_tcp(address, port, timeout=patience)
        # The library would leave it open when the time runs out in the midst of a handshake.
        self._opened.push_async_callback(stream.aclose)
        return stream


async def _resolved(host: str, port: int, resolve: Resolve) -> list[str]:
    try:
        found = await resolve(host, port)
    except socket.gaierror as error:
        if error.errno in (socket.EAI_AGAIN, socket.EAI_FAIL):
            raise OutboundFailed(f"{host} cannot be looked up at the moment") from error
        found = []
    if not found:
        raise OutboundFailed(f"{host} does not exist (no such name)")
    return list(dict.fromkeys(found))


def _meant(address: Address) -> Address:
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _normal(host: str) -> str:
    """Without the root's dot, which TLS does not know, and addresses in one spelling."""
    host = host.removesuffix(".")
    return str(literal(host) or host)


def _check_host(host: str, allowed: Sequence[Network]) -> None:
    address = literal(host)
    if not host:
        raise AddressRefused("The address names no server")
    if "%" in host or (address is None and not _NAME.fullmatch(host)):
        raise AddressRefused("The server's name in the address is not a correct one")
    if address is None and _LIKE_A_NUMBER.fullmatch(host):
        raise AddressRefused(f"{host} is neither a name nor an address in its usual spelling")
    if address is not None and (kind := refusal(address, allowed)):
        raise AddressRefused(f"{host} is {kind}")


def _check_port(port: int | None) -> None:
    """The system's ports belong to mail, shells and shares, which must not be made to read ours."""
    if port not in (None, 80, 443) and not 1024 <= port <= 65535:
        raise AddressRefused(f"Port {port} is not for the web: use 80, 443, or one above 1023")
