"""file versions: what files held, who gave it to them, and what runs have seen of them"""

import sqlalchemy as sa
from alembic import op

revision = "0029_app"
down_revision = "0028_app"


def upgrade() -> None:
    op.create_table(
        "file_versions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("notebook_id", sa.String(length=32), nullable=False),
        sa.Column("path", sa.String(length=1100), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=True),
        sa.Column("change", sa.String(length=16), nullable=False),
        sa.Column("author_id", sa.String(length=64), nullable=True),
        sa.Column("author_name", sa.String(length=200), nullable=True),
        sa.Column("context_id", sa.String(length=64), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_file_versions")),
    )
    with op.batch_alter_table("file_versions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_file_versions_at"), ["at"])
        batch_op.create_index(batch_op.f("ix_file_versions_blob"), ["blob"])
        batch_op.create_index("ix_file_versions_of_file", ["notebook_id", "path", "at"])
    op.create_table(
        "file_sights",
        sa.Column("context_id", sa.String(length=64), nullable=False),
        sa.Column("notebook_id", sa.String(length=32), nullable=False),
        sa.Column("path", sa.String(length=1100), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_file_sights_notebook_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("context_id", "notebook_id", "path", name=op.f("pk_file_sights")),
    )
    with op.batch_alter_table("file_sights", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_file_sights_at"), ["at"])


def downgrade() -> None:
    op.drop_table("file_sights")
    op.drop_table("file_versions")
