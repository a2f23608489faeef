"""memory vectors"""

revision = "0005_app"
down_revision = "0004_app"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
