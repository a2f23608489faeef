"""One connection to an IMAP server: commands go out, responses come back.

Invariant: a command ends with its own tagged response. An interrupted command closes the
connection, because its late responses would be taken for those of the next command.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import faults, responses
from bailiwick.connectors.imap.names import Literal
from bailiwick.connectors.imap.responses import Nonsense, Response
from bailiwick.connectors.imap.wire import READ_SECONDS, MailConnection, Plain, Server, opened
from bailiwick.connectors.network import Network

ResponsePart = bytes | Literal
OnResponse = Callable[[Response], None]

_SMALL = 1024 * 1024
_MOST_RESPONSES = 20_000
_MOST_AT_STARTTLS = 20
# Untagged responses that mean a change in the folder.
_NEWS = frozenset(("EXISTS", "EXPUNGE", "VANISHED", "FETCH"))


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The responses to a command: the untagged ones, and the tagged one."""

    responses: Sequence[Response]
    done: Response

    def of(self, kind: str) -> list[Response]:
        """Those of a kind."""
        return [each for each in self.responses if each.kind == kind]

    def code(self, name: str) -> str | None:
        """The arguments of a response code, from any of the responses."""
        for each in (self.done, *reversed(self.responses)):
            if each.code == name:
                return each.argument
        return None


@dataclass(slots=True, eq=False)
class Imap:
    """A connection, authenticated or not."""

    wire: MailConnection
    capabilities: frozenset[str] = frozenset()
    enabled: set[str] = field(default_factory=set[str])
    secrets: tuple[str, ...] = field(default=(), repr=False)  # secrets to remove from errors
    _count: int = 0
    _busy: bool = False

    @property
    def where(self) -> str:
        """The server's address, for messages to people."""
        return str(self.wire.server)

    def can(self, *names: str) -> bool:
        """Whether the server has all of these capabilities."""
        return self.capabilities.issuperset(names)

    async def command(
        self,
        *parts: ResponsePart,
        each: OnResponse | None = None,
        most: int = _MOST_RESPONSES,
        largest: int = _SMALL,
    ) -> CommandResult:
        """Send a command and return all responses; `Refused` if the server rejects it."""
        tag = self._begin()
        try:
            await self._send(tag, parts)
            answer = await self._answer(tag, each=each, most=most, largest=largest)
        except Nonsense as error:
            self.wire.close()
            raise faults.nonsense(self.where, f"what cannot be understood ({error})") from None
        except BaseException:
            self.wire.close()
            raise
        self._busy = False
        return self._approved(answer)

    async def authenticate(self, mechanism: str, initial: bytes) -> CommandResult:
        """SASL with one initial response, and an empty one if the server explains its refusal."""
        tag = self._begin()
        try:
            at_once = self.can("SASL-IR")
            line = b" AUTHENTICATE " + mechanism.encode() + (b" " + initial if at_once else b"")
            await self.wire.send(tag + line + b"\r\n")
            said = [] if at_once else [initial]
            while (heard := await self._next()).tag != tag:
                if heard.tag == b"+":
                    await self.wire.send((said.pop() if said else b"") + b"\r\n")
        except BaseException:
            self.wire.close()
            raise
        self._busy = False
        return self._approved(CommandResult([], heard))

    async def idle(self, seconds: float) -> bool:
        """Wait until the selected folder changes, or the time is over."""
        tag = self._begin()
        try:
            await self.wire.send(tag + b" IDLE\r\n")
            while (heard := await self._next()).tag != b"+":
                if heard.tag == tag:
                    self._busy = False
                    self._approved(CommandResult([], heard))
            news = await self._news(seconds)
            await self.wire.send(b"DONE\r\n")
            while (await self._next()).tag != tag:
                pass
        except BaseException:
            self.wire.close()
            raise
        self._busy = False
        return news

    async def leave(self) -> None:
        """Log out if the server still answers, and close."""
        try:
            if not self._busy and not self.wire.closed:
                async with asyncio.timeout(1):
                    await self.wire.send(self._begin() + b" LOGOUT\r\n")
        except (ConnectorFailed, TimeoutError):
            pass
        finally:
            self.wire.close()

    def _begin(self) -> bytes:
        if self._busy or self.wire.closed:
            raise faults.lost(self.where)
        self._busy = True
        self._count += 1
        return b"B%d" % self._count

    async def _send(self, tag: bytes, parts: Sequence[ResponsePart]) -> None:
        waiting = bytearray(tag)
        for part in parts:
            waiting += b" "
            if isinstance(part, bytes):
                waiting += part
                continue
            at_once = self.can("LITERAL+") or (self.can("LITERAL-") and len(part.data) <= 4096)
            waiting += b"{%d%s}\r\n" % (len(part.data), b"+" if at_once else b"")
            if not at_once:
                await self.wire.send(bytes(waiting))
                waiting.clear()
                await self._invited(tag)
            waiting += part.data
        await self.wire.send(bytes(waiting) + b"\r\n")

    async def _invited(self, tag: bytes) -> None:
        """Wait until the server is ready for the literal."""
        while (heard := await self._next()).tag != b"+":
            if heard.tag == tag:
                self._approved(CommandResult([], heard))
                raise faults.nonsense(self.where, "an answer before the question")

    async def _answer(
        self, tag: bytes, *, each: OnResponse | None, most: int, largest: int
    ) -> CommandResult:
        heard: list[Response] = []
        for _ in range(most):
            response = await self._next(largest)
            if response.tag == tag:
                return CommandResult(heard, response)
            if each is None:
                heard.append(response)
            else:
                each(response)
        raise faults.nonsense(self.where, "an answer that does not end")

    async def _next(self, largest: int = _SMALL, *, seconds: float = READ_SECONDS) -> Response:
        response = await responses.read(self.wire, largest=largest, seconds=seconds)
        if response.kind == "BYE":
            raise ConnectorFailed(
                "network", f"{self.where} said good-bye: {self.quoted(response.text)}"
            )
        return response

    async def _news(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                while (await self._next(seconds=seconds + 1)).kind not in _NEWS:
                    pass
        except TimeoutError:
            return False
        return True

    def quoted(self, text: bytes) -> str:
        """Text of the server, safe to show."""
        return faults.quoted(text, *self.secrets)

    def _approved(self, answer: CommandResult) -> CommandResult:
        done = answer.done
        if done.kind == "OK":
            return answer
        raise faults.Refused(
            f"{self.where} refused: {self.quoted(done.text) or done.kind}", code=done.code
        )


async def connected(network: Network, server: Server) -> Imap:
    """Connect, and read the greeting."""
    wire = await opened(network, server, _starttls)
    imap = Imap(wire)
    try:
        if server.security != "starttls":
            await _greeted(imap)
        await learn(imap)
    except BaseException:
        wire.close()
        raise
    return imap


async def learn(imap: Imap, capabilities: str | None = None) -> None:
    """Read the server's capabilities, unless they were announced already."""
    if not capabilities:
        [*_, said] = [b""], *(each.tokens for each in await _capability(imap))
        capabilities = " ".join(
            each.decode("ascii", "replace") for each in said if isinstance(each, bytes)
        )
    imap.capabilities = frozenset(capabilities.upper().split())


async def _capability(imap: Imap) -> list[Response]:
    return (await imap.command(b"CAPABILITY")).of("CAPABILITY")


async def _greeted(imap: Imap) -> None:
    greeting = await responses.read(imap.wire, largest=0)
    if greeting.tag != b"*" or greeting.kind not in ("OK", "BYE"):
        # PREAUTH is refused too: nobody could tell which account's mailbox it opens.
        raise faults.nonsense(imap.where, "no greeting of an IMAP server")
    if greeting.kind == "BYE":
        raise ConnectorFailed(
            "network", f"{imap.where} takes no connections: {imap.quoted(greeting.text)}"
        )


async def _starttls(plain: Plain) -> None:
    greeting = await plain.line()
    if not greeting.upper().startswith(b"* OK"):
        raise ConnectorFailed(
            "network", f"No greeting of an IMAP server, but: {faults.quoted(greeting)}"
        )
    await plain.send(b"S STARTTLS\r\n")
    for _ in range(_MOST_AT_STARTTLS):
        line = await plain.line()
        if line.upper().startswith(b"S OK"):
            return
        if not line.startswith(b"* "):
            break
    raise ConnectorFailed("network", "The server does not offer STARTTLS on this port. Try TLS.")
