"""agents and runs"""

revision = "0007_app"
down_revision = "0006_app"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
