"""Tables of identity; sign-ins are in the audit store, so that a refused one is kept too."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import AuditBase, Base, Instant, JsonValue, UtcDateTime
from bailiwick.kit.vault import sealed_column

_ID = String(32)
_HASH = String(64)


class User(Base):
    """A person."""

    __tablename__ = "users"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(100))
    role: Mapped[str] = mapped_column(String(16))
    active: Mapped[bool]
    password_hash: Mapped[str | None] = mapped_column(String(255))
    avatar: Mapped[str | None] = mapped_column(String(64))
    avatar_type: Mapped[str | None] = mapped_column(String(32))
    created_at: Mapped[Instant]
    last_login_at: Mapped[Instant | None]


class Session(Base):
    """A signed-in browser."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(_HASH, unique=True)
    method: Mapped[str] = mapped_column(String(100))
    address: Mapped[str] = mapped_column(String(64))
    user_agent: Mapped[str] = mapped_column(String(300))
    created_at: Mapped[Instant]
    last_seen_at: Mapped[Instant]


class ApiToken(Base):
    """A token with which a program acts for a user."""

    __tablename__ = "api_tokens"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    token_hash: Mapped[str] = mapped_column(_HASH, unique=True)
    hint: Mapped[str] = mapped_column(String(16))
    scopes: Mapped[JsonValue]
    created_at: Mapped[Instant]
    expires_at: Mapped[Instant]
    last_used_at: Mapped[Instant | None]


class Link(Base):
    """A one-time link: the first owner's, an invitation, or a new password."""

    __tablename__ = "links"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16))
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    token_hash: Mapped[str] = mapped_column(_HASH, unique=True)
    created_at: Mapped[Instant]
    expires_at: Mapped[Instant | None]


class LoginProvider(Base):
    """An OpenID Connect issuer for log-ins."""

    __tablename__ = "login_providers"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    preset: Mapped[str] = mapped_column(String(16))
    issuer: Mapped[str] = mapped_column(String(500))
    client_id: Mapped[str] = mapped_column(String(500))
    client_secret: Mapped[bytes | None] = sealed_column(nullable=True)
    allowed_domains: Mapped[JsonValue]
    create_users: Mapped[bool]
    admin_claim: Mapped[str | None] = mapped_column(String(200))
    admin_values: Mapped[JsonValue]
    bearer_audience: Mapped[str | None] = mapped_column(String(500))
    enabled: Mapped[bool]
    created_at: Mapped[Instant]


class ExternalIdentity(Base):
    """A user's identity at a provider."""

    __tablename__ = "external_identities"
    __table_args__ = (UniqueConstraint("provider_id", "subject"),)

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    provider_id: Mapped[str] = mapped_column(ForeignKey("login_providers.id", ondelete="CASCADE"))
    subject: Mapped[str] = mapped_column(String(255))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[Instant]


class LoginFlow(Base):
    """A log-in through a provider in progress; it can be ended once, within ten minutes."""

    __tablename__ = "login_flows"

    id: Mapped[str] = mapped_column(_HASH, primary_key=True)
    provider_id: Mapped[str] = mapped_column(ForeignKey("login_providers.id", ondelete="CASCADE"))
    browser_hash: Mapped[str] = mapped_column(_HASH)
    nonce: Mapped[str] = mapped_column(String(64))
    verifier: Mapped[bytes] = sealed_column()
    return_to: Mapped[str] = mapped_column(String(500))
    expires_at: Mapped[Instant]
    # Who is signed in already and links this identity to themselves.
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))


class SignIn(AuditBase):
    """One attempt to sign in, and its outcome."""

    __tablename__ = "sign_ins"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    method: Mapped[str] = mapped_column(String(100))
    email: Mapped[str] = mapped_column(String(254))
    user_id: Mapped[str | None] = mapped_column(_ID)
    outcome: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(String(200))
    address: Mapped[str] = mapped_column(String(64))
    user_agent: Mapped[str] = mapped_column(String(300))
    trace_id: Mapped[str] = mapped_column(String(64))
    seal: Mapped[str | None] = mapped_column(_HASH)  # see kit/ledger/records
