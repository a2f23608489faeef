"""directors: their accounts, what they may read, their order; shared memories"""

import sqlalchemy as sa
from alembic import op

revision = "0026_app"
down_revision = "0025_app"
_LISTS = ("accounts", "memory_access")


def upgrade() -> None:
    with op.batch_alter_table("agents", schema=None) as batch_op:
        for name in _LISTS:
            batch_op.add_column(
                sa.Column(name, sa.JSON(none_as_null=True), nullable=False, server_default="[]")
            )
        batch_op.add_column(sa.Column("position", sa.Integer(), nullable=False, server_default="0"))
    # In the order in which they were shown until now.
    op.execute(
        "UPDATE agents SET position = (SELECT count(*) FROM agents AS other "
        "WHERE other.workspace_id = agents.workspace_id AND (other.name < agents.name "
        "OR (other.name = agents.name AND other.id <= agents.id)))"
    )
    with op.batch_alter_table("agents", schema=None) as batch_op:
        for name in (*_LISTS, "position"):
            batch_op.alter_column(name, server_default=None)
    # Shared memories stay with all who act for their person.
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.add_column(sa.Column("director_id", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("agent_id", sa.String(length=64), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.drop_column("agent_id")
        batch_op.drop_column("director_id")
    with op.batch_alter_table("agents", schema=None) as batch_op:
        for name in (*_LISTS, "position"):
            batch_op.drop_column(name)
