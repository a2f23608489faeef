"""Migrations: up and down, whole or not at all, and never backwards by accident."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from pydantic import SecretStr
from sqlalchemy import Connection, inspect, text

from bailiwick import features
from bailiwick.config import Settings
from bailiwick.errors import BadConfiguration, DatabaseCorrupt, DatabaseUnreachable, SchemaTooNew
from bailiwick.kit.db import Storage, StoreName, migrate
from bailiwick.office import opened, storage_of
from support.server import PATIENCE

# Every table is known once all features are loaded.
features.installed()

pytestmark = pytest.mark.req("OPS-03")
STORES: tuple[StoreName, ...] = tuple(migrate.MIGRATED)
COMPARED = {"compare_type": True, "include_name": migrate.is_mapped}


@pytest.fixture
async def storage(settings: Settings):
    settings.data.mkdir()
    made = storage_of(settings, None)
    yield made
    await made.close()


async def ask(storage: Storage, name: StoreName, question: Callable[[Connection], object]):
    async with storage[name].readers.connect() as connection:
        return await connection.run_sync(question)


async def tables(storage: Storage, name: StoreName) -> set[str]:
    found = await ask(storage, name, lambda connection: set(inspect(connection).get_table_names()))
    return {table for table in found if migrate.is_mapped(table, "table", {})} - {"alembic_version"}


async def differences(storage: Storage, name: StoreName) -> list:
    def compare(connection: Connection) -> list:
        context = MigrationContext.configure(connection, opts=COMPARED)
        return compare_metadata(context, migrate.MIGRATED[name])

    return await ask(storage, name, compare)


async def execute(storage: Storage, name: StoreName, *statements: str) -> None:
    async with storage[name].write() as session:
        for statement in statements:
            await session.execute(text(statement))


async def test_from_nothing_to_the_newest_down_to_nothing_and_up_again(storage: Storage):
    await migrate.upgrade(storage)
    for name in STORES:
        made = await tables(storage, name)
        assert made == set(migrate.MIGRATED[name].tables)
        assert await migrate.revision(storage[name]) == migrate.head(name)
        await migrate.to(storage, name, "base")
        assert await tables(storage, name) == set()
        assert await migrate.revision(storage[name]) is None
        await migrate.to(storage, name, "head")
        assert await tables(storage, name) == made
        assert await differences(storage, name) == []


async def test_models_and_migrated_schema_do_not_differ(storage: Storage):
    await migrate.upgrade(storage)
    for name in STORES:
        assert await differences(storage, name) == []
    await execute(
        storage, "app", "DROP INDEX ix_changes_at", "ALTER TABLE users DROP COLUMN avatar"
    )
    assert len(await differences(storage, "app")) == 2


async def test_upgrading_twice_changes_nothing(storage: Storage):
    await migrate.upgrade(storage)
    await execute(storage, "app", "INSERT INTO rate_buckets (key, level, at) VALUES ('x', 1, 1)")
    await migrate.upgrade(storage)
    async with storage.app.read() as session:
        assert await session.scalar(text("SELECT count(*) FROM rate_buckets")) == 1


async def test_a_second_server_on_postgresql_waits_for_the_one_that_migrates(
    postgresql_database: str, tmp_path: Path
):
    url = SecretStr(postgresql_database)
    storage = storage_of(Settings(data=tmp_path, database_url=url), None)
    waiting = (
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database "
        "WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()"
    )
    with psycopg.connect(postgresql_database) as first:
        first.execute("SELECT pg_advisory_xact_lock(%s)", (migrate._ADVISORY_LOCK,))
        second = asyncio.create_task(migrate.upgrade(storage))
        async with asyncio.timeout(PATIENCE):
            while first.execute(waiting).fetchone() == (0,):  # noqa: ASYNC110  (nobody tells us)
                await asyncio.sleep(0.01)
        assert first.execute("SELECT to_regclass('app.users')").fetchone() == (None,)
    await second
    assert await tables(storage, "app") == set(migrate.MIGRATED["app"].tables)
    await storage.close()


@pytest.mark.parametrize("name", STORES)
async def test_a_schema_of_a_newer_version_is_refused_and_nothing_is_changed(
    settings: Settings, storage: Storage, name: StoreName
):
    await migrate.upgrade(storage)
    newer = "UPDATE alembic_version SET version_num = '9999_newer'"
    await execute(storage, name, newer, "CREATE TABLE of_the_future (id INTEGER)")
    before = await tables(storage, name)
    with pytest.raises(SchemaTooNew) as refused:
        async with opened(settings):
            pass
    assert "9999_newer" in refused.value.detail
    assert "Upgrade Bailiwick" in refused.value.detail
    for target in ("base", "head"):
        with pytest.raises(SchemaTooNew):
            await migrate.to(storage, name, target)
    assert await tables(storage, name) == before
    assert await migrate.revision(storage[name]) == "9999_newer"
    async with storage.app.read() as session:
        assert await session.scalar(text("SELECT count(*) FROM instance")) == 0


async def test_a_revision_that_does_not_exist_is_refused_with_those_that_do(storage: Storage):
    await migrate.upgrade(storage)
    with pytest.raises(BadConfiguration, match=migrate.head("app")):
        await migrate.to(storage, "app", "0042_app")
    assert await migrate.revision(storage.app) == migrate.head("app")


NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("half_made", sa.Column("id", sa.Integer(), primary_key=True))
    op.execute("INSERT INTO half_made (id) VALUES (1)")
    with op.batch_alter_table("users") as users:
        users.add_column(sa.Column("nickname", sa.String(50)))
    op.execute("DELETE FROM rate_buckets")
    {then}


def downgrade() -> None:
    {back}
"""


