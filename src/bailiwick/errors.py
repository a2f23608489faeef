"""Every error a user can meet, as a tree.

BailiwickError                    status  problem type
├── Invalid                        400    validation-error
├── Unauthenticated                401    authentication-required
├── Forbidden                      403    insufficient-permissions
├── NotFound                       404    resource-not-found
├── Conflict                       409    resource-conflict
├── TooLarge                       413    content-too-large
├── Misdirected                    421    misdirected-request
├── RuleViolated                   422    business-rule-violation
├── RateLimited                    429    rate-limit-exceeded
├── Unavailable                    503    service-unavailable
└── StartupError                   (exit code 2: the process cannot start, and says what to do)
    ├── BadConfiguration
    ├── DataFolderUnusable
    ├── DataFolderBusy
    ├── WrongDataKey
    ├── WrongVaultKey
    ├── DatabaseUnreachable
    ├── DatabaseCorrupt
    ├── SchemaTooNew
    ├── ClockWrong
    ├── PortTaken
    ├── BackupUnusable
    └── ServerRunning
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

FieldErrors = Mapping[str, Sequence[str]]


class BailiwickError(Exception):
    """Base of all errors that are shown to a user as they are."""

    status: ClassVar[int] = 500
    type: ClassVar[str] = "internal-server-error"
    title: ClassVar[str] = "Internal Server Error"

    def __init__(
        self,
        detail: str,
        *,
        errors: FieldErrors | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}


class Invalid(BailiwickError):
    """The request contains something that cannot be accepted; `errors` names the fields."""

    status, type, title = 400, "validation-error", "Validation Error"

    @classmethod
    def field(cls, name: str, message: str) -> "Invalid":
        """One bad field."""
        return cls(f"{name}: {message}", errors={name: [message]})


class Unauthenticated(BailiwickError):
    """Nobody is signed in, or the credentials are not (or no longer) valid."""

    status, type, title = 401, "authentication-required", "Authentication Required"

    def __init__(self, detail: str = "Sign in, or send a valid token.") -> None:
        super().__init__(detail, headers={"WWW-Authenticate": 'Bearer realm="bailiwick"'})


class Forbidden(BailiwickError):
    """Signed in, but without the right to do this."""

    status, type, title = 403, "insufficient-permissions", "Insufficient Permissions"


class NotFound(BailiwickError):
    """It does not exist, or the caller may not know that it does."""

    status, type, title = 404, "resource-not-found", "Resource Not Found"


class Conflict(BailiwickError):
    """The resource is not in a state that allows this."""

    status, type, title = 409, "resource-conflict", "Resource Conflict"


class TooLarge(BailiwickError):
    """The request body is larger than this endpoint takes."""

    status, type, title = 413, "content-too-large", "Content Too Large"


class Misdirected(BailiwickError):
    """The Host header names a server that this is not (DNS rebinding)."""

    status, type, title = 421, "misdirected-request", "Misdirected Request"


class RuleViolated(BailiwickError):
    """Well-formed, but against a rule of the product."""

    status, type, title = 422, "business-rule-violation", "Business Rule Violation"


class RateLimited(BailiwickError):
    """Too many requests; Retry-After says when to come back."""

    status, type, title = 429, "rate-limit-exceeded", "Too Many Requests"


class Unavailable(BailiwickError):
    """Something this needs is not there right now."""

    status, type, title = 503, "service-unavailable", "Service Unavailable"


class StartupError(BailiwickError):
    """The process cannot start, or a command cannot run; the message says what to do."""


class BadConfiguration(StartupError):
    """A setting is unknown or has a value that cannot be used."""


class DataFolderUnusable(StartupError):
    """The data folder cannot be made, read or written."""


class DataFolderBusy(StartupError):
    """Another process owns the data folder."""


class WrongDataKey(StartupError):
    """The database is encrypted under another key, or the key is missing or superfluous."""


class WrongVaultKey(StartupError):
    """The key that sealed the credentials is missing."""


class DatabaseUnreachable(StartupError):
    """The PostgreSQL server does not answer, or refuses."""


class DatabaseCorrupt(StartupError):
    """The database file is damaged."""


class SchemaTooNew(StartupError):
    """The database was made by a newer version."""


class ClockWrong(StartupError):
    """The system's clock is before the last time this installation ran."""


class PortTaken(StartupError):
    """Another program listens on the port."""


class BackupUnusable(StartupError):
    """The file is no backup, or a damaged one, or one for another kind of database."""


class ServerRunning(StartupError):
    """The command needs the data folder for itself, but a server holds it."""
