"""Failures of mail servers, in a person's words.

Invariant: a server's text is shortened, made printable and cleaned of the account's secrets before
anyone reads it, because a hostile server may repeat what it was sent.
"""

import base64
import ssl

from bailiwick.connectors.errors import ConnectorFailed

_LONGEST = 200


class Refused(ConnectorFailed):
    """The server answered NO or BAD; `code` is its response code."""

    def __init__(self, detail: str, *, code: str = "") -> None:
        super().__init__("other", detail)
        self.code = code


def quoted(text: str | bytes, *secrets: str) -> str:
    """A server's text, safe to show."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    for secret in filter(None, secrets):
        for form in (secret, base64.b64encode(secret.encode()).decode()):
            text = text.replace(form, "***")
    text = printable(text).strip()
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def printable(text: str) -> str:
    """The text without control characters, which could deceive on a page or a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def of_tls(error: Exception, where: str) -> ConnectorFailed:
    """A TLS failure, with advice."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return ConnectorFailed(
            "network",
            f"The certificate of {where} is not trusted: {quoted(error.verify_message)}. Check the "
            "server's name; if the server is your own, put its certificate into the account.",
        )
    return ConnectorFailed(
        "network",
        f"{where} does not speak TLS here. Check the port and the kind of security: "
        "993 and 465 are usual for TLS, 143 and 587 for STARTTLS.",
    )


def lost(where: str) -> ConnectorFailed:
    """The connection ended."""
    return ConnectorFailed("network", f"{where} closed the connection.")


def silent(where: str) -> ConnectorFailed:
    """No answer came in time."""
    return ConnectorFailed("network", f"{where} did not answer in time.")


def nonsense(where: str, what: str) -> ConnectorFailed:
    """The server breaks the protocol."""
    return ConnectorFailed("other", f"{where} sent {what}.")
