"""listed figures: what providers' own lists say of models' windows and prices"""

import sqlalchemy as sa
from alembic import op

revision = "0028_app"
down_revision = "0027_app"

_FIGURES = (
    ("listed_window", sa.Integer()),
    ("listed_input_price", sa.BigInteger()),
    ("listed_output_price", sa.BigInteger()),
)


def upgrade() -> None:
    with op.batch_alter_table("models", schema=None) as batch_op:
        for name, kind in _FIGURES:
            batch_op.add_column(sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("models", schema=None) as batch_op:
        for name, _ in reversed(_FIGURES):
            batch_op.drop_column(name)
