"""artifacts of threads"""

import sqlalchemy as sa
from alembic import op

revision = "0039_app"
down_revision = "0038_app"


def upgrade() -> None:
    op.create_table(
        "artifact_dependencies",
        sa.Column("artifact_id", sa.String(length=32), nullable=False),
        sa.Column("on_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["artifact_id"],
            ["artifacts.id"],
            name=op.f("fk_artifact_dependencies_artifact_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["on_id"],
            ["artifacts.id"],
            name=op.f("fk_artifact_dependencies_on_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("artifact_id", "on_id", name=op.f("pk_artifact_dependencies")),
    )
    with op.batch_alter_table("artifact_dependencies", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_artifact_dependencies_on_id"), ["on_id"], unique=False)

    op.create_table(
        "artifact_links",
        sa.Column("artifact_id", sa.String(length=32), nullable=False),
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["artifact_id"],
            ["artifacts.id"],
            name=op.f("fk_artifact_links_artifact_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("artifact_id", "message_id", name=op.f("pk_artifact_links")),
    )
    with op.batch_alter_table("artifact_links", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_artifact_links_message_id"), ["message_id"], unique=False
        )

    op.create_table(
        "artifact_uses",
        sa.Column("artifact_id", sa.String(length=32), nullable=False),
        sa.Column("what", sa.String(length=16), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["artifact_id"],
            ["artifacts.id"],
            name=op.f("fk_artifact_uses_artifact_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("artifact_id", "what", "source", name=op.f("pk_artifact_uses")),
    )
    with op.batch_alter_table("artifacts", schema=None) as batch_op:
        batch_op.add_column(sa.Column("thread_id", sa.String(length=32), nullable=True))
        batch_op.add_column(sa.Column("message_id", sa.String(length=32), nullable=True))
        batch_op.add_column(sa.Column("kind", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("generator", sa.String(length=200), nullable=True))
        batch_op.add_column(sa.Column("data_sources", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("about", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(
            batch_op.f("ix_artifacts_thread_id_artifacts_created_at"),
            ["thread_id", "created_at"],
            unique=False,
        )


def downgrade() -> None:
    with op.batch_alter_table("artifacts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_artifacts_thread_id_artifacts_created_at"))
        batch_op.drop_column("archived_at")
        batch_op.drop_column("about")
        batch_op.drop_column("data_sources")
        batch_op.drop_column("generator")
        batch_op.drop_column("kind")
        batch_op.drop_column("message_id")
        batch_op.drop_column("thread_id")

    op.drop_table("artifact_uses")
    with op.batch_alter_table("artifact_links", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_artifact_links_message_id"))

    op.drop_table("artifact_links")
    with op.batch_alter_table("artifact_dependencies", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_artifact_dependencies_on_id"))

    op.drop_table("artifact_dependencies")
