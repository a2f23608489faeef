"""file index: what the disk holds of notebooks, the texts in it, and how far a scan has come"""

import sqlalchemy as sa
from alembic import op

revision = "0031_app"
down_revision = "0030_app"


def upgrade() -> None:
    op.create_table(
        "indexed_files",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("notebook_id", sa.String(length=32), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("suffix", sa.String(length=32), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("modified_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("first_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("inode", sa.String(length=48), nullable=False),
        sa.Column("identity", sa.String(length=120), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("media_type", sa.String(length=128), nullable=True),
        sa.Column("properties", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text_state", sa.String(length=16), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("gone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_indexed_files_notebook_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_indexed_files")),
        sa.UniqueConstraint("id", name=op.f("uq_indexed_files_id")),
        sa.UniqueConstraint("notebook_id", "path", name=op.f("uq_indexed_files_notebook_id_path")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("indexed_files", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_indexed_files_notebook_id_indexed_files_digest"),
            ["notebook_id", "digest"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_indexed_files_notebook_id_indexed_files_first_seen_at"),
            ["notebook_id", "first_seen_at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_indexed_files_notebook_id_indexed_files_folder"),
            ["notebook_id", "folder"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_indexed_files_notebook_id_indexed_files_inode"),
            ["notebook_id", "inode"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_indexed_files_notebook_id_indexed_files_text_state"),
            ["notebook_id", "text_state"],
            unique=False,
        )

    op.create_table(
        "notebook_scans",
        sa.Column("notebook_id", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("scanned", sa.Integer(), nullable=False),
        sa.Column("unreadable", sa.Integer(), nullable=False),
        sa.Column("position", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("root_identity", sa.String(length=48), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_notebook_scans_notebook_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("notebook_id", name=op.f("pk_notebook_scans")),
    )
    op.create_table(
        "file_tags",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("tag", sa.String(length=100), nullable=False),
        sa.Column("written", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["number"],
            ["indexed_files.number"],
            name=op.f("fk_file_tags_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", "tag", name=op.f("pk_file_tags")),
    )
    with op.batch_alter_table("file_tags", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_file_tags_tag"), ["tag"], unique=False)

    op.create_table(
        "file_texts",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("extractor", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["number"],
            ["indexed_files.number"],
            name=op.f("fk_file_texts_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", "extractor", name=op.f("pk_file_texts")),
    )
    _add_search()


def _add_search() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE search_files USING fts5("
            "name, folder, tags, text, content='', contentless_delete=1, "
            "tokenize='unicode61 remove_diacritics 2')"
        )
        # Files come in bulk: pieces are joined later, eight at a time instead of four.
        op.execute("INSERT INTO search_files(search_files, rank) VALUES('automerge', 8)")
        op.execute(
            "CREATE TRIGGER search_files_forgets AFTER DELETE ON indexed_files "
            "BEGIN DELETE FROM search_files WHERE rowid = old.number; END"
        )
        return
    op.execute(
        "CREATE TABLE search_files (number bigint PRIMARY KEY "
        "REFERENCES indexed_files (number) ON DELETE CASCADE, words tsvector NOT NULL)"
    )
    op.execute("CREATE INDEX search_files_words ON search_files USING gin (words)")


def downgrade() -> None:
    op.execute("DROP TABLE search_files")
    op.drop_table("file_texts")
    with op.batch_alter_table("file_tags", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_file_tags_tag"))

    op.drop_table("file_tags")
    op.drop_table("notebook_scans")
    with op.batch_alter_table("indexed_files", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_indexed_files_notebook_id_indexed_files_text_state"))
        batch_op.drop_index(batch_op.f("ix_indexed_files_notebook_id_indexed_files_inode"))
        batch_op.drop_index(batch_op.f("ix_indexed_files_notebook_id_indexed_files_folder"))
        batch_op.drop_index(batch_op.f("ix_indexed_files_notebook_id_indexed_files_first_seen_at"))
        batch_op.drop_index(batch_op.f("ix_indexed_files_notebook_id_indexed_files_digest"))

    op.drop_table("indexed_files")
