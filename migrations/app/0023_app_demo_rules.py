"""rules of the sample office"""

import sqlalchemy as sa
from alembic import op

revision = "0023_app"
down_revision = "0022_app"


def upgrade() -> None:
    with op.batch_alter_table("demos", schema=None) as batch_op:
        batch_op.add_column(sa.Column("rules", sa.JSON(), nullable=False, server_default="[]"))
    with op.batch_alter_table("demos", schema=None) as batch_op:
        batch_op.alter_column("rules", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("demos", schema=None) as batch_op:
        batch_op.drop_column("rules")
