"""tasks and schedules"""

import sqlalchemy as sa
from alembic import op

revision = "0008_app"
down_revision = "0007_app"


def upgrade() -> None:
    with op.batch_alter_table("tasks") as batch_op:
        batch_op.add_column(sa.Column("assigned_to", sa.String(length=32), nullable=True))
        batch_op.add_column(
            sa.Column("state", sa.String(length=16), nullable=False, server_default="open")
        )
        batch_op.add_column(sa.Column("run_id", sa.String(length=32), nullable=True))
        batch_op.add_column(sa.Column("report", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("report_label", sa.String(length=16), nullable=True))
        batch_op.create_index(batch_op.f("ix_tasks_assigned_to"), ["assigned_to"])
    with op.batch_alter_table("tasks") as batch_op:
        batch_op.alter_column("state", server_default=None)

    op.create_table(
        "schedules",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("timing", sa.String(length=200), nullable=False),
        sa.Column("cron", sa.String(length=200), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("user_name", sa.String(length=200), nullable=False),
        sa.Column("in_person", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_run_id", sa.String(length=32), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_schedules_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedules")),
    )
    with op.batch_alter_table("schedules") as batch_op:
        batch_op.create_index(
            batch_op.f("ix_schedules_workspace_id_schedules_created_at"),
            ["workspace_id", "created_at"],
            unique=False,
        )


def downgrade() -> None:
    with op.batch_alter_table("schedules") as batch_op:
        batch_op.drop_index(batch_op.f("ix_schedules_workspace_id_schedules_created_at"))
    op.drop_table("schedules")
    with op.batch_alter_table("tasks") as batch_op:
        batch_op.drop_index(batch_op.f("ix_tasks_assigned_to"))
        for name in ("report_label", "report", "run_id", "state", "assigned_to"):
            batch_op.drop_column(name)
