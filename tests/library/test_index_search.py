"""Files are found by names, words and meaning, by those who may see them."""

import os
from pathlib import Path
from typing import Any

import pytest

from bailiwick.errors import NotFound
from bailiwick.library.index.indexer import LibraryIndexer
from library.test_index import followed, write
from library.toolbox import Done, Toolbox
from support.office import API, Office

ROOF = "The slater mends the roof of the barn before the winter, and renews the gutters."
BREAD = "Knead flour, water and yeast, and let the dough rest before you bake the bread."


def paths(done: Done) -> list[str]:
    return [file["path"] for file in done.data["files"]]


async def search(box: Toolbox, query: str, **more: Any) -> list[str]:
    return paths(await box.use("filesystem_search", virtualRoot="", query=query, **more))


def age(folder: Path) -> None:
    for path in folder.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


@pytest.fixture
async def shelf(any_tools: Toolbox) -> Toolbox:
    """A notebook with a few papers, indexed."""
    write(any_tools.folder, **{"home__roof.md": ROOF, "kitchen__bread.txt": BREAD})
    write(any_tools.folder, **{"home__inbox__note.md": "---\ntags: urgent\n---\nRoof: call Anna"})
    await followed(any_tools)
    return any_tools


@pytest.mark.req("LIB-02", "LIB-01")
async def test_names_words_and_meaning_find_a_file_with_the_place_where_it_says_so(shelf: Toolbox):
    assert set(await search(shelf, "roof", mode="keyword")) == {
        "Papers/home/roof.md",
        "Papers/home/inbox/note.md",
    }
    found = await shelf.use("filesystem_search", virtualRoot="Papers", query="gutters")
    assert found.data["files"][0]["path"] == "Papers/home/roof.md"
    assert "renews the gutters" in found.data["files"][0]["snippet"]
    assert found.data["files"][0]["found_by"] == "words"
    baking = await search(shelf, "recipe for a loaf", mode="semantic")
    assert baking[:1] == ["Papers/kitchen/bread.txt"]
    assert await search(shelf, "recipe for a loaf", mode="keyword") == []
    similar = await shelf.use("find_similar", path="Papers/home/roof.md")
    assert "Papers/home/roof.md" not in paths(similar)


@pytest.mark.req("LIB-04")
async def test_tags_are_given_taken_back_and_searched_untagged_too(shelf: Toolbox):
    assert await search(shelf, "roof", tag="urgent") == ["Papers/home/inbox/note.md"]
    tagged = await shelf.use("tag_file", path="Papers/home/roof.md", tags=["House", "winter"])
    assert tagged.data["tags"] == ["house", "winter"]
    assert await search(shelf, "winter", tag="house") == ["Papers/home/roof.md"]
    assert await search(shelf, "the", untagged=True) == ["Papers/kitchen/bread.txt"]
    await shelf.undo(tagged)
    assert await search(shelf, "winter", tag="house") == []


@pytest.mark.req("LIB-06")
async def test_a_file_shows_its_text_by_extractor_its_summary_and_whom_it_names(shelf: Toolbox):
    letter = (
        "Dear Mr. Arthur Miller, the invoice of 3 March 2026 over € 1,250.00 is open. "
        "Please pay to Anna Weber in Vienna, anna@example.org, before 2026-04-01."
    )
    write(shelf.folder, **{"letter.txt": letter})
    await followed(shelf)
    got = await shelf.use("get_file", path="Papers/letter.txt")
    assert got.data["digests"] == {"plain": letter}
    assert got.label == "stranger"
    named = (await shelf.use("extract_entities", path="Papers/letter.txt")).data
    assert named["dates"] == ["3 March 2026", "2026-04-01"]
    assert named["amounts"] == ["€ 1,250.00"]
    assert {"Arthur Miller", "Anna Weber"} <= set(named["people"])
    assert named["places"] == ["Vienna"]
    assert named["addresses"] == ["anna@example.org"]
    short = await shelf.use("summarize_file", path="Papers/home/roof.md", sentences=1)
    assert "roof" in short.data["summary"]


