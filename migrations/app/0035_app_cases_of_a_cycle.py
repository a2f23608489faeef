"""cases of a cycle: found by the fetch that brought their mail"""

from alembic import op

revision = "0035_app"
down_revision = "0034_app"


def upgrade() -> None:
    op.create_index(op.f("ix_cases_cycle_id"), "cases", ["cycle_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_cases_cycle_id"), "cases")
