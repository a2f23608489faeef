"""Run-time settings: read and changed while the server runs, kept in the database.

Every one of them does something. A change is seen at once in this process, and within a second
in the others. Their SQL is here.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
)
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.config import LogLevel
from bailiwick.errors import Invalid
from bailiwick.instance import audience, changes
from bailiwick.instance.models import Setting
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.engine.schedules import EXAMPLES, Timing, is_zone, parse

_STALE_AFTER_SECONDS = 1.0

Domain = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$")]

Wait = Annotated[int, Field(ge=0, le=48 * 3600)]


class RuntimeSettings(BaseModel):
    """What an admin can change without a restart."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    instance_name: str = Field(
        default="Bailiwick",
        min_length=1,
        max_length=60,
        pattern=r"^[^\x00-\x1f]*$",
        description="What this office is called in the page's title and on the log-in page",
    )
    password_login: bool = Field(
        default=True,
        description="Whether people may sign in with a password; providers are always offered",
    )
    session_hours: int = Field(
        default=24 * 14,
        ge=1,
        le=24 * 365,
        description="Hours after which a session ends in any case",
    )
    session_idle_hours: int = Field(
        default=24 * 3,
        ge=1,
        le=24 * 365,
        description="Hours without a request after which a session ends",
    )
    token_days: int = Field(
        default=365,
        ge=1,
        le=3650,
        description="The longest that an API token may be valid, in days",
    )
    link_hours: int = Field(
        default=72,
        ge=1,
        le=24 * 30,
        description="Hours that an invitation or password link is valid",
    )
    login_domains: list[Domain] = Field(
        default_factory=list,
        max_length=100,
        description="Domains whose people may come in through a provider; empty: as each says",
    )
    rate_limit_percent: int = Field(
        default=100,
        ge=10,
        le=100_000,
        description="Share of the standard request limits; that of one account's log-ins stays",
    )
    idempotency_hours: int = Field(
        default=24,
        ge=1,
        le=24 * 30,
        description="Hours that the answer to an Idempotency-Key is kept",
    )
    backups_kept: int = Field(
        default=10, ge=1, le=1000, description="How many backups stay in the data folder"
    )
    backup_schedule: str = Field(
        default="every day at 3:00",
        max_length=100,
        description=f"When to back up by itself: {EXAMPLES}, or a cron line; empty: never",
    )
    time_zone: str | None = Field(
        default=None,
        max_length=64,
        description="The zone of all schedules, such as Europe/Vienna; empty: the machine's own",
    )
    events_days: int = Field(
        default=30,
        ge=1,
        le=3650,
        description="Days that events are kept for those who come back and ask what they missed",
    )
    file_version_days: int = Field(
        default=365,
        ge=1,
        le=36_500,
        description="Days that earlier versions of files are kept; the newest of each stays",
    )
    webhook_timeout_seconds: int = Field(
        default=15,
        ge=1,
        le=60,
        description="Seconds that a webhook's receiver has for its answer",
    )
    webhook_retry_seconds: list[Wait] = Field(
        default_factory=lambda: [10, 60, 300, 1800, 7200, 21600, 43200],
        max_length=20,
        description="Seconds before each further attempt to deliver to a webhook; none: one only",
    )
    webhook_log_days: int = Field(
        default=30,
        ge=1,
        le=3650,
        description="Days that finished deliveries to webhooks stay in their log",
    )
    approval_hours: int = Field(
        default=24 * 7,
        ge=1,
        le=24 * 365,
        description="Hours that a call waits for a person before it expires",
    )
    session_timeout_minutes: int = Field(
        default=15,
        ge=1,
        le=7 * 24 * 60,
        description="Minutes without a word after which an agent's session with a director expires",
    )
    session_titles: bool = Field(
        default=True,
        description="Whether the model of a session also makes a title of a long request",
    )
    fetcher_running: bool = Field(
        default=True,
        description="Whether mail is fetched by itself; asking for it by hand always works",
    )
    fetch_minutes: int = Field(
        default=5,
        ge=1,
        le=24 * 60,
        description="Minutes between two looks for new mail at an account that does not tell of it",
    )
    library_scan_minutes: int = Field(
        default=60,
        ge=1,
        le=7 * 24 * 60,
        description="Minutes between two looks through the whole folder of each notebook, for what "
        "was not noticed as it happened",
    )
    speech_model: str | None = Field(
        default=None,
        max_length=100,
        description="The name of the model that transcribes sound and film in notebooks, at a "
        "server with OpenAI's API for that; empty: none does",
    )
    outbox_delay_seconds: int = Field(
        default=20,
        ge=0,
        le=3600,
        description="Seconds that mail is held before it goes out, so that it can be taken back",
    )
    activity_days: int = Field(
        default=90,
        ge=1,
        le=3650,
        description="Days that what agents did stays on the activity page and can be undone",
    )
    diagnostics_days: int = Field(
        default=90,
        ge=1,
        le=3650,
        description="Days that what went to models and came back is kept, and their spend by day",
    )
    audit_days: int | None = Field(
        default=None,
        ge=30,
        le=36_500,
        description="Days that the audit is kept; empty: for good",
    )
    audit_anchor_file: str | None = Field(
        default=None,
        max_length=500,
        pattern=r"^[^\x00-\x1f]*$",
        description="A file on another disk, such as /mnt/usb/office.jsonl, that also gets the "
        "audit's checkpoints; empty: none",
    )
    audit_anchor_keyring: bool = Field(
        default=False,
        description="Whether the audit's newest checkpoint is also kept in the keyring of the "
        "server's operating system",
    )
    audit_anchor_events: bool = Field(
        default=False,
        description="Whether webhooks get the number and digest of each checkpoint of the audit, "
        "as audit.sealed",
    )
    log_level: LogLevel | None = Field(
        default=None, description="Least severe log line that is written; empty: as at start-up"
    )

    @field_validator("backup_schedule")
    @classmethod
    def _understood(cls, value: str) -> str:
        if value.strip():
            parse(value)
        return value.strip()

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value and not is_zone(value):
            raise ValueError("is no time zone; write for example Europe/Vienna")
        return value or None

    @field_validator("audit_anchor_file")
    @classmethod
    def _is_a_place(cls, value: str | None) -> str | None:
        value = (value or "").strip()
        if value and not (value.startswith("/") and value.endswith(".jsonl")):
            raise ValueError("must be a whole path that begins with / and ends with .jsonl")
        return value or None

    @property
    def anchor_path(self) -> Path | None:
        """Where the audit's checkpoints are kept too."""
        return Path(self.audit_anchor_file) if self.audit_anchor_file else None

    @property
    def backup_timing(self) -> Timing | None:
        """When backups are due."""
        if not self.backup_schedule:
            return None
        return parse(self.backup_schedule, zone=self.time_zone)


