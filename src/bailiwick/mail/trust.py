"""The trust label of a mail: contact or stranger, never owner.

Anyone can write a From line. A mail is a contact's only if the owner listed that address, or wrote
to it on several days and in this very thread; and if the receiving server proved that the mail came
from there. Everything else is a stranger's, and the reason says which of the two is missing.
"""

from typing import Literal, NamedTuple

from bailiwick.mail import authentication
from bailiwick.mail.authentication import AuthenticationResult
from bailiwick.mail.parsing import Parsed

SenderLabel = Literal["contact", "stranger"]


class SenderTrust(NamedTuple):
    """A label, its reason in one sentence, and the server's verdict."""

    label: SenderLabel
    why: str
    dmarc: AuthenticationResult


# The owner's server put it into Sent. It may still quote strangers, so it is not the owner's words.
SENT = SenderTrust("contact", "From your own Sent folder.", "unknown")
DERIVED = SenderTrust(
    "stranger", "An agent wrote it here after it had read a stranger's words.", "unknown"
)
QUOTING = SenderTrust(
    "stranger",
    "It answers or quotes what others wrote, and not all of that comes from people you know.",
    "unknown",
)


def judge(
    parsed: Parsed,
    *,
    authserv_id: str | None,
    is_contact: bool,
    dmarc: AuthenticationResult,
    is_met: bool = False,
) -> SenderTrust:
    """The label of a received mail, of which the server said this.

    `is_met`: the sender was written to, if not often enough.
    """
    address, verdict = parsed.sender.address, dmarc
    if not address:
        return _stranger("The mail does not say who sent it.", verdict)
    if parsed.senders != 1:
        return _stranger("The mail names more than one sender, so nobody can be sure.", verdict)
    if not is_contact and is_met:
        return _stranger(
            f"You have written to {address}, but they are not in your address book. To trust them, "
            "list them there.",
            verdict,
        )
    if not is_contact:
        return _stranger(f"Nobody here has written to {address}.", verdict)
    if authserv_id is None:
        return _stranger(
            f"You know {address}, but this account's server does not say who checked the sender.",
            verdict,
        )
    if verdict == "pass":
        return SenderTrust(
            "contact",
            f"You have listed {address} or write to it often, and the receiving server proved that "
            "the mail is theirs (DMARC pass).",
            verdict,
        )
    return _stranger(_unproven(address, verdict), verdict)


def verdict(parsed: Parsed, authserv_id: str | None) -> AuthenticationResult:
    """What the server of this name found out about the sender."""
    if not authserv_id or parsed.senders != 1 or not parsed.sender.address:
        return "unknown"
    domain = authentication.domain_of(parsed.sender.address)
    return authentication.dmarc(parsed.trace, domain, authserv_id=authserv_id)


def _unproven(address: str, verdict: AuthenticationResult) -> str:
    if verdict == "fail":
        return (
            f"You know {address}, but the receiving server found that this mail may be forged "
            "(DMARC fail)."
        )
    return f"You know {address}, but nothing proves that this mail is really theirs."


def _stranger(why: str, verdict: AuthenticationResult) -> SenderTrust:
    return SenderTrust("stranger", why, verdict)
