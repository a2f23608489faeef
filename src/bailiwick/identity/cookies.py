"""Cookies, named after the installation because cookies ignore ports."""

from dataclasses import dataclass
from urllib.parse import quote

from fastapi import Response

_MOST_SAID = 1000


@dataclass(frozen=True, slots=True)
class Cookies:
    """Names and flags of this installation's cookies."""

    instance: str
    secure: bool

    @property
    def session(self) -> str:
        """The cookie that holds a session's secret."""
        return self._name("session")

    @property
    def login(self) -> str:
        """The cookie that ties a provider log-in to the browser that started it."""
        return self._name("login")

    @property
    def consent(self) -> str:
        """The cookie that ties connecting an account to the browser that started it."""
        return self._name("consent")

    def flash(self, response: Response, words: str) -> None:
        """Pass a message to the next page in a cookie, so that no link can put words there."""
        name, value = self._name("said"), quote(words[:_MOST_SAID])
        response.set_cookie(name, value, max_age=60, samesite="lax", secure=self.secure)

    def set(self, response: Response, name: str, value: str, *, seconds: int) -> None:
        """Set a secret cookie, out of reach of scripts and other sites."""
        response.set_cookie(
            name, value, max_age=seconds, httponly=True, samesite="lax", secure=self.secure
        )

    def clear(self, response: Response, name: str) -> None:
        """Delete a cookie."""
        response.delete_cookie(name, httponly=True, samesite="lax", secure=self.secure)

    def _name(self, purpose: str) -> str:
        name = f"bailiwick_{self.instance.partition('-')[2]}_{purpose}"
        return f"__Host-{name}" if self.secure else name
