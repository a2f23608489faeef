"""files of approvals: what an allowed call read that is no text"""

import sqlalchemy as sa
from alembic import op

revision = "0038_app"
down_revision = "0037_app"


def upgrade() -> None:
    with op.batch_alter_table("approvals", schema=None) as batch_op:
        batch_op.add_column(sa.Column("files", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("approvals", schema=None) as batch_op:
        batch_op.drop_column("files")
