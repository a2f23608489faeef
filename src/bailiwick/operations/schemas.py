"""Wire forms of operations."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import Field

from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock
from bailiwick.kit.engine.schedules import Timing
from bailiwick.kit.http.pages import Page
from bailiwick.kit.http.wire import Line, StrictFlag, Wire
from bailiwick.operations.doctor import DoctorState

BackupName = Annotated[str, Path(pattern=r"^[0-9]{8}T[0-9]{12}Z\.bailiwick-backup$")]
ChangeFilter = Annotated[str | None, Query(max_length=64, pattern=r"^[!-~]*$")]


class StatusOut(Wire):
    """How the installation is set up."""

    version: str
    instance_name: str
    database: Literal["sqlite", "postgresql"]
    encryption: Literal["on", "off", "operator"] = Field(
        description="Of the database at rest; on PostgreSQL it is the operator's"
    )
    data_folder: str | None = Field(description="Shown to admins only")
    vault_key: str | None = Field(description="Where the sealing key is kept; shown to admins only")
    started_at: datetime
    open_streams: int = Field(description="Event streams that this server holds open now")


class SettingOut(Wire):
    """A run-time setting: its value, and what it means."""

    name: str
    value: Any
    default: Any
    description: str
    type: Literal["string", "boolean", "integer", "array", "choice"]
    choices: list[str] | None
    minimum: int | None
    maximum: int | None


class SettingsOut(Wire):
    """All run-time settings."""

    items: list[SettingOut]

    @classmethod
    def of(cls, current: RuntimeSettings) -> "SettingsOut":
        """Every setting with its default and description."""
        schema = RuntimeSettings.model_json_schema()["properties"]
        values, defaults = current.model_dump(), RuntimeSettings().model_dump()
        return cls(
            items=[
                _setting(name, values[name], defaults[name], described)
                for name, described in schema.items()
            ]
        )


def _setting(name: str, value: Any, default: Any, schema: dict[str, Any]) -> SettingOut:
    options: list[dict[str, Any]] = schema.get("anyOf", [schema])
    return SettingOut(
        name=name,
        value=value,
        default=default,
        description=schema["description"],
        type=schema.get("type", "choice"),
        choices=next((option["enum"] for option in options if "enum" in option), None),
        minimum=schema.get("minimum"),
        maximum=schema.get("maximum"),
    )


class ChangeOut(Wire):
    """One line of the change record."""

    id: str
    at: datetime
    actor_id: str
    actor_name: str
    action: str
    subject_id: str
    before: Any
    after: Any
    trace_id: str


class BackupIn(Wire):
    """How to back up."""

    path: Line | None = Field(
        default=None,
        description="Absolute path; for the command line only. Default: the data folder",
    )
    with_keys: StrictFlag = Field(
        default=False, description="Put the vault's key into the backup, unencrypted"
    )


class BackupOut(Wire):
    """A backup on the server's disk."""

    name: str
    size: int
    created_at: datetime
    can_download: bool = Field(
        description="Whether you may take it from here: it is encrypted, or you are alone"
    )


class NewBackupOut(BackupOut):
    """A backup just made."""

    path: str
    holds_vault_key: bool


class BackupsOut(Page[BackupOut]):
    """The backups in the data folder, newest first."""

    schedule: "ScheduleOut"


class ScheduleOut(Wire):
    """When backups are made without being asked for."""

    text: str = Field(description="As it was written; empty: never")
    next_at: datetime | None
    time_zone: str | None
    last_error: str | None = Field(description="Why the last one failed; null when it did not")

    @classmethod
    def of(cls, text: str, timing: Timing | None, *, last_error: str | None) -> "ScheduleOut":
        """A schedule, and when it is due next."""
        return cls(
            text=text,
            next_at=timing.next(clock.now()) if timing else None,
            time_zone=timing.zone if timing else None,
            last_error=last_error,
        )


class VaultOut(Wire):
    """The vault's keys, by id."""

    active: str
    keys: list[str]


class RotationOut(Wire):
    """What a key rotation did."""

    active: str
    resealed: int
    resumed: bool


class PrunedOut(Wire):
    """The keys that were dropped."""

    dropped: list[str]


class FindingOut(Wire):
    """What one check found."""

    check: str
    state: DoctorState
    detail: str
