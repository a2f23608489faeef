"""prompts"""

revision = "0006_app"
down_revision = "0005_app"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
