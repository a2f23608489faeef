"""cases"""

import sqlalchemy as sa
from alembic import op

revision = "0020_app"
down_revision = "0019_app"


def upgrade() -> None:
    op.create_table(
        "artifacts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("case_id", sa.String(length=32), nullable=True),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("mime_type", sa.String(length=255), nullable=True),
        sa.Column("encoding", sa.String(length=8), nullable=False),
        sa.Column("tags", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("preview", sa.Text(), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("author_kind", sa.String(length=16), nullable=False),
        sa.Column("author_id", sa.String(length=64), nullable=False),
        sa.Column("author_name", sa.String(length=200), nullable=False),
        sa.Column("changed_by", sa.String(length=16), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.Column("tool", sa.String(length=128), nullable=True),
        sa.Column("supersedes_id", sa.String(length=32), nullable=True),
        sa.Column("created_key", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_artifacts_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artifacts")),
        sa.UniqueConstraint("created_key", name=op.f("uq_artifacts_created_key")),
    )
    with op.batch_alter_table("artifacts", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_artifacts_case_id_artifacts_created_at"),
            ["case_id", "created_at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_artifacts_supersedes_id"), ["supersedes_id"], unique=False
        )

    op.create_table(
        "cases",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("sender_name", sa.Text(), nullable=False),
        sa.Column("sender_address", sa.Text(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("director_id", sa.String(length=32), nullable=False),
        sa.Column("filter_id", sa.String(length=32), nullable=False),
        sa.Column("cycle_id", sa.String(length=32), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deletion", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_cases_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cases")),
    )
    with op.batch_alter_table("cases", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_cases_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_cases_deletion"), ["deletion"], unique=False)
        batch_op.create_index(batch_op.f("ix_cases_director_id"), ["director_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_cases_message_id_cases_director_id"),
            ["message_id", "director_id"],
            unique=True,
        )
        batch_op.create_index(
            batch_op.f("ix_cases_owner_id_cases_director_id_cases_digest"),
            ["owner_id", "director_id", "digest"],
            unique=True,
        )
        batch_op.create_index(
            batch_op.f("ix_cases_workspace_id_cases_created_at"),
            ["workspace_id", "created_at"],
            unique=False,
        )

    op.create_table(
        "artifact_versions",
        sa.Column("artifact_id", sa.String(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("mime_type", sa.String(length=255), nullable=True),
        sa.Column("encoding", sa.String(length=8), nullable=False),
        sa.Column("tags", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("author_kind", sa.String(length=16), nullable=False),
        sa.Column("author_id", sa.String(length=64), nullable=False),
        sa.Column("author_name", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["artifact_id"],
            ["artifacts.id"],
            name=op.f("fk_artifact_versions_artifact_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("artifact_id", "revision", name=op.f("pk_artifact_versions")),
    )
    with op.batch_alter_table("mail_routings", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("cycle_id", sa.String(length=32), nullable=False, server_default="")
        )
        batch_op.add_column(sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(
            "ix_mail_routings_unopened",
            ["routed_at"],
            unique=False,
            sqlite_where=sa.text("opened_at IS NULL"),
            postgresql_where=sa.text("opened_at IS NULL"),
        )

    # What was routed before there were cases is no new work.
    op.execute("UPDATE mail_routings SET opened_at = routed_at")
    with op.batch_alter_table("mail_routings", schema=None) as batch_op:
        batch_op.alter_column("cycle_id", server_default=None)
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("case_id", sa.String(length=32), nullable=True))
        batch_op.add_column(sa.Column("account_id", sa.String(length=32), nullable=True))
        batch_op.create_index(batch_op.f("ix_runs_case_id"), ["case_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_runs_case_id"))
        batch_op.drop_column("account_id")
        batch_op.drop_column("case_id")

    with op.batch_alter_table("mail_routings", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_mail_routings_unopened",
            sqlite_where=sa.text("opened_at IS NULL"),
            postgresql_where=sa.text("opened_at IS NULL"),
        )
        batch_op.drop_column("opened_at")
        batch_op.drop_column("cycle_id")

    op.drop_table("artifact_versions")
    with op.batch_alter_table("cases", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_cases_workspace_id_cases_created_at"))
        batch_op.drop_index(batch_op.f("ix_cases_owner_id_cases_director_id_cases_digest"))
        batch_op.drop_index(batch_op.f("ix_cases_message_id_cases_director_id"))
        batch_op.drop_index(batch_op.f("ix_cases_director_id"))
        batch_op.drop_index(batch_op.f("ix_cases_deletion"))
        batch_op.drop_index(batch_op.f("ix_cases_account_id"))

    op.drop_table("cases")
    with op.batch_alter_table("artifacts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_artifacts_supersedes_id"))
        batch_op.drop_index(batch_op.f("ix_artifacts_case_id_artifacts_created_at"))

    op.drop_table("artifacts")
