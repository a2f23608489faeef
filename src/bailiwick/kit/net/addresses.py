"""Which addresses may be connected to when a person, a stranger or a name leads to them.

Only globally routable unicast addresses, unless the operator allowed a network. The list is our
own, because Python's idea of "global" changes between its patch releases; Python has a veto. An
address that stands for an IPv4 address (mapped, or behind the well-known NAT64 prefix, which is how
a machine without IPv4 sees the whole IPv4 world) is judged as that one. Other wrappings (6to4,
Teredo, local NAT64, IPv4-compatible) are refused whatever is in them: no server lives there.
"""

from collections.abc import Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network

_NAT64 = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_RESERVED = "a reserved address"
# The first match names the address, so narrower networks come before wider ones.
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


class OutboundFailed(Exception):
    """No answer came; the text says why, in a sentence for a person."""


class AddressRefused(OutboundFailed, ValueError):
    """The address is not allowed, or is no web address."""


def refusal(address: IpAddress, allowed: Sequence[IpNetwork] = ()) -> str | None:
    """The reason why an address is not allowed, if there is one."""
    meant = _meant(address)
    if any(meant in network for network in allowed):
        return None
    for network, kind in _REFUSED:
        if meant in network:
            return kind
    outside = meant.version == 6 and meant not in _GLOBAL_UNICAST
    return _RESERVED if outside or not meant.is_global else None


def literal(host: str) -> IpAddress | None:
    """The IP address in a host; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _meant(address: IpAddress) -> IpAddress:
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
