"""log-ins under way that link an identity to someone who is signed in"""

import sqlalchemy as sa
from alembic import op

revision = "0013_app"
down_revision = "0012_app"


def upgrade() -> None:
    with op.batch_alter_table("login_flows", schema=None) as batch_op:
        batch_op.add_column(sa.Column("user_id", sa.String(length=32), nullable=True))
        batch_op.create_foreign_key(
            batch_op.f("fk_login_flows_user_id"), "users", ["user_id"], ["id"], ondelete="CASCADE"
        )


def downgrade() -> None:
    with op.batch_alter_table("login_flows", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("fk_login_flows_user_id"), type_="foreignkey")
        batch_op.drop_column("user_id")
