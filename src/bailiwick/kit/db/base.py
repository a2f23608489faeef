"""Tables' base classes and the column types that both databases share."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from sqlalchemy import JSON, DateTime, Dialect, MetaData
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import TypeDecorator

StoreName = Literal["app", "engine", "audit"]

_NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware and in UTC on both databases."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Drop the zone after converting to UTC, because SQLite stores none."""
        if value is None:
            return None
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return an aware time in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


Instant = Annotated[datetime, mapped_column(UtcDateTime)]
JsonValue = Annotated[Any, mapped_column(JSON(none_as_null=True))]


class Base(DeclarativeBase):
    """Tables of the app store."""

    metadata = MetaData(naming_convention=_NAMES)


class AuditBase(DeclarativeBase):
    """Tables of the audit store: appended to, never changed, fully synchronous."""

    metadata = MetaData(naming_convention=_NAMES)
