"""A connection to a mail server, encrypted as the account says.

Invariants: nothing that came before encryption is taken as having come after it; without encryption
there is only this machine; no line and no literal grows past its limit; nothing waits for ever.
"""

import asyncio
import base64
import re
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Literal

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import faults
from bailiwick.connectors.network import Network
from bailiwick.kit.net import trust

Security = Literal["tls", "starttls", "none"]

READ_SECONDS = 120.0
_HANDSHAKE_SECONDS = 20.0
_BUFFER = 256 * 1024
_LONGEST_LINE = 16 * 1024 * 1024
_LONGEST_PLAIN_LINE = 8 * 1024
# A slow line is acceptable: this many bytes a second are enough.
_SLOWEST = 16 * 1024
_PEM = re.compile(r"-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----")


@dataclass(frozen=True, slots=True)
class Server:
    """The address of a server, and its encryption."""

    host: str
    port: int
    security: Security
    certificate: str = field(default="", repr=False)  # trusted besides the usual ones

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Plain:
    """The unencrypted lines before STARTTLS.

    They are read byte by byte, so that injected data stays in the socket, where it breaks the
    handshake instead of passing for an encrypted answer.
    """

    def __init__(self, connected: socket.socket, where: str) -> None:
        self._socket = connected
        self._where = where
        self._loop = asyncio.get_running_loop()

    async def send(self, data: bytes) -> None:
        """Send a line."""
        await self._loop.sock_sendall(self._socket, data)

    async def line(self) -> bytes:
        """Read a line, without its end."""
        heard = bytearray()
        while not heard.endswith(b"\n"):
            byte = await self._loop.sock_recv(self._socket, 1)
            if not byte:
                raise faults.lost(self._where)
            heard += byte
            if len(heard) > _LONGEST_PLAIN_LINE:
                raise faults.nonsense(self._where, "a line that does not end")
        return bytes(heard).rstrip(b"\r\n")


Upgrade = Callable[[Plain], Awaitable[None]]


class MailConnection:
    """A connection that sends bytes, and reads lines and literals."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, server: Server
    ) -> None:
        self._reader = reader
        self._writer = writer
        self.server = server
        self.closed = False

    async def line(self, seconds: float = READ_SECONDS) -> bytes:
        """The next line, without its end."""
        try:
            async with asyncio.timeout(seconds):
                return (await self._line()).rstrip(b"\r\n")
        except TimeoutError:
            raise faults.silent(str(self.server)) from None
        except (OSError, EOFError, ssl.SSLError):
            raise faults.lost(str(self.server)) from None

    async def exactly(self, size: int) -> bytes:
        """Exactly this many bytes, or an error."""
        try:
            async with asyncio.timeout(READ_SECONDS + size / _SLOWEST):
                return await self._reader.readexactly(size)
        except TimeoutError:
            raise faults.silent(str(self.server)) from None
        except (OSError, EOFError, ssl.SSLError):
            raise faults.lost(str(self.server)) from None

    async def send(self, data: bytes) -> None:
        """Send bytes; a failure may only show at the next read."""
        try:
            async with asyncio.timeout(READ_SECONDS + len(data) / _SLOWEST):
                self._writer.write(data)
                await self._writer.drain()
        except TimeoutError:
            raise faults.silent(str(self.server)) from None
        except (OSError, ssl.SSLError, RuntimeError):
            # uvloop raises RuntimeError for a connection that is closed already.
            raise faults.lost(str(self.server)) from None

    def close(self) -> None:
        """Close the connection; pending reads fail."""
        self.closed = True
        self._writer.transport.abort()

    async def _line(self) -> bytes:
        parts: list[bytes] = []
        size = 0
        while True:
            try:
                parts.append(await self._reader.readuntil(b"\n"))
                return b"".join(parts)
            except asyncio.LimitOverrunError as error:
                parts.append(await self._reader.readexactly(error.consumed))
                size += error.consumed
                if size > _LONGEST_LINE:
                    raise faults.nonsense(str(self.server), "a line that does not end") from None


async def opened(network: Network, server: Server, upgrade: Upgrade) -> MailConnection:
    """Connect; `upgrade` sends STARTTLS where the account is set to it."""
    connected = await network.dial(server.host, server.port)
    try:
        connected.setblocking(False)
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if server.security == "none":
            _only_here(connected, server)
        if server.security == "starttls":
            async with asyncio.timeout(_HANDSHAKE_SECONDS):
                await upgrade(Plain(connected, str(server)))
        reader, writer = await _streams(connected, server)
    except TimeoutError:
        connected.close()
        raise faults.silent(str(server)) from None
    except ssl.SSLError as error:
        connected.close()
        raise faults.of_tls(error, str(server)) from None
    except OSError:
        connected.close()
        raise faults.lost(str(server)) from None
    except BaseException:
        connected.close()
        raise
    return MailConnection(reader, writer, server)


async def _streams(
    connected: socket.socket, server: Server
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    secured: dict[str, Any] = {}
    if server.security != "none":
        secured = {
            "ssl": _context(server.certificate),
            "server_hostname": server.host,
            "ssl_handshake_timeout": _HANDSHAKE_SECONDS,
        }
    return await asyncio.open_connection(sock=connected, limit=_BUFFER, **secured)


def _only_here(connected: socket.socket, server: Server) -> None:
    if not ip_address(connected.getpeername()[0]).is_loopback:
        raise ConnectorFailed(
            "other",
            f"{server} is another machine: without encryption, everyone on the way could read the "
            "password. Choose TLS or STARTTLS.",
        )


@lru_cache(maxsize=32)
def _context(certificate: str) -> ssl.SSLContext:
    """A TLS context that trusts the usual authorities and this certificate."""
    context = trust.new_context()
    if certificate.strip():
        try:
            context.load_verify_locations(cadata=_pem(certificate))
        except (ssl.SSLError, ValueError):
            raise ConnectorFailed(
                "other",
                "The certificate in the account cannot be read: it should begin with "
                "-----BEGIN CERTIFICATE-----.",
            ) from None
        context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    return context


def _pem(text: str) -> str:
    """The PEM certificates in a text, also if a form joined its lines."""
    found = [base64.b64decode("".join(each.split()), validate=True) for each in _PEM.findall(text)]
    if not found:
        raise ValueError(text)
    return "".join(ssl.DER_cert_to_PEM_cert(each) for each in found)
