"""Submitting a message by SMTP, with an exact account of how far it came.

Invariant: a failure before the final dot means that nothing was sent. After the dot only the
server's answer tells; without one the outcome is unknown, and is reported as that.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bailiwick.connectors.connector import AccountAccess
from bailiwick.connectors.errors import ConnectionProblem, ConnectorFailed, SubmissionFailed
from bailiwick.connectors.imap import faults, signin
from bailiwick.connectors.imap.envelope import Envelope, checked, mail_from, mailbox
from bailiwick.connectors.imap.settings import ImapSettings
from bailiwick.connectors.imap.wire import MailConnection, Plain, opened
from bailiwick.connectors.mail import OutgoingMessage

_HELLO = b"EHLO [127.0.0.1]\r\n"
_MOST_LINES = 200
# RFC 5321, 4.5.3.2.6: the server may take ten minutes to accept a message.
_DECISION_SECONDS = 600.0
_BUSY = 421


@dataclass(frozen=True, slots=True)
class SmtpReply:
    """One reply of the server."""

    code: int
    text: str

    @property
    def is_good(self) -> bool:
        """Whether the command succeeded."""
        return 200 <= self.code < 300

    @property
    def is_final(self) -> bool:
        """Whether trying again would give the same answer."""
        return self.code >= 500


@dataclass(slots=True)
class Smtp:
    """A connection to a server for outgoing mail."""

    wire: MailConnection
    offers: Mapping[str, str] = field(default_factory=dict[str, str])
    secrets: tuple[str, ...] = field(default=(), repr=False)

    async def say(self, line: bytes) -> SmtpReply:
        """Send a command, and return the reply."""
        await self.wire.send(line + b"\r\n")
        return await self.reply()

    async def reply(self, seconds: float = 120.0) -> SmtpReply:
        """The next reply, with all its lines."""
        lines: list[str] = []
        for _ in range(_MOST_LINES):
            line = await self.wire.line(seconds)
            if not re.match(rb"[2-5]\d\d(?:[ -]|\Z)", line):
                raise faults.nonsense(str(self.wire.server), "no reply of a mail server")
            lines.append(faults.quoted(line[4:], *self.secrets))
            if line[3:4] != b"-":
                return SmtpReply(int(line[:3]), faults.quoted(" ".join(lines)))
        raise faults.nonsense(str(self.wire.server), "a reply that does not end")

    async def hello(self) -> None:
        """Send EHLO, and read the server's extensions."""
        await self.wire.send(_HELLO)
        offers: dict[str, str] = {}
        for _ in range(_MOST_LINES):
            line = await self.wire.line()
            if not line.startswith(b"250"):
                raise refused("The server does not want to talk", _plain(line))
            name, _, values = line[4:].decode("ascii", "replace").partition(" ")
            offers[name.upper()] = values.upper()
            if line[3:4] != b"-":
                self.offers = offers
                return
        raise faults.nonsense(str(self.wire.server), "a reply that does not end")

    async def leave(self) -> None:
        """Close without waiting for the reply to QUIT."""
        try:
            if not self.wire.closed:
                await self.wire.send(b"QUIT\r\n")
        except ConnectorFailed:
            pass
        finally:
            self.wire.close()


def refused(
    what: str, reply: SmtpReply, *, problem: ConnectionProblem = "other"
) -> SubmissionFailed:
    """The error of a refused command, temporary or permanent."""
    if reply.code == _BUSY:
        problem = "network"
    return SubmissionFailed(
        problem,
        f"{what}. The server said: {reply.code} {reply.text}".rstrip(),
        sent="no",
        permanent=reply.is_final,
    )


async def connected(access: AccountAccess, settings: ImapSettings) -> Smtp:
    """An authenticated connection; a refused token is renewed once."""
    try:
        return await _connected(access, settings)
    except ConnectorFailed as error:
        if settings.auth != "xoauth2" or error.problem != "invalid_grant":
            raise
    await access.renew()
    return await _connected(access, settings)


async def handed_over(
    access: AccountAccess, settings: ImapSettings, message: OutgoingMessage
) -> None:
    """Send a message to all of its recipients, or to none."""
    envelope = checked(message)
    try:
        smtp = await connected(access, settings)
    except SubmissionFailed:
        raise
    except ConnectorFailed as error:
        raise _unsent(error) from None
    try:
        await _deliver(smtp, envelope)
    finally:
        await smtp.leave()


