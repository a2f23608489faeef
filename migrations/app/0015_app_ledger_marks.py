"""the newest checkpoint of the audit, in the app store too"""

import sqlalchemy as sa
from alembic import op

revision = "0015_app"
down_revision = "0014_app"


def upgrade() -> None:
    op.create_table(
        "ledger_marks",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_marks")),
    )


def downgrade() -> None:
    op.drop_table("ledger_marks")
