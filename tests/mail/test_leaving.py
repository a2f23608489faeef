"""A disconnected account takes its mail along, some at a time, and can be told so twice."""

from typing import Any

import pytest

from bailiwick.feature import Feature, Removal
from bailiwick.mail.intake import removal
from bailiwick.mail.models import MailSync
from support.mailbag import Mailbag, letter, mailbag_in
from support.office import API, Office

pytestmark = pytest.mark.req("ACC-01", "MAIL-01")


@pytest.fixture
async def bag(any_office: Office) -> Mailbag:
    return await mailbag_in(any_office)


async def test_mail_goes_piece_by_piece_and_that_of_others_stays(
    bag: Mailbag, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(removal, "SOME", 2)
    one, other = await bag.account("One"), await bag.account("Other")
    for number in range(5):
        await bag.got(one, letter(f"Number {number}"))
    kept = await bag.got(other, letter("Kept"))
    owner, commits = await bag.office.owner(), list[object]()
    bag.office.product.storage.app.after_commit.append(commits.append)
    assert (await owner.delete(f"{API}/accounts/{one}")).status_code == 200
    # It is switched off, to be fetched anew, emptied in three pieces, and gone.
    assert len(commits) >= 6
    assert [row.id for row in await bag.rows()] == [kept]


async def test_cut_short_it_leaves_an_account_that_is_off_and_would_fetch_everything_again(
    bag: Mailbag,
):
    account = await bag.account()
    arrived = bag.arrived(letter("Come back"))
    await bag.take(account, arrived)

    async def power_cut(*_: Any) -> None:
        raise RuntimeError("power cut")

    product = bag.office.product
    cut = Feature(name="cut", removals={"account": Removal(before=power_cut)})
    product.features = (*product.features, cut)
    owner = await bag.office.owner()
    assert (await owner.delete(f"{API}/accounts/{account}")).status_code == 500
    assert not (await owner.get(f"{API}/accounts/{account}")).json()["enabled"]
    assert await bag.rows() == []
    async with bag.office.product.storage.app.read() as session:
        assert (await session.get_one(MailSync, account)).cursor is None
    await bag.take(account, arrived)
    assert [row.subject for row in await bag.rows()] == ["Come back"]
    product.features = product.features[:-1]
    assert (await owner.delete(f"{API}/accounts/{account}")).status_code == 200
    assert await bag.rows() == []
