"""Resolves a server's name, and returns its addresses only if all of them are allowed.

A public server has no private address, so a mixture is a trap or a mistake; an error says so at
once instead of a connection that works every other time.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence

from bailiwick.kit.net.addresses import AddressRefused, IpNetwork, OutboundFailed, literal, refusal

Resolve = Callable[[str, int], Awaitable[list[str]]]


async def system_resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, from the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


async def looked_up(
    host: str, port: int, *, allowed: Sequence[IpNetwork], resolve: Resolve
) -> list[str]:
    """The addresses of a server, all of which are allowed."""
    found = [host] if literal(host) else await _resolved(host, port, resolve)
    for text in found:
        address = literal(text)
        kind = refusal(address, allowed) if address else "which is no address"
        if kind:
            raise AddressRefused(f"{host} leads to {text}, {kind}")
    return found


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
