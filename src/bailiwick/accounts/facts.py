"""The accounts that are open to someone, as tools and rules may know them."""

from bailiwick.accounts import repository
from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import Reader, reader_for
from bailiwick.office import Office
from bailiwick.tools.facts import AccountFacts

HERE = AccountFacts(
    id="local",
    label="This office",
    address="",
    primary=True,
    connector="local",
    kinds=("files", "tasks"),
)


async def accounts_of(office: Office, workspace_id: str, user_id: str | None) -> list[AccountFacts]:
    """What is kept in this office itself, and the accounts in use, the primary one first."""
    async with office.storage.app.read() as session:
        reader = await reader_for(session, user_id)
        rows = await repository.of_workspace(session, reader, workspace_id, category=None)
    return [HERE, *(facts_of(row, reader) for row in rows)]


def facts_of(row: Account, reader: Reader) -> AccountFacts:
    """An account, as rules see it."""
    return AccountFacts(
        id=row.id,
        label=row.label,
        address=row.address,
        primary=row.is_primary,
        connector=row.connector,
        kinds=tuple(repository.categories_of(row)),
        owner_id=row.owner_id,
        read_only=not reader.may(row.id, "send"),
    )
