"""notification choices: what people want to be told of on their desktops"""

import sqlalchemy as sa
from alembic import op

revision = "0036_app"
down_revision = "0035_app"


def upgrade() -> None:
    op.create_table(
        "notification_choices",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("desktop", sa.Boolean(), nullable=False),
        sa.Column("events", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("subjects", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_notification_choices_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_notification_choices")),
    )


def downgrade() -> None:
    op.drop_table("notification_choices")
