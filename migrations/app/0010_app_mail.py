"""mail"""

import sqlalchemy as sa
from alembic import op

revision = "0010_app"
down_revision = "0009_app"


def upgrade() -> None:
    op.create_table(
        "contacts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("sent_count", sa.Integer(), nullable=False),
        sa.Column("last_sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_contacts_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contacts")),
    )
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_contacts_workspace_id_contacts_address"),
            ["workspace_id", "address"],
            unique=True,
        )

    op.create_table(
        "mail_filters",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("field", sa.String(length=16), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("director_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_mail_filters_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_filters")),
    )
    with op.batch_alter_table("mail_filters", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_mail_filters_workspace_id_mail_filters_position"),
            ["workspace_id", "position"],
            unique=False,
        )

    op.create_table(
        "mail_folders",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("remote", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_mail_folders_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_folders")),
    )
    with op.batch_alter_table("mail_folders", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_mail_folders_account_id_mail_folders_remote"),
            ["account_id", "remote"],
            unique=True,
        )

    op.create_table(
        "mail_messages",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("thread_id", sa.String(length=32), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("gone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seen", sa.Boolean(), nullable=False),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("considered", sa.Boolean(), nullable=False),
        sa.Column("date_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("has_html", sa.Boolean(), nullable=False),
        sa.Column("has_attachment", sa.Boolean(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("dmarc", sa.String(length=16), nullable=False),
        sa.Column("raw_blob", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("remote_thread", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("in_reply_to", sa.Text(), nullable=False),
        sa.Column("sender_name", sa.Text(), nullable=False),
        sa.Column("sender_address", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("snippet", sa.Text(), nullable=False),
        sa.Column("label_why", sa.Text(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("references", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("recipients", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("attachments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_mail_messages_account_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_mail_messages_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_mail_messages")),
        sa.UniqueConstraint("id", name=op.f("uq_mail_messages_id")),
    )
    with op.batch_alter_table("mail_messages", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_mail_messages_account_id_mail_messages_fingerprint"),
            ["account_id", "fingerprint"],
            unique=True,
        )
        batch_op.create_index(
            batch_op.f("ix_mail_messages_account_id_mail_messages_message_id"),
            ["account_id", "message_id"],
            unique=False,
        )
        batch_op.create_index(
            "ix_mail_messages_listed",
            ["workspace_id", "date_at", "places", "seen", "account_id"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_mail_messages_thread_id"), ["thread_id"], unique=False)
        batch_op.create_index(
            "ix_mail_messages_unread",
            ["account_id"],
            unique=False,
            sqlite_where=sa.text("seen IS 0"),
            postgresql_where=sa.text("seen IS false"),
        )

    op.create_table(
        "mail_blobs",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_mail_blobs")),
    )
    op.create_table(
        "mail_outbox",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("recipients", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("snippet", sa.Text(), nullable=False),
        sa.Column("raw_blob", sa.String(length=64), nullable=False),
        sa.Column("reply_to_id", sa.String(length=32), nullable=True),
        sa.Column("remote_thread", sa.Text(), nullable=True),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_by_name", sa.String(length=200), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("handed_over_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_mail_outbox_account_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_mail_outbox_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_mail_outbox_key")),
    )
    with op.batch_alter_table("mail_outbox", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_mail_outbox_status_mail_outbox_due_at"),
            ["status", "due_at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_mail_outbox_workspace_id_mail_outbox_created_at"),
            ["workspace_id", "created_at"],
            unique=False,
        )

    op.create_table(
        "mail_syncs",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("cursor", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("left", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fetched", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_mail_syncs_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_mail_syncs")),
    )
    op.create_table(
        "mail_placements",
        sa.Column("folder_id", sa.String(length=32), nullable=False),
        sa.Column("remote_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["folder_id"],
            ["mail_folders.id"],
            name=op.f("fk_mail_placements_folder_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["number"],
            ["mail_messages.number"],
            name=op.f("fk_mail_placements_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("folder_id", "remote_id", name=op.f("pk_mail_placements")),
    )
    with op.batch_alter_table("mail_placements", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_mail_placements_account_id_mail_placements_remote_id"),
            ["account_id", "remote_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_mail_placements_folder_id_mail_placements_number"),
            ["folder_id", "number"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_mail_placements_number"), ["number"], unique=False)

    op.create_table(
        "mail_parts",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("crlf", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["number"],
            ["mail_messages.number"],
            name=op.f("fk_mail_parts_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", "at", name=op.f("pk_mail_parts")),
    )
    with op.batch_alter_table("mail_parts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_mail_parts_blob"), ["blob"], unique=False)

    op.create_table(
        "mail_raw",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["number"],
            ["mail_messages.number"],
            name=op.f("fk_mail_raw_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_mail_raw")),
    )
    op.create_table(
        "mail_routings",
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("director_id", sa.String(length=32), nullable=False),
        sa.Column("filter_id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("routed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["mail_messages.id"],
            name=op.f("fk_mail_routings_message_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("message_id", "director_id", name=op.f("pk_mail_routings")),
    )
    with op.batch_alter_table("mail_routings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_mail_routings_filter_id"), ["filter_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_mail_routings_workspace_id"), ["workspace_id"], unique=False
        )
    _create_search()


def _create_search() -> None:
    """The search index: each database has its own kind, which models know nothing of.

    Who rebuilds `mail_messages` in a later migration makes SQLite's trigger again.
    """
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE search_mail USING fts5("
            "subject, sender, recipients, cc, body, content='', contentless_delete=1, "
            "tokenize='unicode61 remove_diacritics 2')"
        )
        # Mail comes in bulk: pieces are joined later, eight at a time instead of four.
        op.execute("INSERT INTO search_mail(search_mail, rank) VALUES('automerge', 8)")
        op.execute(
            "CREATE TRIGGER search_mail_forgets AFTER DELETE ON mail_messages "
            "BEGIN DELETE FROM search_mail WHERE rowid = old.number; END"
        )
        return
    op.execute(
        "CREATE TABLE search_mail (number bigint PRIMARY KEY "
        "REFERENCES mail_messages (number) ON DELETE CASCADE, words tsvector NOT NULL)"
    )
    op.execute("CREATE INDEX search_mail_words ON search_mail USING gin (words)")


def downgrade() -> None:
    op.execute("DROP TABLE search_mail")
    with op.batch_alter_table("mail_routings", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_mail_routings_workspace_id"))
        batch_op.drop_index(batch_op.f("ix_mail_routings_filter_id"))

    op.drop_table("mail_routings")
    op.drop_table("mail_raw")
    with op.batch_alter_table("mail_parts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_mail_parts_blob"))

    op.drop_table("mail_parts")
    with op.batch_alter_table("mail_placements", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_mail_placements_number"))
        batch_op.drop_index(batch_op.f("ix_mail_placements_folder_id_mail_placements_number"))
        batch_op.drop_index(batch_op.f("ix_mail_placements_account_id_mail_placements_remote_id"))

    op.drop_table("mail_placements")
    op.drop_table("mail_syncs")
    with op.batch_alter_table("mail_outbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_mail_outbox_workspace_id_mail_outbox_created_at"))
        batch_op.drop_index(batch_op.f("ix_mail_outbox_status_mail_outbox_due_at"))

    op.drop_table("mail_outbox")
    op.drop_table("mail_blobs")
    with op.batch_alter_table("mail_messages", schema=None) as batch_op:
        batch_op.drop_index("ix_mail_messages_unread")
        batch_op.drop_index(batch_op.f("ix_mail_messages_thread_id"))
        batch_op.drop_index("ix_mail_messages_listed")
        batch_op.drop_index(batch_op.f("ix_mail_messages_account_id_mail_messages_message_id"))
        batch_op.drop_index(batch_op.f("ix_mail_messages_account_id_mail_messages_fingerprint"))

    op.drop_table("mail_messages")
    with op.batch_alter_table("mail_folders", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_mail_folders_account_id_mail_folders_remote"))

    op.drop_table("mail_folders")
    with op.batch_alter_table("mail_filters", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_mail_filters_workspace_id_mail_filters_position"))

    op.drop_table("mail_filters")
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_contacts_workspace_id_contacts_address"))

    op.drop_table("contacts")
