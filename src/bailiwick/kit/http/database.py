"""Sessions for endpoints: one request is one transaction, ended before the answer is sent."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db import Storage


def storage(request: Request) -> Storage:
    """The stores that the app was built with."""
    return request.app.state.storage


async def _read(request: Request) -> AsyncIterator[AsyncSession]:
    async with storage(request).app.read() as session:
        yield session


async def _write(request: Request) -> AsyncIterator[AsyncSession]:
    async with storage(request).app.write() as session:
        request.state.write_session = session
        yield session


Stores = Annotated[Storage, Depends(storage)]
ReadSession = Annotated[AsyncSession, Depends(_read, scope="function")]
WriteSession = Annotated[AsyncSession, Depends(_write, scope="function")]
