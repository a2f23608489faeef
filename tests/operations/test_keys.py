"""Key rotation through the API, on both databases."""

import pytest
from sqlalchemy import func, select, text

from bailiwick.config import Settings
from bailiwick.errors import WrongVaultKey
from bailiwick.identity.models import LoginProvider
from bailiwick.kit.vault import key_id
from bailiwick.operations import keys, repository
from support.office import API, Office, opened_office

pytestmark = pytest.mark.req("ACC-05")


async def providers(office: Office, count: int) -> None:
    """Some sealed secrets."""
    owner = await office.owner()
    for number in range(count):
        body = {
            "name": f"P{number}",
            "issuer": "https://login.example.com",
            "clientId": "id",
            "clientSecret": f"secret-{number}",
        }
        assert (await owner.post(f"{API}/login-providers", json=body)).status_code == 201


async def sealing_keys(office: Office) -> set[bytes]:
    async with office.product.storage.app.read() as session:
        found = await session.scalars(select(LoginProvider.client_secret))
        return {key_id(bytes(sealed)) for sealed in found if sealed}


async def test_rotation_seals_everything_with_a_new_key(any_office: Office):
    await providers(any_office, 3)
    owner = await any_office.owner()
    before = (await owner.get(f"{API}/vault")).json()["active"]
    done = (await owner.post(f"{API}/vault/rotate")).json()
    assert done["active"] != before
    assert done["resealed"] >= 4
    assert await sealing_keys(any_office) == {bytes.fromhex(done["active"])}
    assert (await owner.get(f"{API}/auth/whoami")).status_code == 200, "sessions go on"


async def test_a_rotation_cut_short_is_finished_by_the_next(
    any_office: Office, monkeypatch: pytest.MonkeyPatch
):
    await providers(any_office, 3)
    owner = await any_office.owner()
    real, calls = keys._reseal_some, 0

    async def dies(*arguments):
        nonlocal calls
        calls += 1
        if calls > 2:
            raise RuntimeError("power cut")
        return await real(*arguments)

    monkeypatch.setattr(keys, "_reseal_some", dies)
    monkeypatch.setattr(repository, "_BATCH", 1)
    assert (await owner.post(f"{API}/vault/rotate")).status_code == 500
    monkeypatch.undo()
    half = (await owner.get(f"{API}/vault")).json()
    assert len(half["keys"]) == 2
    done = (await owner.post(f"{API}/vault/rotate")).json()
    assert done["resumed"]
    assert done["active"] == half["active"], "no third key"
    assert await sealing_keys(any_office) == {bytes.fromhex(done["active"])}


async def test_old_keys_are_kept_for_backups_until_pruned(any_office: Office):
    owner = await any_office.owner()
    await owner.post(f"{API}/vault/rotate")
    assert len((await owner.get(f"{API}/vault")).json()["keys"]) == 2
    assert len((await owner.post(f"{API}/vault/prune")).json()["dropped"]) == 1
    assert len((await owner.get(f"{API}/vault")).json()["keys"]) == 1
    assert (await owner.get(f"{API}/auth/whoami")).status_code == 200


async def test_a_key_of_the_environment_is_rotated_by_the_operator(tmp_path):
    old, new = "a" * 64, "b" * 64
    base = {"data": tmp_path / "data"}
    async with opened_office(Settings.model_validate({**base, "vault_key": old})) as office:
        await providers(office, 1)
        refused = await office.operator.post(f"{API}/vault/rotate")
        assert refused.status_code == 409
        assert "BAILIWICK_VAULT_KEY" in refused.json()["detail"]
        assert old not in refused.text
    both = Settings.model_validate({**base, "vault_key": f"{new},{old}"})
    async with opened_office(both) as office:
        assert (await office.operator.post(f"{API}/vault/rotate")).json()["resealed"] >= 2
    async with opened_office(Settings.model_validate({**base, "vault_key": new})) as office:
        assert (await office.operator.get(f"{API}/login-providers")).status_code == 200
    with pytest.raises(WrongVaultKey):
        async with opened_office(Settings.model_validate({**base, "vault_key": old})):
            pass


async def test_rotation_is_recorded(office: Office):
    owner = await office.owner()
    active = (await owner.post(f"{API}/vault/rotate")).json()["active"]
    listed = await owner.get(f"{API}/changes", params={"action": "vault.rotated"})
    assert listed.json()["items"][0]["subjectId"] == active


async def test_a_secret_that_was_copied_to_another_row_is_never_opened(office: Office):
    await providers(office, 2)
    async with office.product.storage.app.write() as session:
        await session.execute(
            text(
                "UPDATE login_providers SET client_secret = (SELECT client_secret FROM "
                "login_providers WHERE name = 'P0') WHERE name = 'P1'"
            )
        )
        assert await session.scalar(select(func.count(LoginProvider.id))) == 2
    failed = await (await office.owner()).post(f"{API}/vault/rotate")
    assert failed.status_code == 500
    assert "secret-0" not in failed.text
