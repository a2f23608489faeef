"""cached tokens: what models read from a cache and wrote into it, their prices, what that saved"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0022_app"
down_revision = "0021_app"
_COUNTED = ("cache_read_tokens", "cache_write_tokens", "saved")
_OWN = ("reasoning_tokens", "estimated")
_PRICES = ("cache_read_price", "cache_write_price")


def upgrade() -> None:
    for name in _COUNTED:
        _add("runs", name, sa.BigInteger())
        _add("provider_events", name, sa.BigInteger() if name == "saved" else sa.Integer())
    _add("provider_events", "reasoning_tokens", sa.Integer())
    _add("provider_events", "estimated", sa.Boolean(), default=sa.false())
    for name in _PRICES:
        op.add_column("models", sa.Column(name, sa.BigInteger(), nullable=True))


def _add(table: str, name: str, kind: Any, *, default: Any = "0") -> None:
    op.add_column(table, sa.Column(name, kind, nullable=False, server_default=default))


def downgrade() -> None:
    for name in _PRICES:
        op.drop_column("models", name)
    for name in (*_COUNTED, *_OWN):
        op.drop_column("provider_events", name)
    for name in _COUNTED:
        op.drop_column("runs", name)
