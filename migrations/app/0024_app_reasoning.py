"""reasoning: kept between steps, and how a model shall think and write"""

import sqlalchemy as sa
from alembic import op

revision = "0024_app"
down_revision = "0023_app"

_SETTINGS = (
    ("api", sa.String(length=16)),
    ("effort", sa.String(length=16)),
    ("verbosity", sa.String(length=16)),
    ("temperature", sa.Double()),
)


def upgrade() -> None:
    with op.batch_alter_table("models", schema=None) as batch_op:
        for name, kind in _SETTINGS:
            batch_op.add_column(sa.Column(name, kind, nullable=True))
    with op.batch_alter_table("run_messages", schema=None) as batch_op:
        batch_op.add_column(sa.Column("parts", sa.JSON(), nullable=True))
        batch_op.add_column(sa.Column("failed", sa.Boolean(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("run_messages", schema=None) as batch_op:
        batch_op.drop_column("failed")
        batch_op.drop_column("parts")
    with op.batch_alter_table("models", schema=None) as batch_op:
        for name, _ in reversed(_SETTINGS):
            batch_op.drop_column(name)
