"""on which days a contact was written to"""

import sqlalchemy as sa
from alembic import op

revision = "0014_app"
down_revision = "0013_app"


def upgrade() -> None:
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("sent_days", sa.JSON(none_as_null=True), nullable=False, server_default="[]")
        )
    # Of those who were written to before, only the last day is known: they need more of them.
    contacts = sa.table(
        "contacts",
        sa.column("id", sa.String),
        sa.column("last_sent_at", sa.String),
        sa.column("sent_days", sa.JSON),
    )
    day = sa.func.substr(sa.cast(contacts.c.last_sent_at, sa.String), 1, 10)
    connection = op.get_bind()
    written = sa.select(contacts.c.id, day).where(contacts.c.last_sent_at.is_not(None))
    for id, last in connection.execute(written).all():
        connection.execute(contacts.update().where(contacts.c.id == id).values(sent_days=[last]))
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.alter_column("sent_days", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.drop_column("sent_days")
