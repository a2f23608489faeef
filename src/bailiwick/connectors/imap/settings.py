"""The form of an account, in types."""

from dataclasses import dataclass
from typing import Any, Literal, cast

from bailiwick.connectors.connector import (
    AccountAccess,
)
from bailiwick.connectors.forms import FormFields
from bailiwick.connectors.imap.wire import Security, Server

Auth = Literal["password", "xoauth2"]
_PORTS = {"imap": {"tls": 993}, "smtp": {"tls": 465, "starttls": 587}}
_USUAL = {"imap": 143, "smtp": 25}


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """An account of a mail server."""

    address: str
    username: str
    auth: Auth
    imap: Server
    smtp: Server


def of(access: AccountAccess, *, oauth: bool = False) -> ImapSettings:
    """The settings of an account."""
    values = access.settings
    address = str(values.get("address") or access.address).strip()
    return ImapSettings(
        address=address,
        username=str(values.get("username") or "").strip() or address,
        auth="xoauth2" if oauth or values.get("auth") == "xoauth2" else "password",
        imap=server(values, "imap"),
        smtp=server(values, "smtp"),
    )


def server(values: FormFields, kind: Literal["imap", "smtp"]) -> Server:
    """The address and encryption of one of the two servers."""
    security = cast("Security", str(values.get(f"{kind}_security") or "tls"))
    port: Any = values.get(f"{kind}_port")
    return Server(
        host=str(values.get(f"{kind}_host") or "").strip().rstrip(".").lower(),
        port=int(port or _PORTS[kind].get(security, _USUAL[kind])),
        security=security,
        certificate=str(values.get("certificate") or ""),
    )
