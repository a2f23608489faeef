"""threads of messages: each session of a person becomes one"""

import secrets
import string

import sqlalchemy as sa
from alembic import op

revision = "0037_app"
down_revision = "0036_app"


def upgrade() -> None:
    op.create_table(
        "threads",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("agent_id", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.Column("is_pinned", sa.Boolean(), nullable=False),
        sa.Column("head_id", sa.String(length=32), nullable=True),
        sa.Column("about", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_activity_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["agent_id"], ["agents.id"], name=op.f("fk_threads_agent_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_threads_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threads")),
    )
    with op.batch_alter_table("threads", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_threads_agent_id"), ["agent_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_threads_owner_id_threads_status_threads_last_activity_at"),
            ["owner_id", "status", "last_activity_at"],
            unique=False,
        )

    op.create_table(
        "thread_messages",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("thread_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent_id", sa.String(length=32), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("subtype", sa.String(length=64), nullable=True),
        sa.Column("user_id", sa.String(length=32), nullable=True),
        sa.Column("agent_id", sa.String(length=32), nullable=True),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("key", sa.String(length=100), nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("blocks", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("files", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("about", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=True),
        sa.Column("model", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["thread_id"],
            ["threads.id"],
            name=op.f("fk_thread_messages_thread_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_thread_messages")),
        sa.UniqueConstraint("key", name=op.f("uq_thread_messages_key")),
    )
    with op.batch_alter_table("thread_messages", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_thread_messages_run_id"), ["run_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_thread_messages_thread_id_thread_messages_number"),
            ["thread_id", "number"],
            unique=True,
        )

    op.create_table(
        "thread_shares",
        sa.Column("thread_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["thread_id"],
            ["threads.id"],
            name=op.f("fk_thread_shares_thread_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_thread_shares_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("thread_id", "user_id", name=op.f("pk_thread_shares")),
    )
    with op.batch_alter_table("thread_shares", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_thread_shares_user_id"), ["user_id"], unique=False)

    op.create_table(
        "message_reactions",
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("emoji", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["thread_messages.id"],
            name=op.f("fk_message_reactions_message_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "message_id", "emoji", "user_id", name=op.f("pk_message_reactions")
        ),
    )
    op.create_table(
        "message_stars",
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["thread_messages.id"],
            name=op.f("fk_message_stars_message_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("message_id", "user_id", name=op.f("pk_message_stars")),
    )
    with op.batch_alter_table("run_messages", schema=None) as batch_op:
        batch_op.add_column(sa.Column("message_id", sa.String(length=32), nullable=True))

    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("thread_id", sa.String(length=32), nullable=True))
        batch_op.create_index(batch_op.f("ix_runs_thread_id"), ["thread_id"], unique=False)

    _adopt()


_THREADS = """
    INSERT INTO threads (id, workspace_id, owner_id, agent_id, status, title, run_id, is_pinned,
        about, tags, length, tokens, created_at, last_activity_at)
    SELECT 'thr-' || substr(id, 5), workspace_id, coalesce(user_id, 'operator'), agent_id,
        'active', '', id, :no, '{}', '', 0, input_tokens + output_tokens, created_at, updated_at
    FROM runs WHERE kind = 'session' AND parent_id IS NULL
"""
_ADOPTED = """
    UPDATE runs SET thread_id = 'thr-' || substr(id, 5)
    WHERE kind = 'session' AND parent_id IS NULL
"""
_ROWS = """
    SELECT role, content, tool_calls, kind, position, created_at FROM run_messages
    WHERE run_id = :run_id ORDER BY position
"""
_MESSAGE = """
    INSERT INTO thread_messages (id, thread_id, number, parent_id, role, user_id, agent_id, run_id,
        position, content, about, hidden, tokens, created_at)
    VALUES (:id, :thread_id, :number, :parent_id, :role, :user_id, :agent_id, :run_id,
        :position, :content, '{}', :hidden, 0, :created_at)
"""


def _adopt() -> None:
    """Every session that a person began is a thread, with what was said in it."""
    bind = op.get_bind()
    bind.execute(sa.text(_THREADS), {"no": False})
    bind.execute(sa.text(_ADOPTED))
    adopted = bind.execute(
        sa.text("SELECT id, thread_id, user_id, agent_id FROM runs WHERE thread_id IS NOT NULL")
    ).all()
    for run_id, thread_id, user_id, agent_id in adopted:
        _take(bind, run_id, thread_id, user_id or "operator", agent_id)


def _take(bind: sa.Connection, run_id: str, thread_id: str, user_id: str, agent_id: str) -> None:
    parent, number = None, 0
    for row in bind.execute(sa.text(_ROWS), {"run_id": run_id}).all():
        is_said = row.kind == "message" and row.content and row.tool_calls in (None, "null", "[]")
        if row.role not in ("user", "assistant") or not is_said:
            continue
        id = "msg-" + "".join(secrets.choice(string.ascii_lowercase) for _ in range(12))
        is_user = row.role == "user"
        bind.execute(
            sa.text(_MESSAGE),
            {
                "id": id,
                "thread_id": thread_id,
                "number": number,
                "parent_id": parent,
                "role": row.role,
                "user_id": user_id if is_user else None,
                "agent_id": None if is_user else agent_id,
                "run_id": run_id,
                "position": None if is_user else row.position + 1,
                "content": row.content,
                "hidden": False,
                "created_at": row.created_at,
            },
        )
        if is_user:
            bind.execute(
                sa.text(
                    "UPDATE run_messages SET message_id = :id "
                    "WHERE run_id = :run_id AND position = :position"
                ),
                {"id": id, "run_id": run_id, "position": row.position},
            )
        parent, number = id, number + 1
    bind.execute(
        sa.text("UPDATE threads SET head_id = :head, length = :length WHERE id = :id"),
        {"head": parent, "length": number, "id": thread_id},
    )


def downgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_runs_thread_id"))
        batch_op.drop_column("thread_id")

    with op.batch_alter_table("run_messages", schema=None) as batch_op:
        batch_op.drop_column("message_id")

    op.drop_table("message_stars")
    op.drop_table("message_reactions")
    with op.batch_alter_table("thread_shares", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_thread_shares_user_id"))

    op.drop_table("thread_shares")
    with op.batch_alter_table("thread_messages", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_thread_messages_thread_id_thread_messages_number"))
        batch_op.drop_index(batch_op.f("ix_thread_messages_run_id"))

    op.drop_table("thread_messages")
    with op.batch_alter_table("threads", schema=None) as batch_op:
        batch_op.drop_index(
            batch_op.f("ix_threads_owner_id_threads_status_threads_last_activity_at")
        )
        batch_op.drop_index(batch_op.f("ix_threads_agent_id"))

    op.drop_table("threads")
