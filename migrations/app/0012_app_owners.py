"""owners: what can be private has one, and accounts can be shared"""
# ruff: noqa: S608 (what is put together is all written here)

import sqlalchemy as sa
from alembic import op

revision = "0012_app"
down_revision = "0011_app"

# Whoever has been the admin of a workspace for longest, for what nobody else can be told to own.
_FIRST_ADMIN = """(
    SELECT m.user_id FROM workspace_members m
    WHERE m.workspace_id = {table}.workspace_id AND m.role = 'admin'
    ORDER BY m.created_at, m.user_id LIMIT 1)"""
_FIRST_ACCOUNT = """(
    SELECT a.owner_id FROM accounts a WHERE a.workspace_id = {table}.workspace_id
    ORDER BY a.is_primary DESC, a.created_at, a.id LIMIT 1)"""


def upgrade() -> None:
    op.create_table(
        "account_shares",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("member_id", sa.String(length=32), nullable=False),
        sa.Column("right", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_account_shares_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "member_id", name=op.f("pk_account_shares")),
    )
    _accounts()
    for table in ("contacts", "mail_filters", "approvals", "actions"):
        owner = sa.Column("owner_id", sa.String(32), nullable=False, server_default="operator")
        op.add_column(table, owner)
    op.add_column("changes", sa.Column("owner_id", sa.String(64), nullable=True))
    for table in ("contacts", "mail_filters"):
        whose = f"{_FIRST_ACCOUNT}, {_FIRST_ADMIN}, 'operator'".format(table=table)
        op.execute(f"UPDATE {table} SET owner_id = COALESCE({whose})")
    of_account = "(SELECT a.owner_id FROM accounts a WHERE a.id = {}.account_id)"
    op.execute(
        f"UPDATE mail_filters SET owner_id = {of_account.format('mail_filters')} "
        "WHERE account_id IN (SELECT id FROM accounts)"
    )
    op.execute(
        f"UPDATE approvals SET owner_id = "
        f"COALESCE({of_account.format('approvals')}, user_id, 'operator')"
    )
    op.execute("UPDATE actions SET owner_id = COALESCE(user_id, 'operator')")
    private = ("account", "contact", "filter", "schedule")
    op.execute(f"UPDATE changes SET owner_id = actor_id WHERE {_of(private, 'action')}")
    # What was told of them before is told to nobody any more.
    told = (*private, "mail", "outbox", "approval", "action")
    op.execute(f"UPDATE events SET audience = '[]' WHERE {_of(told, 'type')}")
    _index("contacts", ["address"], unique=True)
    _index("mail_filters", ["position"])


def _accounts() -> None:
    op.execute("ALTER TABLE accounts RENAME COLUMN connected_by TO owner_id")
    gone = "owner_id <> 'operator' AND owner_id NOT IN (SELECT id FROM users)"
    first = _FIRST_ADMIN.format(table="accounts")
    op.execute(f"UPDATE accounts SET owner_id = COALESCE({first}, 'operator') WHERE {gone}")
    # One of each person's is the primary one, where before it was one of the workspace's.
    op.execute("""UPDATE accounts SET is_primary = TRUE WHERE id IN (
        SELECT a.id FROM accounts a WHERE NOT EXISTS (
            SELECT 1 FROM accounts b
            WHERE b.workspace_id = a.workspace_id AND b.owner_id = a.owner_id
            AND (b.is_primary OR b.created_at < a.created_at
                 OR (b.created_at = a.created_at AND b.id < a.id))
            AND b.id <> a.id))""")
    _index("accounts", ["label"], unique=True)


def _index(table: str, columns: list[str], *, unique: bool = False) -> None:
    op.drop_index(f"ix_{table}_workspace_id_{table}_{columns[0]}", table)
    op.create_index(
        f"ix_{table}_owner", table, ["workspace_id", "owner_id", *columns], unique=unique
    )


def _of(nouns: tuple[str, ...], column: str) -> str:
    return " OR ".join(f"{column} LIKE '{noun}.%'" for noun in nouns)


def downgrade() -> None:
    for table, column, unique in (
        ("mail_filters", "position", False),
        ("contacts", "address", True),
        ("accounts", "label", True),
    ):
        op.drop_index(f"ix_{table}_owner", table)
        op.create_index(
            f"ix_{table}_workspace_id_{table}_{column}",
            table,
            ["workspace_id", column],
            unique=unique,
        )
    for table in ("changes", "actions", "approvals", "mail_filters", "contacts"):
        op.drop_column(table, "owner_id")
    op.execute("ALTER TABLE accounts RENAME COLUMN owner_id TO connected_by")
    op.drop_table("account_shares")
