"""Drafts a migration from the difference between models and schema: `make migration m="add x"`.

The draft is a start: read it, simplify it, and write the way down.
"""

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from alembic import command
from sqlalchemy import Connection

from bailiwick import features
from bailiwick.kit.db import Storage, StoreName, migrate


def draft(connection: Connection, name: StoreName, message: str) -> None:
    """Write the next revision of one store, if its models changed."""
    config = migrate.config(name)
    config.attributes["connection"] = connection
    config.attributes["metadata"] = migrate.MIGRATED[name]
    folder = migrate.folder() / name
    number = len(list(folder.glob("*.py"))) + 1
    script = command.revision(
        config,
        message=message,
        autogenerate=True,
        rev_id=f"{number:04}_{name}",
        version_path=str(folder),
    )
    path = Path(script.path)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    text = re.sub(r"bailiwick\.kit\.db\.base\.UtcDateTime", "sa.DateTime", path.read_text())
    path.write_text(re.sub(r"\n    # ### .*", "", text))
    if "    pass" in text.split("def downgrade")[0]:
        path.unlink()


async def main(message: str) -> None:
    """Draft for every store."""
    features.installed()  # every model is known once they are loaded
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage.on_sqlite(Path(folder), None)
        await migrate.upgrade(storage)
        for name in migrate.MIGRATED:
            engine = storage[name].migrator()
            async with engine.begin() as connection:
                await connection.run_sync(draft, name, message)
            await engine.dispose()
        await storage.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
