"""The connector's own form: the client id, and the addresses of Google's servers."""

from collections.abc import Sequence
from typing import Any

import httpx2

from bailiwick.connectors.connector import (
    OAuth,
)
from bailiwick.connectors.forms import FormFields

_URL = {"type": "string", "pattern": r"^https?://[^\s/?#@]+[^\s?#@]*$", "maxLength": 500}
_API = "https://gmail.googleapis.com"
_AUTHORIZE = "https://accounts.google.com/o/oauth2/v2/auth"
_TOKEN = "https://oauth2.googleapis.com/token"  # noqa: S105
_REVOKE = "https://oauth2.googleapis.com/revoke"

FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "client_id": {
            "type": "string",
            "title": "Client ID",
            "description": "From Google Cloud; ends in .apps.googleusercontent.com.",
            "maxLength": 300,
            "default": "",
        },
        "client_secret": {
            "type": "string",
            "title": "Client secret",
            "description": "Shown beside the client ID.",
            "maxLength": 300,
            "writeOnly": True,
        },
        "api_url": {
            **_URL,
            "title": "Address of the Gmail API",
            "description": "Another one only for a proxy, or for tests.",
            "default": _API,
        },
        "authorize_url": {**_URL, "title": "Address of Google's consent", "default": _AUTHORIZE},
        "token_url": {**_URL, "title": "Address that tokens come from", "default": _TOKEN},
        "revoke_url": {**_URL, "title": "Address that takes tokens back", "default": _REVOKE},
    },
    "additionalProperties": False,
}


def api_url(options: FormFields) -> str:
    """The API's address, without a slash at the end."""
    return str(options.get("api_url") or _API).rstrip("/")


def hosts(options: FormFields, _settings: FormFields) -> Sequence[str]:
    """The hosts that the server itself connects to; the consent page is opened by the browser."""
    urls = (api_url(options), options.get("token_url") or _TOKEN, revoke_url(options))
    return tuple(dict.fromkeys(_host(str(url)) for url in urls))


def revoke_url(options: FormFields) -> str:
    """The address that revokes tokens."""
    return str(options.get("revoke_url") or _REVOKE)


def oauth(options: FormFields) -> OAuth | None:
    """How consent is asked for; None until there is a client id."""
    if not options.get("client_id"):
        return None
    return OAuth(
        authorize_url=str(options.get("authorize_url") or _AUTHORIZE),
        token_url=str(options.get("token_url") or _TOKEN),
        client_id=str(options["client_id"]),
        client_secret=options.get("client_secret") or None,
        revoke_url=revoke_url(options),
        # Google gives a refresh token only with these parameters.
        parameters={"access_type": "offline", "prompt": "consent"},
    )


def _host(url: str) -> str:
    parsed = httpx2.URL(url)
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    return f"{parsed.host}:{port}"
