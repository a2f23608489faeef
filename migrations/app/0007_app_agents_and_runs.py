"""agents and runs"""

import sqlalchemy as sa
from alembic import op

revision = "0007_app"
down_revision = "0006_app"


def upgrade() -> None:
    op.create_table(
        "agents",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("model_id", sa.String(length=32), nullable=True),
        sa.Column("prompt_id", sa.String(length=32), nullable=True),
        sa.Column("prompt", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("imprint", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("scope", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("limits", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("ask_writes", sa.Boolean(), nullable=False),
        sa.Column("ask_tools", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("colleagues", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("step_limit", sa.Integer(), nullable=False),
        sa.Column("timeout_seconds", sa.Integer(), nullable=False),
        sa.Column("tokens_per_run", sa.BigInteger(), nullable=True),
        sa.Column("money_per_run", sa.Double(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_agents_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agents")),
    )
    with op.batch_alter_table("agents", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_agents_prompt_id"), ["prompt_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_agents_workspace_id_agents_created_at"),
            ["workspace_id", "created_at"],
            unique=False,
        )

    op.create_table(
        "agent_credentials",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["agent_id"],
            ["agents.id"],
            name=op.f("fk_agent_credentials_agent_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_credentials")),
        sa.UniqueConstraint("agent_id", "name", name=op.f("uq_agent_credentials_agent_id_name")),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("user_name", sa.String(length=200), nullable=False),
        sa.Column("in_person", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("words", sa.Text(), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("why", sa.String(length=16), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("model_id", sa.String(length=32), nullable=True),
        sa.Column("prompt", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("variables", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("parent_id", sa.String(length=32), nullable=True),
        sa.Column("parent_call", sa.String(length=64), nullable=True),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.String(length=32), nullable=True),
        sa.Column("schedule_id", sa.String(length=32), nullable=True),
        sa.Column("forked_from", sa.String(length=32), nullable=True),
        sa.Column("fork_step", sa.Integer(), nullable=True),
        sa.Column("segment", sa.Integer(), nullable=False),
        sa.Column("holder", sa.String(length=32), nullable=True),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("steps_before", sa.Integer(), nullable=False),
        sa.Column("api_calls", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("money", sa.BigInteger(), nullable=False),
        sa.Column("files_modified", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["agent_id"], ["agents.id"], name=op.f("fk_runs_agent_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_runs_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_runs_agent_id_runs_created_at"), ["agent_id", "created_at"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_runs_parent_id"), ["parent_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_runs_schedule_id"), ["schedule_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_runs_status"), ["status"], unique=False)
        batch_op.create_index(batch_op.f("ix_runs_task_id"), ["task_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_runs_workspace_id_runs_created_at"),
            ["workspace_id", "created_at"],
            unique=False,
        )

    op.create_table(
        "provider_events",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("model_id", sa.String(length=32), nullable=False),
        sa.Column("provider", sa.String(length=32), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("latency_ms", sa.Integer(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("money", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_provider_events_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provider_events")),
    )
    with op.batch_alter_table("provider_events", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_provider_events_at"), ["at"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_provider_events_run_id_provider_events_at"),
            ["run_id", "at"],
            unique=False,
        )

    op.create_table(
        "run_calls",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("tool", sa.String(length=128), nullable=False),
        sa.Column("effect", sa.String(length=16), nullable=True),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("rule_id", sa.String(length=32), nullable=True),
        sa.Column("rule_name", sa.String(length=100), nullable=True),
        sa.Column("label", sa.String(length=16), nullable=True),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.Column("approval_id", sa.String(length=32), nullable=True),
        sa.Column("action_id", sa.String(length=32), nullable=True),
        sa.Column("child_id", sa.String(length=32), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("latency_ms", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_calls_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "id", name=op.f("pk_run_calls")),
    )
    with op.batch_alter_table("run_calls", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_run_calls_approval_id"), ["approval_id"], unique=False)

    op.create_table(
        "run_messages",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("tool_calls", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("tool_call_id", sa.String(length=64), nullable=True),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("folded_into", sa.Integer(), nullable=True),
        sa.Column("blob", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_messages_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_run_messages")),
    )
    with op.batch_alter_table("read_contexts") as batch_op:
        batch_op.drop_column("steps")


def downgrade() -> None:
    with op.batch_alter_table("read_contexts") as batch_op:
        batch_op.add_column(sa.Column("steps", sa.Integer(), nullable=False, server_default="0"))
    op.drop_table("run_messages")
    with op.batch_alter_table("run_calls", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_run_calls_approval_id"))

    op.drop_table("run_calls")
    with op.batch_alter_table("provider_events", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_provider_events_run_id_provider_events_at"))
        batch_op.drop_index(batch_op.f("ix_provider_events_at"))

    op.drop_table("provider_events")
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_runs_workspace_id_runs_created_at"))
        batch_op.drop_index(batch_op.f("ix_runs_task_id"))
        batch_op.drop_index(batch_op.f("ix_runs_status"))
        batch_op.drop_index(batch_op.f("ix_runs_schedule_id"))
        batch_op.drop_index(batch_op.f("ix_runs_parent_id"))
        batch_op.drop_index(batch_op.f("ix_runs_agent_id_runs_created_at"))

    op.drop_table("runs")
    op.drop_table("agent_credentials")
    with op.batch_alter_table("agents", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_agents_workspace_id_agents_created_at"))
        batch_op.drop_index(batch_op.f("ix_agents_prompt_id"))

    op.drop_table("agents")
