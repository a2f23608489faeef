"""The rules in force."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.rules import repository
from bailiwick.gate.rules.book import RuleBook
from bailiwick.gate.rules.current import Current
from bailiwick.kit.db import Storage


class RuleBookCache(Current[RuleBook]):
    """Holds the current book; an edit is seen by the next call after its commit."""

    def __init__(self, storage: Storage) -> None:
        # A workspace takes its rules with it.
        super().__init__(storage, _read, event_types=("rule.", "workspace.deleted"))


async def _read(session: AsyncSession) -> RuleBook:
    version = await repository.version(session)
    return RuleBook.compile(await repository.everything(session), version)
