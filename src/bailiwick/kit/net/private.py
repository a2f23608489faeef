"""Private networks that an admin may name: this machine's own and those around it.

The metadata services of clouds stay refused, by any name, because they hand out credentials.
"""

from collections.abc import Iterator
from ipaddress import ip_network

from bailiwick.kit.net.addresses import IpNetwork

# Metadata services inside private networks; others are link-local.
_METADATA = ("100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::/32")
_PRIVATE = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
    *("::1/128", "fc00::/7"),
)


def _without_metadata(network: IpNetwork) -> Iterator[IpNetwork]:
    parts: list[IpNetwork] = [network]
    for text in _METADATA:
        hole = ip_network(text)
        cut: list[IpNetwork] = []
        for part in parts:
            inside = part.version == hole.version and hole.subnet_of(part)  # pyright: ignore[reportArgumentType]
            cut.extend(part.address_exclude(hole) if inside else (part,))  # pyright: ignore[reportArgumentType]
        parts = cut
    yield from parts


# Added to the public addresses, which are always allowed.
LOCAL: tuple[IpNetwork, ...] = tuple(
    part for text in _PRIVATE for part in _without_metadata(ip_network(text))
)