async def _deliver(smtp: Smtp, envelope: Envelope) -> None:
    try:
        await _announce(smtp, envelope)
        await smtp.wire.send(envelope.body)
    except SubmissionFailed:
        raise
    except ConnectorFailed as error:
        raise _unsent(error) from None
    try:
        await smtp.wire.send(b".\r\n")
        reply = await smtp.reply(_DECISION_SECONDS)
    except ConnectorFailed as error:
        raise SubmissionFailed(
            error.problem,
            f"The message was handed over, but no answer came, so it may have been sent or not. "
            f"{error.detail}",
            sent="unknown",
        ) from None
    if not reply.is_good:
        raise refused("The server did not take the message", reply)


async def _announce(smtp: Smtp, envelope: Envelope) -> None:
    """Send every command before the message; one refused recipient stops it for all."""
    reply = await smtp.say(mail_from(envelope, smtp.offers))
    if not reply.is_good:
        raise refused(f"The server does not send mail of {envelope.sender}", reply)
    wrong: dict[str, SmtpReply] = {}
    for recipient in envelope.recipients:
        reply = await smtp.say(f"RCPT TO:<{mailbox(recipient, envelope)}>".encode())
        if not reply.is_good:
            wrong[recipient] = reply
    if wrong:
        await smtp.say(b"RSET")
        raise _recipients_refused(wrong, len(envelope.recipients))
    reply = await smtp.say(b"DATA")
    if reply.code != 354:
        raise refused("The server did not take the message", reply)


def _recipients_refused(wrong: Mapping[str, SmtpReply], count: int) -> SubmissionFailed:
    said = "; ".join(f"{who}: {reply.code} {reply.text}" for who, reply in wrong.items())
    nobody = "" if len(wrong) == count else " It was not sent to the others either."
    return SubmissionFailed(
        "other",
        f"The server refused these recipients: {said}.{nobody}",
        sent="no",
        permanent=any(reply.is_final for reply in wrong.values()),
    )


async def _connected(access: AccountAccess, settings: ImapSettings) -> Smtp:
    secret = await signin.credential(access, settings)
    server = settings.smtp
    smtp = Smtp(await opened(access.network, server, _starttls), secrets=(secret,))
    try:
        if server.security != "starttls":
            greeting = await smtp.reply()
            if greeting.code != 220:
                raise refused("The server takes no mail", greeting, problem="network")
        await smtp.hello()
        await _sign_in(smtp, settings, secret)
    except BaseException:
        smtp.wire.close()
        raise
    return smtp


async def _sign_in(smtp: Smtp, settings: ImapSettings, secret: str) -> None:
    ways = smtp.offers.get("AUTH", "").split()
    name = settings.username
    if settings.auth == "xoauth2":
        reply = await smtp.say(b"AUTH XOAUTH2 " + signin.xoauth2(name, secret))
        if reply.code == 334:
            reply = await smtp.say(b"")  # ends the server's explanation
    elif "PLAIN" in ways:
        reply = await smtp.say(b"AUTH PLAIN " + signin.plain(name, secret))
    elif "LOGIN" in ways:
        reply = await _login(smtp, name, secret)
    elif not ways and smtp.wire.server.security == "none":
        return  # a server on this machine may need no authentication
    else:
        raise SubmissionFailed(
            "other",
            f"{smtp.wire.server} offers no way to sign in that is known here.",
            sent="no",
            permanent=True,
        )
    if not reply.is_good:
        if not reply.is_final:
            raise refused("Signing in did not work for now", reply, problem="network")
        wrong = signin.wrong(settings, f"{reply.code} {reply.text}")
        # The message is fine: it waits until the account works again.
        raise SubmissionFailed(wrong.problem, wrong.detail, sent="no")


async def _login(smtp: Smtp, name: str, secret: str) -> SmtpReply:
    reply = await smtp.say(b"AUTH LOGIN")
    for word in (name, secret):
        if reply.code != 334:
            break
        reply = await smtp.say(signin.word(word))
    return reply


async def _starttls(plain: Plain) -> None:
    for said, wanted in ((b"", b"220"), (_HELLO, b"250"), (b"STARTTLS\r\n", b"220")):
        if said:
            await plain.send(said)
        line = b"   -"
        for _ in range(_MOST_LINES):
            if line[3:4] != b"-":
                break
            line = await plain.line()
        if not line.startswith(wanted):
            raise ConnectorFailed(
                "network",
                "The server does not offer STARTTLS on this port. Try TLS. It said: "
                + faults.quoted(line),
            )


def _plain(line: bytes) -> SmtpReply:
    code = int(line[:3]) if line[:3].isdigit() else 0
    return SmtpReply(code, faults.quoted(line[4:]))


def _unsent(error: ConnectorFailed) -> SubmissionFailed:
    return SubmissionFailed(error.problem, error.detail, sent="no", retry_after=error.retry_after)
