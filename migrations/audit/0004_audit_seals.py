"""the seal of each sign-in: rows of before get theirs when the server starts"""

import sqlalchemy as sa
from alembic import op

revision = "0004_audit"
down_revision = "0003_audit"


def upgrade() -> None:
    op.add_column("sign_ins", sa.Column("seal", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("sign_ins", "seal")
