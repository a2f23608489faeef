"""Links to a file's content: for one person, by way of one thread, for an hour.

A link is no key by itself: who follows it is signed in as the person that it was made for, and may
still have the file.
"""

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bailiwick.errors import Forbidden
from bailiwick.instance.service import TokenHasher
from bailiwick.kit import clock

VALID = timedelta(hours=1)
_NO = "This link is not yours, was altered, or has expired. Ask for a new one."


@dataclass(frozen=True, slots=True)
class FileLink:
    """Whom a link is for, by way of which thread (empty: none), and until when."""

    file_id: str
    user_id: str
    thread_id: str
    expires: int

    @classmethod
    def new(cls, file_id: str, user_id: str, thread_id: str | None) -> "FileLink":
        """A link that is valid from now on."""
        until = int((clock.now() + VALID).timestamp())
        return cls(file_id, user_id, thread_id or "", until)

    @property
    def expires_at(self) -> datetime:
        """Until when it is valid."""
        return datetime.fromtimestamp(self.expires, UTC)

    def token(self, hasher: TokenHasher) -> str:
        """What proves that this office made it."""
        return hasher(f"file-link:{self.file_id}:{self.user_id}:{self.thread_id}:{self.expires}")

    def check(self, hasher: TokenHasher, given: str) -> None:
        """`Forbidden` unless this office made it, and it is still valid."""
        made = hmac.compare_digest(self.token(hasher).encode(), given.encode())
        if not made or self.expires <= clock.now().timestamp():
            raise Forbidden(_NO)
