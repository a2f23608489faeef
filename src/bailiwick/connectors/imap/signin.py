"""Signing in, to IMAP and to SMTP: with a password, or with an access token (XOAUTH2)."""

import base64
import re
from collections.abc import Mapping

from bailiwick.connectors.connector import AccountAccess
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import client, faults
from bailiwick.connectors.imap.client import Imap
from bailiwick.connectors.imap.names import string
from bailiwick.connectors.imap.settings import ImapSettings

_REFUSED = frozenset(("AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "WEBALERT"))
_BUSY = frozenset(("UNAVAILABLE", "LIMIT", "INUSE", "SERVERBUG", "OVERQUOTA"))
# Servers without a response code for a rate limit say it in words; the password is not wrong then.
_BUSY_WORDS = re.compile(
    r"too many|temporar|rate.limit|limit (?:exceeded|reached|hit)|throttl|overload|not connected",
    re.IGNORECASE,
)


async def credential(access: AccountAccess, settings: ImapSettings) -> str:
    """The password or the token."""
    given: Mapping[str, str] = await access.secret()
    secret = given.get("access_token") or given.get("password") or ""
    if not secret:
        what = "access token" if settings.auth == "xoauth2" else "password"
        raise ConnectorFailed("invalid_grant", f"The account has no {what}.")
    return secret


def wrong(settings: ImapSettings, said: str) -> ConnectorFailed:
    """The error of a refused secret."""
    if settings.auth == "xoauth2":
        text = "The access token was refused"
    else:
        text = "The user name or password was refused. Some providers want an app password"
    return ConnectorFailed("invalid_grant", f"{text}. The server said: {said}")


def plain(username: str, secret: str) -> bytes:
    """The initial response of SASL PLAIN."""
    return base64.b64encode(f"\0{username}\0{secret}".encode())


def word(text: str) -> bytes:
    """One of the two responses of AUTH LOGIN."""
    return base64.b64encode(text.encode())


def xoauth2(username: str, token: str) -> bytes:
    """The initial response of XOAUTH2."""
    return base64.b64encode(f"user={username}\x01auth=Bearer {token}\x01\x01".encode())


async def opened(access: AccountAccess, settings: ImapSettings) -> Imap:
    """An authenticated connection; a refused token is renewed once."""
    try:
        return await _opened(access, settings)
    except ConnectorFailed as error:
        if settings.auth != "xoauth2" or error.problem != "invalid_grant":
            raise
    await access.renew()
    return await _opened(access, settings)


async def _opened(access: AccountAccess, settings: ImapSettings) -> Imap:
    secret = await credential(access, settings)
    imap = await client.connected(access.network, settings.imap)
    imap.secrets = (secret,)
    try:
        await _sign_in(imap, settings, secret)
        if imap.can("ENABLE"):
            await _enable(imap)
    except BaseException:
        imap.wire.close()
        raise
    return imap


async def _sign_in(imap: Imap, settings: ImapSettings, secret: str) -> None:
    try:
        answer = await _said(imap, settings, secret)
    except faults.Refused as error:
        is_vague = not error.code or error.code == "ALERT"
        if error.code in _BUSY or (is_vague and _BUSY_WORDS.search(error.detail)):
            raise ConnectorFailed("network", error.detail) from None
        if error.code in _REFUSED or is_vague:
            raise wrong(settings, error.detail) from None
        raise
    capabilities = answer.code("CAPABILITY") or _told(answer)
    await client.learn(imap, capabilities)


def _told(answer: client.CommandResult) -> str | None:
    for each in answer.of("CAPABILITY"):
        return " ".join(
            word.decode("ascii", "replace") for word in each.tokens if isinstance(word, bytes)
        )
    return None


async def _said(imap: Imap, settings: ImapSettings, secret: str) -> client.CommandResult:
    if settings.auth == "xoauth2":
        return await imap.authenticate("XOAUTH2", xoauth2(settings.username, secret))
    if imap.can("AUTH=PLAIN"):
        return await imap.authenticate("PLAIN", plain(settings.username, secret))
    if imap.can("LOGINDISABLED"):
        raise ConnectorFailed(
            "other", f"{imap.where} takes no password on this connection. Try TLS or STARTTLS."
        )
    return await imap.command(b"LOGIN", string(settings.username.encode()), string(secret.encode()))


async def _enable(imap: Imap) -> None:
    wanted = [name for name in ("QRESYNC", "CONDSTORE") if imap.can(name)][:1]
    wanted += ["UTF8=ACCEPT"] if imap.can("UTF8=ONLY") else []
    if wanted:
        await imap.command(b"ENABLE", " ".join(wanted).encode())
        imap.enabled.update(wanted)
