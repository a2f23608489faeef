"""An IMAP server that says what a test tells it to.

    script = Script({"LIST": ['* LIST () "/" Work']}, capabilities="IMAP4rev1 IDLE")
    async with script.serving() as port: ...
    script.heard          # the commands, without tags; literals have their place in the text

An answer is a list of lines that come before the tagged OK; a last one that begins with NO or BAD
takes its place, `None` closes the connection. The longest beginning of a command that is in the
script counts. Lines are text, or bytes that are sent as they are.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from support.meddler import serving

Answer = Sequence[str | bytes | None]
_LITERAL = re.compile(rb"\{(\d+)(\+?)\}\r\n\Z")


@dataclass
class Script:
    """What it says, and what it heard."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    capabilities: str = "IMAP4rev1"
    greeting: str | bytes = "* OK ready"
    heard: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def serving(self) -> AsyncGenerator[int, None]:
        async with serving(self._meet) as port:
            yield port

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(_line(self.greeting))
        while command := await self._command(reader, writer):
            tag, _, said = command.decode("utf-8", "replace").partition(" ")
            self.heard.append(said)
            if not await self._answer(writer, tag, said):
                break
        writer.close()
        await writer.wait_closed()

    async def _command(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        whole = b""
        while True:
            whole += await reader.readline()
            found = _LITERAL.search(whole)
            if found is None:
                return whole.rstrip(b"\r\n")
            if not found[2]:
                writer.write(b"+ go on\r\n")
            whole = whole[: found.start()] + await reader.readexactly(int(found[1]))

    async def _answer(self, writer: asyncio.StreamWriter, tag: str, said: str) -> bool:
        fits = [each for each in self._known() if said.upper().startswith(each)]
        lines = self._known()[max(fits, key=len)] if fits else []
        last = "OK done"
        for line in lines:
            if line is None:
                return False
            if isinstance(line, str) and line.startswith(("NO", "BAD", "OK")):
                last = line
            else:
                writer.write(_line(line))
                await writer.drain()
        writer.write(_line(f"{tag} {last}"))
        await writer.drain()
        return True

    def _known(self) -> dict[str, Answer]:
        usual: dict[str, Answer] = {
            "CAPABILITY": [f"* CAPABILITY {self.capabilities}"],
            "LIST": ['* LIST () "/" INBOX'],
            "EXAMINE": ["* 0 EXISTS", "* OK [UIDVALIDITY 1] ", "* OK [UIDNEXT 1] "],
            "SELECT": ["* 0 EXISTS", "* OK [UIDVALIDITY 1] ", "* OK [UIDNEXT 1] "],
        }
        return {**usual, **self.answers}


def _line(line: str | bytes) -> bytes:
    return line if isinstance(line, bytes) else line.encode() + b"\r\n"
