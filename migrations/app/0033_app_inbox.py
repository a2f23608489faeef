"""The inbox: its settings, what was looked at, suggestions, and proposed guidelines."""

import sqlalchemy as sa
from alembic import op

revision = "0033_app"
down_revision = "0032_app"


def upgrade() -> None:
    op.create_table(
        "inbox_settings",
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("agent_enabled", sa.Boolean(), nullable=False),
        sa.Column("auto_organize", sa.Boolean(), nullable=False),
        sa.Column("min_confidence", sa.Double(), nullable=False),
        sa.Column("never_touch", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("new_folders", sa.Boolean(), nullable=False),
        sa.Column("agent_id", sa.String(length=32), nullable=True),
        sa.Column("owner_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_inbox_settings_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_inbox_settings")),
    )
    op.create_table(
        "guideline_proposals",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("notebook_id", sa.String(length=32), nullable=False),
        sa.Column("base", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resolved_by", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_guideline_proposals_notebook_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_guideline_proposals_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guideline_proposals")),
    )
    with op.batch_alter_table("guideline_proposals", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_guideline_proposals_workspace_id_guideline_proposals_status"),
            ["workspace_id", "status"],
            unique=False,
        )

    op.create_table(
        "judgements",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("notebook_id", sa.String(length=32), nullable=False),
        sa.Column("file_id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("path", sa.String(length=1100), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_judgements_notebook_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_judgements_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgements")),
    )
    with op.batch_alter_table("judgements", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_judgements_notebook_id_judgements_digest"),
            ["notebook_id", "digest"],
            unique=True,
        )
        batch_op.create_index(batch_op.f("ix_judgements_run_id"), ["run_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_judgements_workspace_id_judgements_status"),
            ["workspace_id", "status"],
            unique=False,
        )

    op.create_table(
        "suggestions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("notebook_id", sa.String(length=32), nullable=False),
        sa.Column("file_id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("file_path", sa.String(length=1100), nullable=False),
        sa.Column("target_folder", sa.String(length=1100), nullable=False),
        sa.Column("reasoning", sa.Text(), nullable=False),
        sa.Column("stated", sa.Double(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resolved_by", sa.String(length=32), nullable=True),
        sa.Column("chosen_folder", sa.String(length=1100), nullable=True),
        sa.Column("new_path", sa.String(length=1100), nullable=True),
        sa.Column("action_id", sa.String(length=32), nullable=True),
        sa.Column("batch_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_suggestions_notebook_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_suggestions_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_suggestions")),
        sa.UniqueConstraint("key", name=op.f("uq_suggestions_key")),
    )
    with op.batch_alter_table("suggestions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_suggestions_action_id"), ["action_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_suggestions_batch_id"), ["batch_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_suggestions_workspace_id_suggestions_status_suggestions_created_at"),
            ["workspace_id", "status", "created_at"],
            unique=False,
        )
        batch_op.create_index(
            "uq_suggestions_pending",
            ["file_id"],
            unique=True,
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )


def downgrade() -> None:
    with op.batch_alter_table("suggestions", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_suggestions_pending",
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )
        batch_op.drop_index(
            batch_op.f("ix_suggestions_workspace_id_suggestions_status_suggestions_created_at")
        )
        batch_op.drop_index(batch_op.f("ix_suggestions_batch_id"))
        batch_op.drop_index(batch_op.f("ix_suggestions_action_id"))

    op.drop_table("suggestions")
    with op.batch_alter_table("judgements", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_judgements_workspace_id_judgements_status"))
        batch_op.drop_index(batch_op.f("ix_judgements_run_id"))
        batch_op.drop_index(batch_op.f("ix_judgements_notebook_id_judgements_digest"))

    op.drop_table("judgements")
    with op.batch_alter_table("guideline_proposals", schema=None) as batch_op:
        batch_op.drop_index(
            batch_op.f("ix_guideline_proposals_workspace_id_guideline_proposals_status")
        )

    op.drop_table("guideline_proposals")
    op.drop_table("inbox_settings")
