"""approvals of an undo"""

import sqlalchemy as sa
from alembic import op

revision = "0017_app"
down_revision = "0016_app"


def upgrade() -> None:
    with op.batch_alter_table("approvals", schema=None) as batch_op:
        batch_op.add_column(sa.Column("undoes", sa.String(length=32), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("approvals", schema=None) as batch_op:
        batch_op.drop_column("undoes")
