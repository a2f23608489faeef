"""Cookies, named after the installation because cookies ignore ports."""

from urllib.parse import quote

from fastapi import Response

_MOST_SAID = 1000


class Cookies:
    """Names and flags of this installation's cookies."""

    def __init__(self, instance: str, *, secure: bool) -> None:
        start = f"{'__Host-' if secure else ''}bailiwick_{instance.partition('-')[2]}"
        self.secure = secure
        self.session = f"{start}_session"  # holds a session's secret
        self.login = f"{start}_login"  # ties a provider log-in to the browser that started it
        self.consent = f"{start}_consent"  # ties connecting an account to such a browser
        self._said = f"{start}_said"

    def flash(self, response: Response, words: str) -> None:
        """Pass a message to the next page in a cookie, so that no link can put words there."""
        value = quote(words[:_MOST_SAID])
        response.set_cookie(self._said, value, max_age=60, samesite="lax", secure=self.secure)

    def set(self, response: Response, name: str, value: str, *, seconds: int) -> None:
        """Set a secret cookie, out of reach of scripts and other sites."""
        response.set_cookie(
            name, value, max_age=seconds, httponly=True, samesite="lax", secure=self.secure
        )

    def clear(self, response: Response, name: str) -> None:
        """Delete a cookie."""
        response.delete_cookie(name, httponly=True, samesite="lax", secure=self.secure)
