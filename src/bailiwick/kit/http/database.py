"""Sessions for endpoints: one request is one transaction, which ends before the answer is sent."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db import Storage
from bailiwick.kit.http.served import served


async def storage(request: Request) -> Storage:
    """The stores that the app was built with."""
    return served(request).storage


Stores = Annotated[Storage, Depends(storage)]


async def _read(stores: Stores) -> AsyncIterator[AsyncSession]:
    async with stores.app.read() as session:
        yield session


async def _write(request: Request, stores: Stores) -> AsyncIterator[AsyncSession]:
    async with stores.app.write() as session:
        request.state.write_session = session
        yield session


ReadSession = Annotated[AsyncSession, Depends(_read, scope="function")]
WriteSession = Annotated[AsyncSession, Depends(_write, scope="function")]
