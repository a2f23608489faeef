"""The doctor, status and health."""

import pytest

from bailiwick.config import Settings
from bailiwick.kit.db.storage import sqlite_path
from support.office import API, Office, opened_office


async def findings(office: Office) -> dict[str, tuple[str, str]]:
    found = (await office.operator.get(f"{API}/doctor")).json()["items"]
    return {item["check"]: (item["state"], item["detail"]) for item in found}


@pytest.mark.req("OPS-04", "ACC-06")
async def test_a_sound_installation_has_no_failed_check(any_office: Office):
    found = await findings(any_office)
    assert "failed" not in {state for state, _ in found.values()}
    state, detail = found["encryption at rest"]
    assert state == "warning"
    on_postgresql = any_office.product.storage.kind == "postgresql"
    assert ("operator" if on_postgresql else "BAILIWICK_DATA_KEY") in detail


@pytest.mark.req("OPS-04", "ACC-05")
async def test_a_key_file_that_others_can_read_fails(office: Office):
    (office.product.settings.data / "vault.key").chmod(0o644)
    state, detail = (await findings(office))["vault key"]
    assert state == "failed"
    assert "chmod 600" in detail


@pytest.mark.req("ACC-06")
async def test_encryption_is_shown_to_everyone_and_the_folder_to_admins(tmp_path):
    settings = Settings.model_validate({"data": tmp_path / "d", "data_key": "c" * 64})
    async with opened_office(settings) as office:
        status = (await (await office.owner()).get(f"{API}/status")).json()
        assert status["encryption"] == "on"
        assert status["dataFolder"] == str(settings.data)
        seen = (await (await office.member("sam")).get(f"{API}/status")).json()
        assert seen["encryption"] == "on"
        assert seen["dataFolder"] is None
        assert (await findings(office))["encryption at rest"][0] == "ok"


@pytest.mark.req("OPS-04")
async def test_a_damaged_page_is_found(office: Office):
    await office.owner()
    path = sqlite_path(office.product.settings.data, "audit")
    await office.product.storage.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    assert (await findings(office))["integrity"][0] == "failed"


@pytest.mark.req("OBS-03")
async def test_health_needs_nobody_and_tells_nothing(any_office: Office):
    nobody = any_office.browser()
    assert (await nobody.get("/healthz")).json() == {"status": "ok"}
    assert (await nobody.get("/readyz")).json() == {"status": "ready"}


@pytest.mark.req("OBS-03")
async def test_a_server_without_its_database_is_alive_but_not_ready(
    office: Office,
):
    assert (await office.browser().get("/readyz")).status_code == 200
    await office.product.storage.close()
    sqlite_path(office.product.settings.data, "app").write_bytes(b"no database" * 1000)
    assert (await office.browser().get("/healthz")).status_code == 200
    assert (await office.browser().get("/readyz")).status_code == 503


@pytest.mark.req("API-02", "API-07")
async def test_the_type_of_a_problem_leads_to_what_it_means(office: Office):
    nobody = office.browser()
    problem = (await nobody.get(f"{API}/users")).json()
    meaning = await nobody.get(problem["type"])
    assert meaning.json() == {
        "type": problem["type"],
        "title": "Authentication Required",
        "status": 401,
    }
    assert (await nobody.get("/problems/nothing-like-it")).status_code == 404
