"""Artifacts as a feature: they are kept here, and shown where they belong."""

from datetime import timedelta

from bailiwick.artifacts import repository
from bailiwick.feature import Feature, Tidy
from bailiwick.kit import clock
from bailiwick.office import Office

KEPT = timedelta(days=30)
_BATCH = 200


async def _erase_removed(office: Office) -> None:
    """What was removed a month ago cannot be brought back any more."""
    while True:
        async with office.storage.app.write() as session:
            found = await repository.deleted_before(session, clock.now() - KEPT, limit=_BATCH)
            if not found:
                return
            await repository.erase(session, found)


feature = Feature(name="artifacts", tidies=[Tidy("removed items", _erase_removed)])
