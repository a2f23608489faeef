"""An SMTP server on loopback: wants to know who is there, keeps what it is given, can misbehave.

with serving_smtp() as server:
    server.port, server.received
    server.refuse = {"nobody@example.org": "550 5.1.1 No such user"}
    server.replies = {"MAIL": "452 4.3.1 Full", "DATA": …}   # DATA: after the final dot
    server.drop = "DATA"                                     # or "354", or "."
"""

import asyncio
import base64
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session, syntax

from support.processes import PATIENCE

PASSWORD = "many-words-of-ann"
TOKEN = "a-token-for-sending"


@dataclass
class Received:
    """A message that was taken."""

    sender: str
    recipients: list[str]
    raw: bytes
    options: list[str]
    username: str | None
    is_encrypted: bool


@dataclass
class SmtpServer:
    """What the server does, and what it was given."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    refuse: dict[str, str] = field(default_factory=dict)
    replies: dict[str, str] = field(default_factory=dict)
    # The connection is cut: at the DATA command, after inviting the message, or after its dot.
    drop: Literal["", "DATA", "354", "."] = ""
    resets: int = 0
    password: str = PASSWORD

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        good = data.password == self.password.encode()
        return AuthResult(success=good, handled=False, auth_data=data.login.decode())

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 5.7.0 Authentication required"
        if reply := self.replies.get("MAIL"):
            return reply
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if reply := self.refuse.get(address):
            return reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_RSET(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.resets += 1
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert server.transport
        if self.drop == ".":
            server.transport.abort()
        if reply := self.replies.get("DATA"):
            return reply
        assert isinstance(envelope.content, bytes)
        self.received.append(
            Received(
                str(envelope.mail_from),
                [str(each) for each in envelope.rcpt_tos],
                envelope.content,
                list(envelope.mail_options),
                str(session.auth_data) if session.auth_data else None,
                server.transport.get_extra_info("sslcontext") is not None,
            )
        )
        return "250 2.0.0 Taken"

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        said = base64.b64decode(args[1]).decode()
        user, token = said.split("\x01")[:2]
        if token == f"auth=Bearer {TOKEN}":
            return AuthResult(success=True, auth_data=user.removeprefix("user="))
        await server.challenge_auth(b'{"status":"401"}')
        return AuthResult(success=False, handled=False)


class _Moody(SMTP):
    """Cuts the connection when it is told to."""

    event_handler: SmtpServer

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        assert self.transport
        if self.event_handler.drop == "DATA":
            self.transport.abort()
            return
        if self.event_handler.drop == "354":
            await self.push("354 Go on")
            self.transport.abort()
            return
        await super().smtp_DATA(arg)


@contextmanager
def serving_smtp(
    security: Literal["none", "starttls", "tls"] = "none",
    *,
    certificate: tuple[Path, Path] | None = None,
    offers_utf8: bool = True,
) -> Iterator[SmtpServer]:
    """Serve on a port of its own, in a thread of its own."""
    server = SmtpServer()
    context = None
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*certificate)
    loop = asyncio.new_event_loop()

    def factory() -> SMTP:
        return _Moody(
            server,
            hostname="localhost",
            enable_SMTPUTF8=offers_utf8,
            loop=loop,
            authenticator=server.authenticate,
            auth_require_tls=security == "starttls",
            require_starttls=security == "starttls",
            tls_context=context if security == "starttls" else None,
        )

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    begun = loop.create_server(factory, "127.0.0.1", 0, ssl=context if security == "tls" else None)
    listening = asyncio.run_coroutine_threadsafe(begun, loop).result(PATIENCE)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(_stopped(listening), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()


async def _stopped(listening: asyncio.Server) -> None:
    listening.close()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
