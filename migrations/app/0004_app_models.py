"""models"""

revision = "0004_app"
down_revision = "0003_app"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
