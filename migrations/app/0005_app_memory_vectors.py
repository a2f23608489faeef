"""memory vectors"""

import sqlalchemy as sa
from alembic import op

revision = "0005_app"
down_revision = "0004_app"


def upgrade() -> None:
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.add_column(sa.Column("owner_name", sa.String(length=200), nullable=True))
        batch_op.add_column(sa.Column("user_id", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("vector", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.drop_column("vector")
        batch_op.drop_column("user_id")
        batch_op.drop_column("owner_name")
