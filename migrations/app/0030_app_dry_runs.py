"""dry runs: a run without effects is marked, and what it starts with it"""

import sqlalchemy as sa
from alembic import op

revision = "0030_app"
down_revision = "0029_app"


def upgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("dry", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.execute("UPDATE runs SET dry = true WHERE kind = 'replay'")
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.alter_column("dry", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_column("dry")
