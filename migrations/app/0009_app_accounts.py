"""accounts"""

import sqlalchemy as sa
from alembic import op

revision = "0009_app"
down_revision = "0008_app"


def upgrade() -> None:
    op.create_table(
        "active_connectors",
        sa.Column("category", sa.String(length=16), nullable=False),
        sa.Column("connector", sa.String(length=64), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("category", name=op.f("pk_active_connectors")),
    )
    op.create_table(
        "connector_settings",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_connector_settings")),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("connector", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("display_name", sa.String(length=200), nullable=False),
        sa.Column("is_primary", sa.Boolean(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("categories", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("permissions", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("private_network", sa.Boolean(), nullable=False),
        sa.Column("authserv_id", sa.String(length=255), nullable=True),
        sa.Column("route_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("signature", sa.Text(), nullable=True),
        sa.Column("signature_source", sa.String(length=16), nullable=False),
        sa.Column("problem", sa.String(length=32), nullable=True),
        sa.Column("problem_detail", sa.Text(), nullable=True),
        sa.Column("problem_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("connected_by", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_accounts_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
    )
    with op.batch_alter_table("accounts", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_accounts_workspace_id_accounts_label"),
            ["workspace_id", "label"],
            unique=True,
        )

    op.create_table(
        "oauth_flows",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("workspace_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("browser_hash", sa.String(length=64), nullable=False),
        sa.Column("connector", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("label", sa.String(length=100), nullable=True),
        sa.Column("permissions", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("verifier", sa.LargeBinary(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("return_to", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_oauth_flows_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_flows")),
    )
    op.create_table(
        "account_credentials",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_holder", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_account_credentials_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_account_credentials")),
    )


def downgrade() -> None:
    op.drop_table("account_credentials")
    op.drop_table("oauth_flows")
    with op.batch_alter_table("accounts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_accounts_workspace_id_accounts_label"))

    op.drop_table("accounts")
    op.drop_table("connector_settings")
    op.drop_table("active_connectors")
