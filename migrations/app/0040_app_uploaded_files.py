"""uploaded files"""

import sqlalchemy as sa
from alembic import op

revision = "0040_app"
down_revision = "0039_app"


def upgrade() -> None:
    op.create_table(
        "file_blobs",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_file_blobs")),
    )
    with op.batch_alter_table("file_blobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_file_blobs_kept_at"), ["kept_at"], unique=False)

    op.create_table(
        "file_uploads",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=255), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("offset", sa.BigInteger(), nullable=False),
        sa.Column("parts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("about", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_file_uploads")),
    )
    with op.batch_alter_table("file_uploads", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_file_uploads_created_at"), ["created_at"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_file_uploads_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "files",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=255), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("mime_type", sa.String(length=128), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("tags", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("visibility", sa.String(length=16), nullable=False),
        sa.Column("preview_status", sa.String(length=16), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=True),
        sa.Column("text_excerpt", sa.Text(), nullable=True),
        sa.Column("thumbnail", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("unused_since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_files")),
    )
    with op.batch_alter_table("files", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_files_blob"), ["blob"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_files_owner_id_files_created_at"),
            ["owner_id", "created_at"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_files_thumbnail"), ["thumbnail"], unique=False)

    op.create_table(
        "file_accesses",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("file_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("action", sa.String(length=16), nullable=False),
        sa.Column("thread_id", sa.String(length=32), nullable=True),
        sa.Column("client_ip", sa.String(length=64), nullable=False),
        sa.Column("user_agent", sa.String(length=300), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_file_accesses_file_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_file_accesses")),
    )
    with op.batch_alter_table("file_accesses", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_file_accesses_file_id_file_accesses_at"), ["file_id", "at"], unique=False
        )

    op.create_table(
        "file_uses",
        sa.Column("file_id", sa.String(length=32), nullable=False),
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("thread_id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_file_uses_file_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("file_id", "message_id", name=op.f("pk_file_uses")),
    )
    with op.batch_alter_table("file_uses", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_file_uses_thread_id_file_uses_file_id"),
            ["thread_id", "file_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_file_uses_workspace_id"), ["workspace_id"], unique=False
        )


def downgrade() -> None:
    with op.batch_alter_table("file_uses", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_file_uses_workspace_id"))
        batch_op.drop_index(batch_op.f("ix_file_uses_thread_id_file_uses_file_id"))

    op.drop_table("file_uses")
    with op.batch_alter_table("file_accesses", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_file_accesses_file_id_file_accesses_at"))

    op.drop_table("file_accesses")
    with op.batch_alter_table("files", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_files_thumbnail"))
        batch_op.drop_index(batch_op.f("ix_files_owner_id_files_created_at"))
        batch_op.drop_index(batch_op.f("ix_files_blob"))

    op.drop_table("files")
    with op.batch_alter_table("file_uploads", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_file_uploads_owner_id"))
        batch_op.drop_index(batch_op.f("ix_file_uploads_created_at"))

    op.drop_table("file_uploads")
    with op.batch_alter_table("file_blobs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_file_blobs_kept_at"))

    op.drop_table("file_blobs")
