"""Notebooks that the office keeps sealed are copied out by command, also when they are closed."""

from pathlib import Path

import pytest

from bailiwick.config import Settings
from support.office import API, opened_office
from support.server import cli

pytestmark = pytest.mark.req("ACC-10")
HEX, OTHER = "5e" * 32, "5f" * 32


async def closed_notebook(data: Path) -> str:
    """The id of a notebook with two files, closed."""
    async with opened_office(Settings.model_validate({"data": data, "data_key": HEX})) as office:
        owner = await office.owner()
        space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
        books = f"{API}/workspaces/{space}/notebooks"
        made = (await owner.post(books, json={"name": "Papers"})).json()["id"]
        for path in ("Papers/deep/Quince.md", "Papers/plain.txt"):
            body = {"arguments": {"path": path, "content": f"Lanternfish in {path}"}}
            done = await owner.post(f"{API}/workspaces/{space}/tools/create_file", json=body)
            assert done.status_code == 200, done.text
        assert (await owner.delete(f"{books}/{made}")).status_code == 204
    return made


def copied(data: Path, *arguments: object, key: str = HEX):
    given = {"BAILIWICK_DATA_KEY": key}
    return cli("notebook", *map(str, arguments), data=data, env=given)


async def test_a_closed_notebook_is_copied_out_in_the_clear(tmp_path: Path):
    data, target = tmp_path / "data", tmp_path / "out" / "papers"
    notebook = await closed_notebook(data)
    before = sorted(path.name for path in data.rglob("*"))
    assert notebook in copied(data, "list").stdout
    done = copied(data, "copy", notebook, target)
    assert done.returncode == 0, done.stderr
    found = {path.relative_to(target): path for path in target.rglob("*") if path.is_file()}
    assert {str(name) for name in found} == {"deep/Quince.md", "plain.txt"}
    for name, path in found.items():
        assert path.read_text() == f"Lanternfish in Papers/{name}"
        assert path.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in data.rglob("*")) == before


async def test_nothing_is_overwritten_and_another_key_or_notebook_is_refused(tmp_path: Path):
    data, target = tmp_path / "data", tmp_path / "papers"
    notebook = await closed_notebook(data)
    target.mkdir()
    (target / "plain.txt").write_text("mine")
    refused = copied(data, "copy", notebook, target)
    assert refused.returncode != 0
    assert "not empty" in refused.stderr
    assert [path.read_text() for path in target.iterdir()] == ["mine"]
    other = copied(data, "copy", notebook, tmp_path / "new", key=OTHER)
    assert "sealed with the data key" in other.stderr
    assert "There is no notebook" in copied(data, "copy", "ntb-x", tmp_path / "new").stderr
    assert not (tmp_path / "new").exists()


async def test_a_file_that_was_altered_on_the_disk_is_named_and_not_copied(tmp_path: Path):
    data, target = tmp_path / "data", tmp_path / "papers"
    notebook = await closed_notebook(data)
    (folder,) = (path for path in (data / "notebooks").glob(f"{notebook}.*") if path.is_dir())
    (altered,) = (path for path in folder.iterdir() if path.is_file())
    altered.write_bytes(altered.read_bytes()[:-1] + b"x")
    done = copied(data, "copy", notebook, target)
    assert done.returncode == 1
    assert "plain.txt" in done.stdout
    assert [path.name for path in target.rglob("*") if path.is_file()] == ["Quince.md"]
