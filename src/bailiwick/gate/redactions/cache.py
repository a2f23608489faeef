"""The patterns in force."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.redactions import repository
from bailiwick.gate.redactions.redactor import Redactor
from bailiwick.gate.rules.current import Current
from bailiwick.kit.db import Storage


class RedactorCache(Current[Redactor]):
    """Holds the current redactor; an edit is seen by the next call after its commit."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(storage, _read, event_types=("redaction.",))


async def _read(session: AsyncSession) -> Redactor:
    return Redactor.compile(await repository.everything(session))
