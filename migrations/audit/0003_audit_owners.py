"""owners: whose business an entry is, copied from its body to be searched"""

import sqlalchemy as sa
from alembic import op

revision = "0003_audit"
down_revision = "0002_audit"


def upgrade() -> None:
    op.add_column("ledger", sa.Column("owner_id", sa.String(length=128), nullable=True))
    # Entries of before name no owner: they are of whoever the caller acted for.
    if op.get_bind().dialect.name == "postgresql":
        op.execute("UPDATE ledger SET owner_id = (body::json) ->> 'user_id'")
    else:
        op.execute("UPDATE ledger SET owner_id = json_extract(body, '$.user_id')")


def downgrade() -> None:
    op.drop_column("ledger", "owner_id")
