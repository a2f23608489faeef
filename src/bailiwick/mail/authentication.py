"""What the receiving server found out about a sender: DMARC, from Authentication-Results.

Anyone can write such a header into a mail, so which one is believed decides everything (RFC 8601,
section 5):

- Only one whose name (authserv-id) is that of the account's own server. Relays and mailing lists
  add theirs, and they prove nothing to us.
- Of those, the first from the top alone. Servers put their headers above what they were given, so
  a forged one always stands below the true one. There is no vote among several.
- It must stand in what the receiving house wrote. Every server on the way puts a `Received` above
  what it was given and names itself in it (`by`). The topmost one is the house's own, so the house
  is known by it and by the authserv-id. A `Received` of another house means that all below it came
  from outside: a verdict down there is an old one of a forwarded mail, or a forged one. Most
  servers write their verdict below their own `Received`, so its place alone is no proof; a server
  that checks some mail only must take forged verdicts out, as the RFC demands.
- In it exactly one result for DMARC, of the domain that From names. Text in comments and quotes
  comes from the sender and counts for nothing; what is not closed makes the whole unreadable, and
  nothing below it is looked at.
"""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Literal

from bailiwick.mail.parsing import quotes

AuthenticationResult = Literal["pass", "fail", "none", "unknown"]
_MARK = re.compile(r"([();])")
_WORD = re.compile(r"[^\w@.-]")
_METHOD = re.compile(r"\s*dmarc\s*(?:/\s*\d+\s*)?=\s*([a-z]+)(?=\s|$)", re.IGNORECASE)
_FROM = re.compile(r"(?:^|\s)header\s*\.\s*from\s*=\s*([^\s;]+)", re.IGNORECASE)
_BY = re.compile(r"(?:^|\s)by\s+\[?([^\s;()\]]+)", re.IGNORECASE)
_INSIDE = ("localhost", "local", "internal", "lan", "invalid")


def dmarc(
    trace: Sequence[tuple[str, str]], domain: str, *, authserv_id: str
) -> AuthenticationResult:
    """Whether the mail is from the domain, as the named server found; else `unknown`."""
    houses = {_house(authserv_id)}
    received = 0
    for name, value in trace:
        if name == "received":
            by = _by(value)
            if received == 0:
                houses.add(_house(by))
            elif not _is_inside(by) and _house(by) not in houses:
                return "unknown"
            received += 1
        elif (results := _results(value)) is None:
            # It may be the server's own, made unreadable by a sender's text in it: everything below
            # came with the mail.
            return "unknown"
        elif _same(results[0].partition("/")[0], authserv_id):
            return _verdict(results[1:], domain)
    return "unknown"


def domain_of(address: str) -> str:
    """The domain of an address in its DNS form."""
    domain = address.rpartition("@")[2].strip().rstrip(".").lower()
    if domain.isascii() or len(domain) > 253:
        return domain
    try:
        return domain.encode("idna").decode()
    except UnicodeError:
        return domain


def _verdict(results: list[str], domain: str) -> AuthenticationResult:
    found = [match for result in results if (match := _METHOD.match(result))]
    if not found:
        return "unknown"
    if len(found) > 1:
        return "fail"
    said = found[0][1].lower()
    if said == "pass":
        proven = _FROM.findall(found[0].string)
        return "pass" if len(proven) == 1 and _same(domain_of(proven[0]), domain) else "fail"
    return "none" if said == "none" else "fail"


def _results(value: str) -> list[str] | None:
    """The authserv-id and the results behind it, without comments; None if it cannot be read."""
    parts, depth = [""], 0
    for kind, text in quotes.pieces(value):
        if kind == "unclosed":
            return None
        # A quoted value may hold anything; nothing in it comes from the server.
        words = [_WORD.sub("_", text)] if kind == "quoted" else _MARK.split(text)
        for word in words:
            if kind == "plain" and word in ("(", ")"):
                depth += 1 if word == "(" else -1
                if depth < 0:
                    return None
            elif depth:
                continue
            elif kind == "plain" and word == ";":
                parts.append("")
            else:
                parts[-1] += word
    if depth or any("\\" in part for part in parts):
        return None
    # Behind the name may stand the version of the format.
    name = (parts[0].split() or [""])[0]
    return [name, *parts[1:]]


def _by(received: str) -> str:
    match = _BY.search(re.sub(r"\([^()]*\)", " ", received))
    return match[1].lower().rstrip(".") if match else ""


def _house(host: str) -> str:
    """The part of a name that belongs to one owner, as far as that is known without a list."""
    labels = host.lower().rstrip(".").split(".")
    short = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3 if short else -2 :])


def _is_inside(host: str) -> bool:
    """Whether a name has a meaning only inside an organisation: a bare one, or an address."""
    if "." not in host and ":" not in host:
        return True
    if host.rpartition(".")[2] in _INSIDE:
        return True
    try:
        ip_address(host.removeprefix("ipv6:"))
    except ValueError:
        return False
    return True


def _same(one: str, other: str) -> bool:
    return one.strip().rstrip(".").lower() == other.strip().rstrip(".").lower()
