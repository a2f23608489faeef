"""What is used of DBOS without being promised is as it was when it was written for."""

import inspect
import re
from pathlib import Path

import sqlalchemy
from dbos import DBOS, DBOSPortableJSONSerializer
from dbos._migration import get_migration_versions, get_sqlite_migration_versions
from dbos._sys_db import SystemDatabase

import bailiwick
from bailiwick.kit.engine import dbos_internals

SOURCES = Path(bailiwick.__file__).parent


def test_its_private_parts_are_named_in_one_module_alone():
    private = re.compile(r"\bdbos\._|DBOS\._|(from|import) dbos\.")
    found = [path.name for path in SOURCES.rglob("*.py") if private.search(path.read_text())]
    assert found == ["dbos_internals.py"]


def test_they_take_what_they_are_given():
    assert [*inspect.signature(get_sqlite_migration_versions).parameters] == ["engine"]
    postgres = inspect.signature(get_migration_versions).parameters
    assert [*postgres] == ["engine", "schema", "use_listen_notify"]
    made = inspect.signature(SystemDatabase.create).parameters
    given = ("system_database_url", "engine_kwargs", "engine", "schema", "serializer")
    assert {*given, "executor_id"} <= {*made}
    needed = {name for name, each in made.items() if each.default is inspect.Parameter.empty}
    assert needed == {*given, "executor_id"}
    assert [*inspect.signature(DBOS._recover_pending_workflows).parameters] == ["executor_ids"]


def test_a_new_file_is_brought_to_the_newest_version_that_is_known(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'engine.db'}"
    engine = sqlalchemy.create_engine(url)
    try:
        before, known = dbos_internals.schema_versions(engine, "engine")
        assert before < known
        dbos_internals.migrate(engine, url=url, schema="engine")
        assert dbos_internals.schema_versions(engine, "engine") == (known, known)
    finally:
        engine.dispose()
    assert DBOSPortableJSONSerializer().name()