def patch_schema() -> dict[str, Any]:
    """The JSON Schema of a change: any of the settings, null for its default."""
    properties = RuntimeSettings.model_json_schema()["properties"]
    return {
        "title": "SettingsPatch",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            name: {"anyOf": [schema, {"type": "null"}]} for name, schema in properties.items()
        },
    }


class SettingsStore:
    """The current settings, with a memory of one second."""

    def __init__(
        self, storage: Storage, *, on_read: Callable[[RuntimeSettings], None] = lambda _: None
    ) -> None:
        self._storage = storage
        self._on_read = on_read
        self._cached = RuntimeSettings()
        self._read_at = float("-inf")

    async def current(self) -> RuntimeSettings:
        """The settings in force now."""
        if time.monotonic() - self._read_at > _STALE_AFTER_SECONDS:
            async with self._storage.app.read() as session:
                self._cached = await stored(session)
            self._read_at = time.monotonic()
            self._on_read(self._cached)
        return self._cached

    async def change(self, actor: changes.Actor, *, values: dict[str, Any]) -> RuntimeSettings:
        """Set some settings (None returns one to its default), and record who did it.

        They are in force in this process when this returns.
        """
        async with self._storage.app.write() as session:
            before, default = await stored(session), RuntimeSettings()
            given = before.model_dump(exclude_unset=True) | values
            reset = {name for name, value in values.items() if value is None}
            after = _validated({name: given[name] for name in given if name not in reset})
            self._check_place(after)
            for name, value in after.model_dump().items():
                if value == getattr(before, name):
                    continue
                await session.execute(delete(Setting).where(Setting.name == name))
                if value != getattr(default, name):
                    session.add(Setting(name=name, value=value, updated_at=clock.now()))
                changes.record(
                    session,
                    actor,
                    action="settings.changed",
                    subject=name,
                    before={name: getattr(before, name)},
                    after={name: value},
                    # The name of the office is on everyone's screen.
                    to=(audience.EVERYONE,),
                )
        # After the commit: before it, another request could read and keep the old values.
        self.forget()
        return after

    def _check_place(self, after: RuntimeSettings) -> None:
        folder = self._storage.folder.resolve()
        if after.anchor_path and after.anchor_path.resolve().is_relative_to(folder):
            said = "must be outside the data folder: who has the folder would have it too"
            raise Invalid("Some settings cannot be used.", errors={"audit_anchor_file": [said]})

    def forget(self) -> None:
        """Read them anew the next time: someone changed them."""
        self._read_at = float("-inf")


async def stored(session: AsyncSession) -> RuntimeSettings:
    """What the database says; a value that no longer fits falls back to its default."""
    rows = await session.execute(select(Setting.name, Setting.value))
    values: dict[str, Any] = {}
    for name, value in rows:
        try:
            values[name] = getattr(RuntimeSettings.model_validate({name: value}), name)
        except ValidationError:
            continue
    return RuntimeSettings(**values)


def _validated(values: dict[str, Any]) -> RuntimeSettings:
    try:
        return RuntimeSettings.model_validate(values)
    except ValidationError as error:
        found: dict[str, list[str]] = {}
        for item in error.errors(include_input=False, include_url=False):
            found.setdefault(str(item["loc"][0]), []).append(
                item["msg"].removeprefix("Value error, ")
            )
        raise Invalid("Some settings cannot be used.", errors=found) from None