def next_version(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, then: str, back: str = "pass"
) -> None:
    """A next version of the product, whose migration does this."""
    head = migrate.head("app")
    shutil.copytree(migrate.folder(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "app" / "next.py").write_text(NEXT.format(head=head, then=then, back=back))
    monkeypatch.setattr(migrate, "folder", lambda: folder)


@pytest.mark.parametrize(
    ("fails", "error"),
    [
        ("raise RuntimeError('half-way')", RuntimeError),
        ("op.execute('INSERT INTO no_such_table VALUES (1)')", DatabaseUnreachable),
    ],
)
async def test_a_migration_that_fails_half_way_leaves_the_earlier_schema_and_its_rows(
    storage: Storage, settings: Settings, tmp_path: Path, fails: str, error: type[Exception]
):
    await migrate.upgrade(storage)
    await execute(storage, "app", "INSERT INTO rate_buckets (key, level, at) VALUES ('x', 1, 1)")
    with pytest.MonkeyPatch.context() as patch:
        next_version(tmp_path / "migrations", patch, then=fails)
        with pytest.raises(error):
            await migrate.upgrade(storage)
    assert await tables(storage, "app") == set(migrate.MIGRATED["app"].tables)
    assert await differences(storage, "app") == []
    assert await migrate.revision(storage.app) == migrate.head("app")
    async with storage.app.read() as session:
        assert await session.scalar(text("SELECT count(*) FROM rate_buckets")) == 1
    async with opened(settings):
        pass


async def test_the_next_version_migrates_and_the_way_back_leads_here(
    storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    await migrate.upgrade(storage)
    here = migrate.head("app")
    back = "op.drop_table('half_made'); op.drop_column('users', 'nickname')"
    next_version(tmp_path / "migrations", monkeypatch, then="pass", back=back)
    await migrate.upgrade(storage)
    assert "half_made" in await tables(storage, "app")
    await migrate.to(storage, "app", here)
    assert await migrate.revision(storage.app) == here
    assert await differences(storage, "app") == []


async def test_a_migration_that_leaves_rows_pointing_to_nothing_is_undone(
    sqlite_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    sqlite_settings.data.mkdir()
    async with opened(sqlite_settings) as runtime:
        storage = runtime.storage
        await execute(
            storage,
            "app",
            "INSERT INTO users (id, email, name, role, active, created_at)"
            " VALUES ('usr-1', 'a@b', 'A', 'user', 1, '2026-11-15 00:00:00')",
            "INSERT INTO links (id, purpose, user_id, token_hash, created_at)"
            " VALUES ('lnk-1', 'password', 'usr-1', 'x', '2026-11-15 00:00:00')",
        )
        next_version(tmp_path / "migrations", monkeypatch, then="op.execute('DELETE FROM users')")
        with pytest.raises(DatabaseCorrupt, match="links"):
            await migrate.upgrade(storage)
        async with storage.app.read() as session:
            assert await session.scalar(text("SELECT count(*) FROM users")) == 1
        assert "half_made" not in await tables(storage, "app")
