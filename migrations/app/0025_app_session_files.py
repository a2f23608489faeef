"""files of sessions"""

import sqlalchemy as sa
from alembic import op

revision = "0025_app"
down_revision = "0024_app"


def upgrade() -> None:
    op.add_column("run_messages", sa.Column("files", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "run_uploads",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("file", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_uploads")),
    )
    op.create_index(op.f("ix_run_uploads_user_id"), "run_uploads", ["user_id"])
    op.create_index(op.f("ix_run_uploads_blob"), "run_uploads", ["blob"])
    op.create_table(
        "run_files",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_files_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "blob", name=op.f("pk_run_files")),
    )
    op.create_index(op.f("ix_run_files_blob"), "run_files", ["blob"])
    op.create_table(
        "run_blobs",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_run_blobs")),
    )


def downgrade() -> None:
    op.drop_table("run_blobs")
    op.drop_table("run_files")
    op.drop_table("run_uploads")
    op.drop_column("run_messages", "files")
