"""The sample office knows the notebook of its papers."""

import sqlalchemy as sa
from alembic import op

revision = "0034_app"
down_revision = "0033_app"


def upgrade() -> None:
    op.add_column("demos", sa.Column("notebook_id", sa.String(length=32), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("demos", schema=None) as batch_op:
        batch_op.drop_column("notebook_id")
