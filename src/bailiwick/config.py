"""Start-up settings: everything the process must know before it can open its database.

Read once, from the environment (`BAILIWICK_*`) and the command line. What can change while the
server runs lives in `instance.settings` instead.
"""

import difflib
import os
import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from bailiwick.errors import BadConfiguration

PREFIX = "BAILIWICK_"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NO_ORIGIN = "must be http(s)://host[:port], without a path, a query or a user"
# Where a server that listens everywhere can be found.
_REACHABLE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
LogLevel = Literal["debug", "info", "warning", "error"]


def default_data_folder() -> Path:
    """Where the data lives unless told otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "bailiwick"


class Settings(BaseModel):
    """Start-up settings; each field is an environment variable with the prefix BAILIWICK_."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    data: Path = Field(default_factory=default_data_folder, description="The data folder")
    host: str = Field(default="127.0.0.1", description="Address to listen on")
    port: int = Field(default=8787, ge=1, le=65535, description="Port to listen on")
    url: str | None = Field(
        default=None,
        description="Public address, such as https://office.example.com, when behind a proxy",
    )
    trusted_proxies: tuple[str, ...] = Field(
        default=(), description="Addresses or networks whose X-Forwarded-* headers are believed"
    )
    request_seconds: float = Field(
        default=30.0,
        gt=0,
        le=3600,
        description="Seconds that the head of a request may take, or 64 KB of its body",
    )
    connections: int = Field(
        default=5_000, ge=1, description="How many connections may be open at once"
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="postgresql://... for PostgreSQL; SQLite in the data folder if unset",
    )
    allowed_networks: tuple[IPv4Network | IPv6Network, ...] = Field(
        default=(),
        description="Private networks that webhooks, log-in providers and accounts may reach, "
        "such as 10.0.0.0/8; none if unset",
    )
    data_key: SecretStr | None = Field(
        default=None,
        description="Encrypts SQLite files, stored files and backups: 64 hex digits, file:/path "
        "or keyring",
    )
    vault_key: SecretStr | None = Field(
        default=None,
        description="Seals credentials: 64 hex digits (several with commas, the first seals), "
        "file:/path or keyring; a key file in the data folder if unset",
    )
    s3_url: str | None = Field(
        default=None,
        description="Where uploaded files are stored: the address of an S3 bucket, such as "
        "https://s3.example.com/bucket; the data folder if unset",
    )
    s3_region: str = Field(default="us-east-1", description="The region of that bucket")
    s3_key_id: str | None = Field(default=None, description="The access key of that bucket")
    s3_secret: SecretStr | None = Field(default=None, description="Its secret key")
    log_level: LogLevel = Field(default="info", description="Least severe log line that is written")
    log_format: Literal["auto", "console", "json"] = Field(
        default="auto", description="console for people, json for machines; auto asks the terminal"
    )
    log_file: Path | None = Field(
        default=None, description="Also write JSON logs here, rotated at 10 MB"
    )
    accept_clock: bool = Field(
        default=False, description="Start although the clock is behind the last time the server ran"
    )

    @field_validator("trusted_proxies", "allowed_networks", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("data", "log_file")
    @classmethod
    def _expand(cls, value: Path | None) -> Path | None:
        return value and value.expanduser().absolute()

    @field_validator("url")
    @classmethod
    def _origin(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            parts = urlsplit(value)
            port = parts.port
        except ValueError:
            raise ValueError(_NO_ORIGIN) from None
        extra = parts.query or parts.fragment or "@" in parts.netloc or parts.path not in ("", "/")
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or extra:
            raise ValueError(_NO_ORIGIN)
        return as_origin(parts.scheme, parts.hostname, port)

    @field_validator("s3_url")
    @classmethod
    def _bucket(cls, value: str | None) -> str | None:
        parts = urlsplit(value or "https://s3/bucket")
        plain = not (parts.query or parts.fragment or "@" in parts.netloc)
        named = re.fullmatch(r"(/[A-Za-z0-9._-]+)+/?", parts.path)
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or not (plain and named):
            raise ValueError("must be http(s)://host[:port]/bucket, without a query or a user")
        return value

    @model_validator(mode="after")
    def _key_of_bucket(self) -> "Settings":
        if self.s3_url and not (self.s3_key_id and self.s3_secret):
            raise ValueError("BAILIWICK_S3_URL needs BAILIWICK_S3_KEY_ID and BAILIWICK_S3_SECRET")
        return self

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not value.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError("must start with postgresql:// (leave it unset for SQLite)")
        return value

    @property
    def origin(self) -> str:
        """Scheme, host and port that browsers use to reach this server."""
        return self.url or self.local_origin

    @property
    def local_origin(self) -> str:
        """Where this machine reaches the server, without any proxy."""
        return as_origin("http", _REACHABLE.get(self.host, self.host), self.port)


def as_origin(scheme: str, host: str, port: int | None) -> str:
    """An origin as browsers write it: lower case, no default port, brackets around IPv6."""
    name = f"[{host}]" if ":" in host else host.lower()
    return f"{scheme}://{name}" + ("" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}")


# The secret of one client, which `bailiwick mcp` alone reads.
_NOT_SETTINGS = frozenset((f"{PREFIX}MCP_TOKEN",))


def load(
    environ: Mapping[str, str] | None = None,
    **overrides: Any,
) -> Settings:
    """Settings from the environment and the command line; unknown names are refused."""
    environ = os.environ if environ is None else environ
    _refuse_unknown(environ)
    given = {k: v for k, v in overrides.items() if v is not None}
    for name in Settings.model_fields:
        if (value := environ.get(PREFIX + name.upper())) and name not in given:
            given[name] = value
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        raise BadConfiguration(_explain(error)) from None


def _refuse_unknown(environ: Mapping[str, str]) -> None:
    known = [PREFIX + name.upper() for name in Settings.model_fields]
    for name in environ:
        if name.startswith(PREFIX) and name not in known and name not in _NOT_SETTINGS:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]}?" if near else f" Known are: {', '.join(known)}."
            raise BadConfiguration(f"{name} is not a setting.{hint}")


def _explain(error: ValidationError) -> str:
    lines: list[str] = []
    for item in error.errors(include_input=False, include_url=False):
        name = PREFIX + str(item["loc"][0]).upper() if item["loc"] else "Settings"
        lines.append(f"{name}: {item['msg'].removeprefix('Value error, ')}")
    return "\n".join(lines)
