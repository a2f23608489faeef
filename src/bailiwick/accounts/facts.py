"""The accounts of a workspace, as tools and rules may know them."""

from bailiwick.accounts import repository
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


async def accounts_of(office: Office, workspace_id: str) -> list[AccountFacts]:
    """What is kept in this office itself, and the accounts in use, the primary one first."""
    async with office.storage.app.read() as session:
        rows = await repository.of_workspace(session, workspace_id, category=None)
    connected = [
        AccountFacts(
            id=row.id,
            label=row.label,
            address=row.address,
            primary=row.is_primary,
            connector=row.connector,
            kinds=tuple(repository.categories_of(row)),
        )
        for row in rows
    ]
    return [HERE, *connected]
