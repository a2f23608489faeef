"""prompts"""

import sqlalchemy as sa
from alembic import op

revision = "0006_app"
down_revision = "0005_app"


def upgrade() -> None:
    op.create_table(
        "prompts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.String(length=500), nullable=False),
        sa.Column("messages", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("imprint", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["users.id"], name=op.f("fk_prompts_owner_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_prompts_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompts")),
        sa.UniqueConstraint(
            "workspace_id", "kind", "name", name=op.f("uq_prompts_workspace_id_kind_name")
        ),
    )


def downgrade() -> None:
    op.drop_table("prompts")
