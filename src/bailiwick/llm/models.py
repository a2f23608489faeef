"""Tables of models."""

from sqlalchemy import BigInteger, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant
from bailiwick.kit.vault import sealed_column


class Model(Base):
    """A model that agents can be given."""

    __tablename__ = "models"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    provider: Mapped[str] = mapped_column(String(16))
    model: Mapped[str] = mapped_column(String(200))
    base_url: Mapped[str | None] = mapped_column(Text)
    api_version: Mapped[str | None] = mapped_column(String(64))
    region: Mapped[str | None] = mapped_column(String(64))
    key: Mapped[bytes | None] = sealed_column(nullable=True)
    window: Mapped[int | None]
    max_output: Mapped[int | None]
    input_price: Mapped[int | None] = mapped_column(BigInteger)
    output_price: Mapped[int | None] = mapped_column(BigInteger)
    cache_read_price: Mapped[int | None] = mapped_column(BigInteger)
    cache_write_price: Mapped[int | None] = mapped_column(BigInteger)
    # What the provider's own list said of it when it was last asked.
    listed_window: Mapped[int | None]
    listed_input_price: Mapped[int | None] = mapped_column(BigInteger)
    listed_output_price: Mapped[int | None] = mapped_column(BigInteger)
    fallback_id: Mapped[str | None] = mapped_column(ForeignKey("models.id"))
    is_default: Mapped[bool]
    enabled: Mapped[bool]
    parallel: Mapped[int]
    timeout_seconds: Mapped[int]
    # None: as its name is known.
    api: Mapped[str | None] = mapped_column(String(16))
    effort: Mapped[str | None] = mapped_column(String(16))
    verbosity: Mapped[str | None] = mapped_column(String(16))
    temperature: Mapped[float | None]
    sees_images: Mapped[bool | None]
    sees_documents: Mapped[bool | None]
    origin: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
