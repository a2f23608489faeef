"""tasks and schedules"""

revision = "0008_app"
down_revision = "0007_app"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
