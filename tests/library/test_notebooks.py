"""Notebooks through the API: who may open which folder, and what stays closed."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from bailiwick.library import allowed_folders
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("LIB-01")


async def address(person: httpx.AsyncClient) -> str:
    [space] = (await person.get(f"{API}/workspaces")).json()["items"]
    return f"{API}/workspaces/{space['id']}/notebooks"


async def opened(person: httpx.AsyncClient, url: str, **body: Any) -> dict[str, Any]:
    answer = await person.post(url, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_notebook_is_opened_changed_and_closed_and_its_folder_stays(
    any_office: Office, tmp_path: Path
):
    owner = await any_office.owner()
    url = await address(owner)
    folder = papers(tmp_path)
    made = await opened(owner, url, name="Papers", path=folder)
    assert re.fullmatch(r"ntb-[a-z0-9]{12}", made["id"])
    assert made == {
        "id": made["id"],
        "name": "Papers",
        "path": folder,
        "own": False,
        "atRest": "yours",
        "trusted": False,
        "createdAt": made["createdAt"],
    }
    assert (await owner.get(url)).json()["items"] == [made]
    changed = await owner.patch(f"{url}/{made['id']}", json={"name": "Cafe\u0301", "trusted": True})
    assert changed.json() == {**made, "name": "Café", "trusted": True}
    same = await owner.patch(f"{url}/{made['id']}", json={"trusted": True})
    assert same.json() == changed.json()
    assert (await owner.delete(f"{url}/{made['id']}")).status_code == 204
    assert (await owner.get(url)).json()["items"] == []
    assert (await owner.delete(f"{url}/{made['id']}")).status_code == 404
    assert (tmp_path / "papers/a.txt").read_text() == "mine"
    recorded = (await owner.get(f"{API}/changes", params={"subject": made["id"]})).json()["items"]
    assert [line["action"] for line in recorded] == [
        "notebook.closed",
        "notebook.changed",
        "notebook.opened",
    ]


def papers(tmp_path: Path) -> str:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.txt").write_text("mine")
    return str(folder)


async def test_without_a_path_the_folder_is_our_own(office: Office):
    owner = await office.owner()
    made = await opened(owner, await address(owner), name="Notes")
    assert (made["own"], made["path"]) == (True, None)


async def test_a_name_is_one_that_a_path_can_begin_with(office: Office):
    owner = await office.owner()
    url = await address(owner)
    for name in ("a/b", "..", "con", "a\\b", " a", "x.", "a\u200b", ".", "", "x" * 101):
        answer = await owner.post(url, json={"name": name})
        assert answer.status_code == 400, name
        assert "name" in answer.json()["errors"]


async def test_two_notebooks_differ_by_more_than_case(office: Office):
    owner = await office.owner()
    url = await address(owner)
    await opened(owner, url, name="Notes")
    other = await opened(owner, url, name="Other")
    assert (await owner.post(url, json={"name": "NOTES"})).status_code == 409
    renamed = await owner.patch(f"{url}/{other['id']}", json={"name": "notes"})
    assert renamed.status_code == 409
    assert (await owner.patch(f"{url}/{other['id']}", json={"name": "OTHER"})).status_code == 200


@pytest.mark.req("GATE-03")
async def test_folders_of_the_system_and_of_the_office_stay_closed(office: Office, tmp_path: Path):
    owner = await office.owner()
    url = await address(owner)
    data = office.product.settings.data
    refused = [
        *("/", "/proc", "/proc/self", "/sys", "/dev", "/dev/shm", "relative", "/a\x00b", ""),
        *map(str, (data, data / "blobs", data.parent, data.parent / "nowhere")),
        *closed(tmp_path, data),
    ]
    for path in refused:
        answer = await owner.post(url, json={"name": "Papers", "path": path})
        assert answer.status_code == 400, path
        assert "path" in answer.json()["errors"]
    assert (await owner.get(url)).json()["items"] == []


def closed(tmp_path: Path, data: Path) -> list[str]:
    (data / "blobs").mkdir(exist_ok=True)
    (tmp_path / "file").write_text("x")
    (tmp_path / "to-data").symlink_to(data)
    (tmp_path / "to-proc").symlink_to("/proc")
    (tmp_path / "round").symlink_to("round")
    return [str(tmp_path / name) for name in ("file", "to-data", "to-proc", "round")]


async def test_a_link_is_followed_once_when_the_folder_is_opened(office: Office, tmp_path: Path):
    owner = await office.owner()
    folder = papers(tmp_path)
    link(tmp_path / "link", folder)
    made = await opened(owner, await address(owner), name="Papers", path=str(tmp_path / "link"))
    assert made["path"] == folder


def link(at: Path, to: str) -> None:
    at.symlink_to(to)


async def test_no_folder_is_open_twice(office: Office, tmp_path: Path):
    owner = await office.owner()
    url = await address(owner)
    folder = Path(papers(tmp_path))
    folders(folder / "sub", tmp_path / "papers2")
    await opened(owner, url, name="Papers", path=str(folder))
    await opened(owner, url, name="Papers 2", path=str(tmp_path / "papers2"))
    other = (await owner.post(f"{API}/workspaces", json={"name": "Away"})).json()
    elsewhere = f"{API}/workspaces/{other['id']}/notebooks"
    for where in (url, elsewhere):
        for path in (folder, folder / "sub"):
            answer = await owner.post(where, json={"name": "Again", "path": str(path)})
            assert answer.status_code == 409
            assert "Papers" in answer.json()["detail"]


def folders(*paths: Path) -> None:
    for path in paths:
        path.mkdir()


async def test_only_admins_of_the_office_open_the_disk_and_see_where_it_is(
    office: Office, tmp_path: Path
):
    owner, mia = await office.owner(), await office.member("mia")
    url = await address(owner)
    space = url.rpartition("/")[0]
    folder = papers(tmp_path)
    on_disk = await opened(owner, url, name="Papers", path=folder)
    assert (await mia.get(url)).status_code == 404
    assert (await mia.post(url, json={"name": "X"})).status_code == 404
    mias = f"{space}/members/{await user_id(mia)}"
    await owner.put(mias, json={"role": "write"})
    assert (await mia.post(url, json={"name": "X"})).status_code == 403
    assert (await mia.patch(f"{url}/{on_disk['id']}", json={"trusted": True})).status_code == 403
    assert (await mia.delete(f"{url}/{on_disk['id']}")).status_code == 403
    await owner.put(mias, json={"role": "admin"})
    refused = await mia.post(url, json={"name": "X", "path": str(tmp_path / "nowhere")})
    assert refused.status_code == 403
    assert "admin of this office" in refused.json()["detail"]
    await opened(mia, url, name="Hers")
    shown = {item["name"]: item["path"] for item in (await mia.get(url)).json()["items"]}
    assert shown == {"Papers": None, "Hers": None}
    program = await office.token(owner, "read", "write")
    assert (await program.post(url, json={"name": "Y", "path": folder})).status_code == 403


async def test_there_are_not_endlessly_many(office: Office, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bailiwick.library.service.MOST", 1)
    owner = await office.owner()
    url = await address(owner)
    made = await opened(owner, url, name="One")
    assert (await owner.post(url, json={"name": "Two"})).status_code == 422
    assert (await owner.patch(f"{url}/{made['id']}", json={"name": "Uno"})).status_code == 200


def test_one_folder_in_another_overlaps_and_a_longer_name_does_not():
    assert allowed_folders.overlap(Path("/a/b"), Path("/a"))
    assert allowed_folders.overlap(Path("/a"), Path("/a/b"))
    assert not allowed_folders.overlap(Path("/a/b"), Path("/a/bc"))
