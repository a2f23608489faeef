"""A driver that visits SQLite's thread once for each statement.

A connection lives in a thread of its own. SQLAlchemy goes there four times for a statement: for a
cursor, to execute, to fetch and to close; and as often to begin a transaction. Each visit costs
more than most statements. Here one visit does it all, and a transaction begins in the visit of its
first statement.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)
from sqlalchemy.util import await_

_MANY = 1  # rows fetched at a time by default


class _Done(NamedTuple):
    """The result of a statement, in place of an open cursor."""

    description: Any = None
    rowcount: int = -1
    lastrowid: int | None = None
    rows: Sequence[Any] = ()
    arraysize: int = _MANY


class _Cursor(AsyncAdapt_aiosqlite_cursor):
    """Holds the result of one visit; nothing stays open."""

    __slots__ = ()

    def _make_new_cursor(self, connection: Any) -> Any:
        return _Done()

    def _aenter_cursor(self, cursor: Any) -> Any:
        return cursor

    async def _execute_async(self, operation: Any, parameters: Any) -> Any:
        await self._visit("execute", operation, *(() if parameters is None else (parameters,)))

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> Any:
        await self._visit("executemany", operation, seq_of_parameters)

    async def _visit(self, *work: Any) -> None:
        connection: Any = self._adapt_connection
        async with connection._execute_mutex:  # noqa: SLF001
            self._cursor = done = await connection.visit(*work)
            self._rows = deque(done.rows)

    async def _async_soft_close(self) -> None:
        """Do nothing: no cursor is open."""

    def close(self) -> None:
        """Do nothing: no cursor is open."""
        self._rows.clear()


class _DriverConnection(AsyncAdapt_aiosqlite_connection):
    """A connection that remembers how to begin its transaction."""

    __slots__ = ("_beginning", "_begun")
    _cursor_cls = _Cursor

    def __init__(self, dbapi: Any, connection: Any) -> None:
        super().__init__(dbapi, connection)
        self._beginning: str | None = None
        self._begun = False

    def begin(self, statement: str) -> None:
        """Begin a transaction with the next statement."""
        self._beginning = statement

    async def visit(self, *work: Any) -> _Done:
        """Call a cursor's method, if any is named, in the connection's thread."""
        beginning, self._beginning = self._beginning, None
        self._begun |= beginning is not None
        connection: Any = self._connection
        return await connection._execute(_worked, connection._conn, beginning, work)  # noqa: SLF001

    def cursor(self, server_side: bool = False) -> Any:  # noqa: FBT001
        """A cursor; one that stays open begins the transaction now."""
        if server_side and self._beginning:
            await_(self.visit())
        return super().cursor(server_side)

    def commit(self) -> None:
        """Commit, if a transaction was begun."""
        if self._ended():
            super().commit()

    def rollback(self) -> None:
        """Roll back, if a transaction was begun."""
        if self._ended():
            super().rollback()

    def _ended(self) -> bool:
        """Whether a transaction was begun; forgets it."""
        begun, self._begun, self._beginning = self._begun, False, None
        return begun


class Driver(AsyncAdapt_aiosqlite_dbapi):
    """The driver as SQLAlchemy sees it."""

    def connect(self, *args: Any, **more: Any) -> _DriverConnection:
        """A connection that the engine's creator opens."""
        creator = more.pop("async_creator_fn")
        return _DriverConnection(self, await_(creator(*args, **more)))


def _worked(connection: Any, beginning: str | None, work: Sequence[Any]) -> _Done:
    if beginning:
        connection.execute(beginning)
    cursor = connection.cursor()
    try:
        if work:
            method, *given = work
            getattr(cursor, method)(*given)
        rows = cursor.fetchall() if cursor.description else ()
        return _Done(cursor.description, cursor.rowcount, cursor.lastrowid, rows)
    finally:
        cursor.close()
