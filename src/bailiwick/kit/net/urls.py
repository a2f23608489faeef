"""Which URLs are acceptable as written, before any name is resolved."""

import re
from collections.abc import Sequence

import httpx2

from bailiwick.kit.net.addresses import AddressRefused, IpNetwork, literal, refusal

_LONGEST_URL = 2000
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
# The system's resolver takes 127.1, 2130706433 and 0x7f.1 for addresses; no real name ends so.
_LIKE_A_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")


def checked_url(url: str, allowed: Sequence[IpNetwork] = ()) -> httpx2.URL:
    """The URL in its normal form, if it is acceptable; its name is not resolved."""
    if len(url) > _LONGEST_URL:
        raise AddressRefused(f"The address is too long: {_LONGEST_URL} characters at most")
    if not url.isprintable():
        raise AddressRefused("The address has invisible characters in it")
    try:
        parsed = httpx2.URL(url)
        parsed = parsed.copy_with(host=_normal(parsed.raw_host.decode("ascii")))
    except (httpx2.InvalidURL, UnicodeError):
        raise AddressRefused("This is not a correct web address") from None
    _check_scheme(parsed.scheme)
    if parsed.userinfo:
        raise AddressRefused("The address must not have a user name or a password in it")
    if "#" in url:
        raise AddressRefused("The address must not have a # in it")
    if len(str(parsed)) > _LONGEST_URL:
        raise AddressRefused(f"The address is too long: {_LONGEST_URL} characters at most")
    check_server(parsed, allowed)
    return parsed


def check_server(url: httpx2.URL, allowed: Sequence[IpNetwork] = ()) -> None:
    """`AddressRefused` unless the host and port can be those of a web server."""
    _check_scheme(url.scheme)
    _check_host(url.raw_host.decode("ascii"), allowed)
    _check_port(url.port)


def _check_scheme(scheme: str) -> None:
    if scheme not in ("http", "https"):
        raise AddressRefused("The address must begin with https:// or http://")


def _normal(host: str) -> str:
    """The host without the root's dot, which TLS does not know, and addresses in one spelling."""
    host = host.removesuffix(".")
    return str(literal(host) or host)


def _check_host(host: str, allowed: Sequence[IpNetwork]) -> None:
    address = literal(host)
    if not host:
        raise AddressRefused("The address names no server")
    if "%" in host or (address is None and not _NAME.fullmatch(host)):
        raise AddressRefused("The server's name in the address is not a correct one")
    if address is None and _LIKE_A_NUMBER.fullmatch(host):
        raise AddressRefused(f"{host} is neither a name nor an address in its usual spelling")
    if address is not None and (kind := refusal(address, allowed)):
        raise AddressRefused(f"{host} is {kind}")


def _check_port(port: int | None) -> None:
    """Refuse well-known ports: mail servers, shells and shares must not be sent our requests."""
    if port not in (None, 80, 443) and not 1024 <= port <= 65535:
        raise AddressRefused(f"Port {port} is not for the web: use 80, 443, or one above 1023")
