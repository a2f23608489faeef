"""what models see"""

import sqlalchemy as sa
from alembic import op

revision = "0018_app"
down_revision = "0017_app"


def upgrade() -> None:
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.add_column(sa.Column("sees_images", sa.Boolean(), nullable=True))
        batch_op.add_column(sa.Column("sees_documents", sa.Boolean(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.drop_column("sees_documents")
        batch_op.drop_column("sees_images")
