"""What we use of DBOS that is not in its public interface: here alone, and held by a test.

- Its schema version: a store of a newer version must be refused before anything is written.
- Its migrations on an engine of ours: the public function takes an address, and cannot open an
  encrypted file.
- Taking over another executor's jobs: the public service for that is not part of the library.
"""

from dbos import DBOS, DBOSPortableJSONSerializer
from dbos._migration import get_migration_versions, get_sqlite_migration_versions
from dbos._sys_db import SystemDatabase
from sqlalchemy import Engine


def schema_versions(engine: Engine, schema: str) -> tuple[int, int]:
    """The version of the tables that are there, and the newest that this DBOS knows."""
    if engine.dialect.name == "sqlite":
        return get_sqlite_migration_versions(engine)
    return get_migration_versions(engine, schema, use_listen_notify=True)


def migrate(engine: Engine, *, url: str, schema: str) -> None:
    """Make or upgrade the tables."""
    SystemDatabase.create(
        system_database_url=url,
        engine_kwargs={},
        engine=engine,
        schema=schema,
        serializer=DBOSPortableJSONSerializer(),
        executor_id=None,
    ).run_migrations()


def take_over(executor_id: str) -> None:
    """Put the jobs that an executor left unfinished back into their queues."""
    DBOS._recover_pending_workflows([executor_id])  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
