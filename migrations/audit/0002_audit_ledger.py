"""the ledger"""

import sqlalchemy as sa
from alembic import op

revision = "0002_audit"
down_revision = "0001_audit"


def upgrade() -> None:
    op.create_table(
        "ledger",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("chain", sa.String(length=32), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("previous", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("workspace_id", sa.String(length=128), nullable=True),
        sa.Column("caller_id", sa.String(length=128), nullable=True),
        sa.Column("tool", sa.String(length=128), nullable=True),
        sa.Column("decision", sa.String(length=128), nullable=True),
        sa.Column("status", sa.String(length=128), nullable=True),
        sa.Column("call_id", sa.String(length=128), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_ledger"),
    )
    op.create_index("ix_ledger_at", "ledger", ["at"])
    op.create_index("ix_ledger_call_id", "ledger", ["call_id"])
    op.create_index("ix_ledger_workspace_id_ledger_at", "ledger", ["workspace_id", "at"])
    op.create_table(
        "ledger_checkpoints",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("previous", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_ledger_checkpoints"),
    )
    op.create_table(
        "ledger_keys",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ledger_keys"),
    )


def downgrade() -> None:
    op.drop_table("ledger_keys")
    op.drop_table("ledger_checkpoints")
    op.drop_table("ledger")
