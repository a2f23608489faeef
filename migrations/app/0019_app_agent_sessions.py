"""sessions with agents that others ask"""

import sqlalchemy as sa
from alembic import op

revision = "0019_app"
down_revision = "0018_app"


def upgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("only_tools", sa.JSON(), nullable=True))
        batch_op.add_column(
            sa.Column("finalized", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    # No session from before has a time to expire: those that are over are ended.
    op.execute(
        "UPDATE runs SET ended_at = coalesce(completed_at, updated_at) "
        "WHERE parent_id IS NOT NULL AND status NOT IN ('pending', 'running', 'waiting')"
    )
    directors = sa.text(
        "UPDATE runs SET finalized = :yes WHERE parent_id IS NULL AND status = 'completed' "
        "AND agent_id IN (SELECT id FROM agents WHERE kind = 'director')"
    )
    op.execute(directors.bindparams(yes=True))
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.alter_column("finalized", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_column("finalized")
        batch_op.drop_column("only_tools")
        batch_op.drop_column("ended_at")
        batch_op.drop_column("expires_at")
