"""The doctor, status and health."""

from pathlib import Path

import httpx
import pytest

from bailiwick.config import Settings
from bailiwick.kit.db.storage import sqlite_path
from bailiwick.kit.ledger import Ledger
from bailiwick.kit.ledger.records.recorder import Recorder
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


@pytest.mark.req("OPS-04")
async def test_a_copy_of_the_audit_elsewhere_that_cannot_be_written_is_told(
    office: Office, tmp_path: Path
):
    assert (await findings(office))["audit elsewhere"][0] == "ok"
    ledger = office.product[Ledger]
    await office.set(audit_anchor_file=str(tmp_path / "unplugged" / "kept.jsonl"))
    await ledger.append({"call_id": "cal-1"})
    await ledger.seal()
    state, detail = (await findings(office))["audit elsewhere"]
    assert state == "warning"
    assert "unplugged" in detail
    status = (await office.operator.get(f"{API}/audit/status")).json()
    assert "unplugged" in status["anchorFailure"]
    inside = {"audit_anchor_file": str(office.product.settings.data / "kept.jsonl")}
    refused = await office.operator.patch(f"{API}/settings", json=inside)
    assert refused.status_code == 400
    assert "outside the data folder" in refused.text


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
    await office.product[Recorder].catch_up()
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
    await office.product[Recorder].catch_up()  # which the start began, and reads the database
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


@pytest.mark.req("ACC-10")
async def test_doctor_page_and_api_say_which_folders_are_sealed_and_which_are_the_users(tmp_path):
    settings = Settings.model_validate({"data": tmp_path / "d", "data_key": "c" * 64})
    async with opened_office(settings) as office:
        owner = await office.owner()
        assert (await findings(office))["folders"] == ("ok", "none is kept or opened yet")
        yours = str(await furnished(owner, tmp_path))
        state, detail = (await findings(office))["folders"]
        assert state == "ok"
        assert "2 of the office's own sealed with the data key" in detail
        assert f"1 of users, which stay in plain text as they are: {yours}" in detail
        assert await at_rest(owner) == {"Files": "sealed", "Papers": "yours", "Mail": "sealed"}


@pytest.mark.req("ACC-10")
async def test_doctor_and_api_say_that_folders_are_plain_without_a_data_key(
    office: Office, tmp_path: Path
):
    owner = await office.owner()
    await furnished(owner, tmp_path)
    state, detail = (await findings(office))["folders"]
    assert state == "warning"
    assert "2 of the office's own in plain text" in detail
    assert await at_rest(owner) == {"Files": "plain", "Papers": "yours", "Mail": "plain"}


async def furnished(owner: httpx.AsyncClient, folder: Path) -> Path:
    """A notebook and a mailbox that the office keeps, and a folder of the user's; where it is."""
    (space,) = (await owner.get(f"{API}/workspaces")).json()["items"]
    here = f"{API}/workspaces/{space['id']}"
    paper = {"arguments": {"path": "Files/a.txt", "content": "words"}}
    assert (await owner.post(f"{here}/tools/create_file", json=paper)).status_code == 200
    (folder / "papers").mkdir()
    opened = {"name": "Papers", "path": str((folder / "papers").resolve())}
    assert (await owner.post(f"{here}/notebooks", json=opened)).status_code == 201
    body = {"workspaceId": space["id"], "connector": "local", "label": "Mail"}
    body["settings"] = {"address": "me@example.com"}
    assert (await owner.post(f"{API}/accounts", json=body)).status_code == 201
    return (folder / "papers").resolve()


async def at_rest(owner: httpx.AsyncClient) -> dict[str, str]:
    (space,) = (await owner.get(f"{API}/workspaces")).json()["items"]
    notebooks = (await owner.get(f"{API}/workspaces/{space['id']}/notebooks")).json()["items"]
    accounts = (await owner.get(f"{API}/accounts")).json()["items"]
    found = {one["name"]: one["atRest"] for one in notebooks}
    return found | {one["label"]: one["atRest"] for one in accounts}
