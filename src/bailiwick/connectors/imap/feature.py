"""Mail servers by IMAP and SMTP as a feature: with a password, and with OAuth."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from bailiwick.connectors.connector import (
    AccountAccess,
    Connector,
    GuideStep,
    OAuth,
)
from bailiwick.connectors.forms import FormFields
from bailiwick.connectors.imap import providers, settings
from bailiwick.connectors.imap.mailbox import ImapMailbox
from bailiwick.feature import Feature

_PORT = {"type": "integer", "minimum": 1, "maximum": 65535}
_HOST = {"type": "string", "minLength": 1, "maxLength": 253}
_SECURITY = {"type": "string", "enum": ["tls", "starttls", "none"]}
_NONE = "none only for a server on this machine"
_SERVERS: dict[str, Any] = {
    "address": {
        "type": "string",
        "title": "Address",
        "description": "Your e-mail address",
        "format": "email",
        "maxLength": 320,
    },
    "imap_host": {**_HOST, "title": "Server for reading (IMAP)"},
    "imap_port": {**_PORT, "title": "Port for reading", "default": 993},
    "imap_security": {
        **_SECURITY,
        "title": "Encryption for reading",
        "description": f"tls is usual on port 993, starttls on 143; {_NONE}",
        "default": "tls",
    },
    "smtp_host": {**_HOST, "title": "Server for sending (SMTP)"},
    "smtp_port": {**_PORT, "title": "Port for sending", "default": 465},
    "smtp_security": {
        **_SECURITY,
        "title": "Encryption for sending",
        "description": f"tls is usual on port 465, starttls on 587; {_NONE}",
        "default": "tls",
    },
    "username": {
        "type": "string",
        "title": "User name",
        "description": "If it is not your address",
        "maxLength": 320,
    },
    "certificate": {
        "type": "string",
        "title": "Certificate",
        "contentMediaType": "application/x-pem-file",
        "description": "Of a server of your own that others do not trust: its certificate, or "
        "that of the authority which signed it, as PEM text",
    },
}
_REQUIRED = ["address", "imap_host", "smtp_host"]
_FORM: FormFields = {
    "type": "object",
    "properties": {
        **_SERVERS,
        "auth": {
            "type": "string",
            "enum": ["password", "xoauth2"],
            "title": "Sign in with",
            "description": "password also means an app password; xoauth2 an access token",
            "default": "password",
        },
        "password": {
            "type": "string",
            "title": "Password",
            "description": "Many providers want an app password here. For xoauth2: the token",
            "minLength": 1,
            "writeOnly": True,
        },
    },
    "required": [*_REQUIRED, "password"],
    "additionalProperties": False,
}
_OAUTH_FORM: FormFields = {
    "type": "object",
    "properties": _SERVERS,
    "required": _REQUIRED,
    "additionalProperties": False,
}
_MICROSOFT = "https://login.microsoftonline.com/common/oauth2/v2.0"
_OAUTH_OPTIONS: FormFields = {
    "type": "object",
    "properties": {
        "client_id": {"type": "string", "title": "Client id"},
        "client_secret": {"type": "string", "title": "Client secret", "writeOnly": True},
        "authorize_url": {
            "type": "string",
            "title": "Address of the consent page",
            "default": f"{_MICROSOFT}/authorize",
        },
        "token_url": {
            "type": "string",
            "title": "Address for tokens",
            "default": f"{_MICROSOFT}/token",
        },
        "scopes": {
            "type": "string",
            "title": "Scopes",
            "description": "With spaces between them",
            "default": "https://outlook.office.com/IMAP.AccessAsUser.All "
            "https://outlook.office.com/SMTP.Send offline_access",
        },
    },
    "additionalProperties": False,
}
_GUIDE = (
    GuideStep(
        "Register an application",
        "In Microsoft Entra, or in your provider's console, register an application. For "
        "Microsoft, choose accounts of any organisation and personal accounts.",
        url="https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps",
    ),
    GuideStep(
        "Give it this redirect address",
        "Of the kind web, exactly as it is written here.",
        copy="redirect_uri",
    ),
    GuideStep(
        "Allow it these scopes",
        "For Microsoft they are under API permissions, delegated.",
        copy="scopes",
    ),
    GuideStep(
        "Copy the client id and a client secret into the form",
        "Of another provider, its two addresses and its scopes as well.",
    ),
)


def _hosts(options: FormFields, values: FormFields) -> Sequence[str]:
    """The IMAP and the SMTP host of an account."""
    found = [settings.server(values, "imap"), settings.server(values, "smtp")]
    return [str(each) for each in found if each.host]


def _oauth_hosts(options: FormFields, values: FormFields) -> Sequence[str]:
    return [*_hosts(options, values), *_token_host(options)]


def _token_host(options: FormFields) -> list[str]:
    parts = urlsplit(str(options.get("token_url") or ""))
    if not parts.hostname:
        return []
    return [f"{parts.hostname}:{parts.port or (80 if parts.scheme == 'http' else 443)}"]


def _oauth(options: FormFields) -> OAuth | None:
    """The OAuth client; None until a client id is configured."""
    needed = [str(options.get(name) or "") for name in ("authorize_url", "token_url", "client_id")]
    if not all(needed):
        return None
    authorize, token, client = needed
    return OAuth(
        authorize_url=authorize,
        token_url=token,
        client_id=client,
        client_secret=str(options.get("client_secret") or "") or None,
        base_scopes=tuple(str(options.get("scopes") or "").split()),
    )


def _open(access: AccountAccess) -> ImapMailbox:
    return ImapMailbox(access, settings.of(access))


def _open_oauth(access: AccountAccess) -> ImapMailbox:
    return ImapMailbox(access, settings.of(access, oauth=True))


feature = Feature(
    name="imap",
    connectors=[
        Connector(
            name="imap",
            title="IMAP and SMTP",
            summary="Any mail server, with your address and a password",
            settings=_FORM,
            hosts=_hosts,
            suggest=providers.suggest,
            open_mail=_open,
        ),
        Connector(
            name="imap_oauth",
            title="IMAP with OAuth",
            summary="Mail servers that take no passwords any more, such as Microsoft's",
            settings=_OAUTH_FORM,
            options=_OAUTH_OPTIONS,
            hosts=_oauth_hosts,
            oauth=_oauth,
            guide=_GUIDE,
            open_mail=_open_oauth,
        ),
    ],
)