async def test_recent_files_and_the_tree_of_folders(shelf: Toolbox):
    (shelf.folder / "empty").mkdir()
    recent = await shelf.use("list_recent_files", limit=2, type="text/markdown")
    assert set(paths(recent)) == {"Papers/home/roof.md", "Papers/home/inbox/note.md"}
    tree = (await shelf.use("get_folder_tree", depth=1)).data["folders"]
    (papers,) = [each for each in tree if each["name"] == "Papers"]
    assert [each["name"] for each in papers["folders"]] == ["empty", "home", "kitchen"]
    home = papers["folders"][1]
    assert (home["name"], home["path"], home["files"]) == ("home", "Papers/home", 1)
    assert "roof" in home["about"]
    assert papers["folders"][0]["about"] == []
    bare = (await shelf.use("get_folder_tree", depth=1, words=0)).data["folders"]
    assert "roof" not in str(bare)


@pytest.mark.req("GATE-03", "LIB-02")
async def test_a_narrow_scope_and_another_workspace_find_nothing_that_is_not_theirs(
    shelf: Toolbox,
):
    for number in range(40):
        write(shelf.folder, **{f"shut__{number}.md": "needle and thread"})
    write(shelf.folder, **{"open__a.md": "needle", "open__b.txt": "needle"})
    await followed(shelf)
    narrow = shelf.within(folders=("open/**",), file_types=("md",))
    assert await search(narrow, "needle", limit=1) == ["Papers/open/a.md"]
    assert paths(await narrow.use("search_content", query="needle", limit=1)) == [
        "Papers/open/a.md"
    ]
    assert await search(narrow, "needle and thread", mode="semantic") in ([], ["Papers/open/a.md"])
    assert paths(await narrow.use("list_recent_files")) == ["Papers/open/a.md"]
    for tool in ("get_file", "summarize_file", "extract_entities", "find_similar"):
        with pytest.raises(NotFound):
            await narrow.use(tool, path="Papers/shut/1.md")
    with pytest.raises(NotFound):
        await narrow.use("tag_file", path="Papers/shut/1.md", tags=["x"])
    other = shelf.acting(workspace_id="wsp-000000000002")
    assert await search(other, "needle") == []
    assert paths(await other.use("list_recent_files")) == []
    nothing = shelf.within(notebooks=())
    assert await search(nothing, "needle") == []


@pytest.mark.req("LIB-01")
async def test_search_content_finds_what_the_index_has_and_what_it_has_not_read_yet(
    shelf: Toolbox,
):
    found = await shelf.use("search_content", query="the gutters")
    assert paths(found) == ["Papers/home/roof.md"]
    assert found.data["files"][0]["lines"] == [ROOF]
    await shelf.use("create_file", path="Papers/new.md", content="a fresh zebra")
    assert paths(await shelf.use("search_content", query="zebra")) == ["Papers/new.md"]
    read = await shelf.use("filesystem_retrieve", virtualRoot="Papers", filePath="new.md")
    assert read.data["content"] == "a fresh zebra"


@pytest.mark.req("LIB-02")
async def test_files_are_searched_over_rest_by_members_alone(office: Office, tmp_path: Path):
    owner, sam = await office.owner(), await office.member("sam")
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    folder = tmp_path / "opened"
    write(folder, **{"plans__roof.md": ROOF, "bread.txt": BREAD})
    body = {"name": "Papers", "path": str(folder)}
    made = await owner.post(f"{API}/workspaces/{space}/notebooks", json=body)
    indexer = office.product[LibraryIndexer]
    await indexer.scan_due()
    while (wait := await indexer.read_all()) is not None and wait < 1:
        pass
    asked = {"workspaceId": space, "q": "gutters"}
    (hit,) = (await owner.get(f"{API}/search", params=asked)).json()["files"]
    assert (hit["path"], hit["notebookId"]) == ("Papers/plans/roof.md", made.json()["id"])
    assert [piece["text"] for piece in hit["snippet"] if piece["found"]] == ["gutters"]
    only = {**asked, "q": "", "folder": "Papers/plans", "type": "md", "untagged": "true"}
    newest = (await owner.get(f"{API}/search", params=only)).json()["files"]
    assert [each["path"] for each in newest] == ["Papers/plans/roof.md"]
    late = {**only, "after": "2099-01-01T00:00:00Z"}
    assert (await owner.get(f"{API}/search", params=late)).json()["files"] == []
    assert (await sam.get(f"{API}/search", params=asked)).status_code == 404
    bad = await owner.get(f"{API}/search", params={**asked, "limit": "0"})
    assert list(bad.json()["errors"]) == ["limit"]
