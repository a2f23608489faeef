"""the seal of each change: rows of before get theirs when the server starts"""

import sqlalchemy as sa
from alembic import op

revision = "0021_app"
down_revision = "0020_app"


def upgrade() -> None:
    op.add_column("changes", sa.Column("seal", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("changes", "seal")
