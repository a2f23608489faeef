"""A case with an item, and one that was removed, for tests that walk over everything."""

from typing import Any

import httpx
from sqlalchemy import update

from bailiwick.accounts.models import Account
from bailiwick.cases import opening
from support.mailbag import Mailbag
from support.office import API, Office


async def cases_in(
    office: Office,
    person: httpx.AsyncClient,
    bag: Mailbag,
    account_id: str,
    *,
    mail: bytes,
    word: str = "x",
) -> dict[str, str]:
    """Ids of someone's case, of an item in it, and of a removal; a filter must match the mail."""
    async with office.product.storage.app.write() as session:
        # Old mail too: the tests' letters are from long ago.
        await session.execute(
            update(Account).where(Account.id == account_id).values(route_from=None)
        )
    for raw in (mail, mail.replace(b"case", b"closed case")):
        await bag.got(account_id, raw)
    await opening.open_cases(office.product, account_id)
    found: Any = (await person.get(f"{API}/cases")).json()["items"]
    assert len(found) >= 2, "the filter matches both"
    gone, kept = found[0]["id"], found[1]["id"]
    body = {"label": f"{word} item", "data": f"the {word} item", "tags": [word]}
    item = await person.post(f"{API}/cases/{kept}/items", json=body)
    assert item.is_success, item.text
    removed = await person.post(f"{API}/cases/deletions", json={"ids": [gone]})
    return {
        "case_id": kept,
        "node_id": found[1]["runId"],
        "item_id": item.json()["item"]["id"],
        "deletion_id": removed.json()["id"],
    }
