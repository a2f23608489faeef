"""the gate"""

import sqlalchemy as sa
from alembic import op

revision = "0003_app"
down_revision = "0002_app"


def upgrade() -> None:
    op.create_table(
        "halts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(length=100), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_halts")),
    )
    op.create_table(
        "policy",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seeded", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_policy")),
    )
    op.create_table(
        "redaction_patterns",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=True),
        sa.Column("builtin", sa.String(length=32), nullable=True),
        sa.Column("replacement", sa.String(length=200), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_redaction_patterns")),
        sa.UniqueConstraint("builtin", name=op.f("uq_redaction_patterns_builtin")),
        sa.UniqueConstraint("name", name=op.f("uq_redaction_patterns_name")),
    )
    op.create_table(
        "usage",
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("meter", sa.String(length=16), nullable=False),
        sa.Column("begins", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "meter", "begins", name=op.f("pk_usage")),
    )
    op.create_table(
        "virtual_ids",
        sa.Column("virtual_id", sa.String(length=40), nullable=False),
        sa.Column("realm", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("entity_id", sa.String(length=1100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("virtual_id", name=op.f("pk_virtual_ids")),
        sa.UniqueConstraint(
            "realm",
            "kind",
            "account_id",
            "entity_id",
            name=op.f("uq_virtual_ids_realm_kind_account_id_entity_id"),
        ),
    )
    op.create_table(
        "actions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("caller_kind", sa.String(length=16), nullable=False),
        sa.Column("caller_id", sa.String(length=64), nullable=False),
        sa.Column("caller_name", sa.String(length=200), nullable=False),
        sa.Column("context_id", sa.String(length=64), nullable=True),
        sa.Column("idempotency_key", sa.String(length=200), nullable=False),
        sa.Column("arguments_hash", sa.String(length=64), nullable=False),
        sa.Column("approval_id", sa.String(length=32), nullable=True),
        sa.Column("tool", sa.String(length=128), nullable=False),
        sa.Column("effect", sa.String(length=16), nullable=False),
        sa.Column("replay", sa.String(length=16), nullable=False),
        sa.Column("arguments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("shown", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("scope", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("receipt", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("undoable", sa.Boolean(), nullable=False),
        sa.Column("undoes", sa.String(length=32), nullable=True),
        sa.Column("undone_by", sa.String(length=32), nullable=True),
        sa.Column("executor", sa.String(length=128), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_actions_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_actions")),
        sa.UniqueConstraint(
            "caller_id", "idempotency_key", name=op.f("uq_actions_caller_id_idempotency_key")
        ),
    )
    with op.batch_alter_table("actions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_actions_status"), ["status"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_actions_workspace_id_actions_created_at"),
            ["workspace_id", "created_at"],
            unique=False,
        )

    op.create_table(
        "approvals",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("caller_kind", sa.String(length=16), nullable=False),
        sa.Column("caller_id", sa.String(length=64), nullable=False),
        sa.Column("caller_name", sa.String(length=200), nullable=False),
        sa.Column("caller_version", sa.String(length=64), nullable=False),
        sa.Column("context_id", sa.String(length=64), nullable=True),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("tool", sa.String(length=128), nullable=False),
        sa.Column("tool_version", sa.String(length=32), nullable=False),
        sa.Column("effect", sa.String(length=16), nullable=False),
        sa.Column("connector", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=True),
        sa.Column("arguments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("edited", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("preview", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("rule_id", sa.String(length=32), nullable=True),
        sa.Column("sources", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("policy_version", sa.Integer(), nullable=False),
        sa.Column("binding", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("answered_by", sa.String(length=32), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("action_id", sa.String(length=32), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_approvals_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_approvals_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_approvals")),
    )
    with op.batch_alter_table("approvals", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_approvals_expires_at"), ["expires_at"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_approvals_workspace_id_approvals_status_approvals_created_at"),
            ["workspace_id", "status", "created_at"],
            unique=False,
        )

    op.create_table(
        "clients",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("hint", sa.String(length=16), nullable=False),
        sa.Column("scope", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("limits", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("ask_writes", sa.Boolean(), nullable=False),
        sa.Column("ask_tools", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("agent_name", sa.String(length=200), nullable=True),
        sa.Column("agent_version", sa.String(length=64), nullable=True),
        sa.Column("protocol", sa.String(length=16), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_clients_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_clients_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clients")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_clients_token_hash")),
    )
    with op.batch_alter_table("clients", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_clients_user_id"), ["user_id"], unique=False)

    op.create_table(
        "memories",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("reach", sa.String(length=16), nullable=False),
        sa.Column("owner_id", sa.String(length=64), nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("tags", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_key", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_memories_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
        sa.UniqueConstraint("created_key", name=op.f("uq_memories_created_key")),
    )
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_memories_workspace_id_memories_created_at"),
            ["workspace_id", "created_at"],
            unique=False,
        )

    op.create_table(
        "notebooks",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("trusted", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_notebooks_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notebooks")),
        sa.UniqueConstraint("workspace_id", "name", name=op.f("uq_notebooks_workspace_id_name")),
    )
    op.create_table(
        "read_contexts",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("words", sa.Text(), nullable=True),
        sa.Column("sources", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("tainted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_read_contexts_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_read_contexts")),
    )
    op.create_table(
        "rules",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("condition", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("fields", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("connector", sa.String(length=64), nullable=True),
        sa.Column("workspace_id", sa.String(length=32), nullable=True),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_rules_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_rules_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rules")),
    )
    op.create_table(
        "tasks",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=500), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("due", sa.Date(), nullable=True),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_key", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_tasks_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("created_key", name=op.f("uq_tasks_created_key")),
    )
    with op.batch_alter_table("tasks", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_tasks_workspace_id_tasks_created_at"),
            ["workspace_id", "created_at"],
            unique=False,
        )

    op.create_table(
        "file_labels",
        sa.Column("notebook_id", sa.String(length=32), nullable=False),
        sa.Column("path", sa.String(length=1100), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_file_labels_notebook_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("notebook_id", "path", name=op.f("pk_file_labels")),
    )
    op.create_table(
        "mentions",
        sa.Column("context_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("value", sa.String(length=300), nullable=False),
        sa.Column("source", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(
            ["context_id"],
            ["read_contexts.id"],
            name=op.f("fk_mentions_context_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("context_id", "kind", "value", name=op.f("pk_mentions")),
    )


def downgrade() -> None:
    op.drop_table("mentions")
    op.drop_table("file_labels")
    with op.batch_alter_table("tasks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tasks_workspace_id_tasks_created_at"))

    op.drop_table("tasks")
    op.drop_table("rules")
    op.drop_table("read_contexts")
    op.drop_table("notebooks")
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_memories_workspace_id_memories_created_at"))

    op.drop_table("memories")
    with op.batch_alter_table("clients", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_clients_user_id"))

    op.drop_table("clients")
    with op.batch_alter_table("approvals", schema=None) as batch_op:
        batch_op.drop_index(
            batch_op.f("ix_approvals_workspace_id_approvals_status_approvals_created_at")
        )
        batch_op.drop_index(batch_op.f("ix_approvals_expires_at"))

    op.drop_table("approvals")
    with op.batch_alter_table("actions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_actions_workspace_id_actions_created_at"))
        batch_op.drop_index(batch_op.f("ix_actions_status"))

    op.drop_table("actions")
    op.drop_table("virtual_ids")
    op.drop_table("usage")
    op.drop_table("redaction_patterns")
    op.drop_table("policy")
    op.drop_table("halts")
