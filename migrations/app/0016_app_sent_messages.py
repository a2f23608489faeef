"""sent messages: what the model got of a message, where redaction changed it"""

import sqlalchemy as sa
from alembic import op

revision = "0016_app"
down_revision = "0015_app"


def upgrade() -> None:
    op.add_column("run_messages", sa.Column("sent", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("run_messages", "sent")
