"""diagnostics: what of them was deleted"""

import sqlalchemy as sa
from alembic import op

revision = "0027_app"
down_revision = "0026_app"


def upgrade() -> None:
    op.create_table(
        "diagnostics_deleted",
        sa.Column("node_id", sa.String(length=80), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_diagnostics_deleted_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("node_id", name=op.f("pk_diagnostics_deleted")),
    )
    with op.batch_alter_table("diagnostics_deleted", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_diagnostics_deleted_run_id"), ["run_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("diagnostics_deleted", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_diagnostics_deleted_run_id"))

    op.drop_table("diagnostics_deleted")
