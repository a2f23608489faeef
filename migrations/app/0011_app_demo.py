"""the sample office"""

import sqlalchemy as sa
from alembic import op

revision = "0011_app"
down_revision = "0010_app"


def upgrade() -> None:
    op.create_table(
        "demos",
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("assistant_id", sa.String(length=32), nullable=False),
        sa.Column("agents", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("filters", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("contacts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("activated", sa.Boolean(), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("user_name", sa.String(length=200), nullable=False),
        sa.Column("leaving", sa.Boolean(), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_demos_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_demos")),
    )
    with op.batch_alter_table("demos", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_demos_account_id"), ["account_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("demos", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_demos_account_id"))
    op.drop_table("demos")
