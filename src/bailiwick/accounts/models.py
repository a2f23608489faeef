"""Tables of accounts. Credentials have their own table, so that a refresh writes nothing else."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime
from bailiwick.kit.vault import sealed_column


class ConnectorSetting(Base):
    """A connector's configuration; one without a row is enabled with its defaults."""

    __tablename__ = "connector_settings"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    enabled: Mapped[bool]
    options: Mapped[JsonValue]  # what its form holds, but for secrets
    secret: Mapped[bytes | None] = sealed_column(nullable=True)  # JSON of the secret options
    updated_at: Mapped[Instant]


class ActiveConnector(Base):
    """The active connector of a category, which offers its own tools."""

    __tablename__ = "active_connectors"

    category: Mapped[str] = mapped_column(String(16), primary_key=True)
    connector: Mapped[str] = mapped_column(String(64))
    updated_at: Mapped[Instant]


class Account(Base):
    """One outside service that a person is connected to, for use in a workspace."""

    __tablename__ = "accounts"
    __table_args__ = (Index("ix_accounts_owner", "workspace_id", "owner_id", "label", unique=True),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    connector: Mapped[str] = mapped_column(String(64))
    label: Mapped[str] = mapped_column(String(100))  # the user's own label
    address: Mapped[str] = mapped_column(String(320))
    display_name: Mapped[str] = mapped_column(String(200))
    is_primary: Mapped[bool]
    enabled: Mapped[bool]
    categories: Mapped[JsonValue]  # ["mail"]
    permissions: Mapped[JsonValue]  # granted permissions
    settings: Mapped[JsonValue]  # what its form holds, but for secrets
    private_network: Mapped[bool]  # whether an admin connected it, who may name private addresses
    authserv_id: Mapped[str | None] = mapped_column(String(255))  # its DMARC verdict counts
    route_from: Mapped[datetime | None] = mapped_column(UtcDateTime)  # older mail wakes nobody
    signature: Mapped[str | None] = mapped_column(Text)  # HTML or plain; None: none
    signature_source: Mapped[str] = mapped_column(String(16))  # provider, own, none
    # The present failure, if any: one of the four categories, and words for a person.
    problem: Mapped[str | None] = mapped_column(String(32))
    problem_detail: Mapped[str | None] = mapped_column(Text)
    problem_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    owner_id: Mapped[str] = mapped_column(String(32))  # who connected it: it is theirs alone
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]


class AccountShare(Base):
    """Someone with whom an owner shares an account."""

    __tablename__ = "account_shares"

    account_id: Mapped[str] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True
    )
    # A user, or "*" for all members of the workspace.
    member_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    right: Mapped[str] = mapped_column(String(8))  # read, or send, which is both
    created_at: Mapped[Instant]


class AccountCredential(Base):
    """The credential of an account; it is deleted with it."""

    __tablename__ = "account_credentials"

    account_id: Mapped[str] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True
    )
    secret: Mapped[bytes] = sealed_column()  # JSON: a password, or tokens
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # The holder of the refresh lease, and its end.
    lease_holder: Mapped[str | None] = mapped_column(String(64))
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    updated_at: Mapped[Instant]


class OAuthFlow(Base):
    """A consent in progress; it can be ended once, within ten minutes."""

    __tablename__ = "oauth_flows"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)  # digest of the OAuth state
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    user_id: Mapped[str] = mapped_column(String(32))
    browser_hash: Mapped[str] = mapped_column(String(64))
    connector: Mapped[str] = mapped_column(String(64))
    account_id: Mapped[str | None] = mapped_column(String(32))  # to authorise again, if given
    label: Mapped[str | None] = mapped_column(String(100))
    permissions: Mapped[JsonValue]
    settings: Mapped[JsonValue]
    verifier: Mapped[bytes] = sealed_column()
    redirect_uri: Mapped[str] = mapped_column(Text)
    return_to: Mapped[str] = mapped_column(Text)
    expires_at: Mapped[Instant]
