"""Files are found by names, words and meaning, by those who may see them."""

import json
import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from bailiwick.errors import NotFound
from bailiwick.library.index.indexer import LibraryIndexer
from bailiwick.library.index.models import IndexedFile
from library.test_index import followed, write
from library.toolbox import Done, Toolbox
from support.model_server import says
from support.office import API, Office
from support.private import MAIL, private_in
from support.workshop import scripted, workshop_in

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
    assert await search(shelf, "winter", after="2023-11-14", before="2023-11-15") == [
        "Papers/home/roof.md"
    ]
    assert await search(shelf, "winter", after="2023-11-15") == []
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
    everywhere = {"q": "gutters", "kinds": "file"}
    assert (await owner.get(f"{API}/search", params=everywhere)).json()["files"] == [hit]
    assert (await sam.get(f"{API}/search", params=everywhere)).json()["files"] == []
    both = await owner.get(f"{API}/search", params={**only, "tag": "x"})
    assert list(both.json()["errors"]) == ["untagged"]
    late = {**only, "after": "2099-01-01T00:00:00Z"}
    assert (await owner.get(f"{API}/search", params=late)).json()["files"] == []
    assert (await sam.get(f"{API}/search", params=asked)).status_code == 404
    bad = await owner.get(f"{API}/search", params={**asked, "limit": "0"})
    assert list(bad.json()["errors"]) == ["limit"]


@pytest.mark.req("LIB-02", "ID-03")
async def test_search_finds_mail_memories_and_cases_beside_files_for_who_may_see_them(
    office: Office, tmp_path: Path
):
    private = await private_in(office)
    write(tmp_path / "opened", **{"trip.md": f"Notes for {MAIL}: pack light."})
    owner = private.people["admin"]
    at = f"{API}/workspaces/{private.workspace_id}"
    body = {"name": "Trips", "path": str(tmp_path / "opened")}
    assert (await owner.post(f"{at}/notebooks", json=body)).status_code == 201
    made = await private.sam.post(
        f"{API}/memory",
        params={"workspaceId": private.workspace_id},
        json={"content": f"Remember {MAIL} in May"},
    )
    assert made.is_success, made.text
    thread = f"{API}/threads/{private.ids['thread_id']}/messages"
    assert (await private.sam.post(thread, json={"content": f"And {MAIL}?"})).is_success
    indexer = office.product[LibraryIndexer]
    indexer.due_now()
    await indexer.scan_due()
    while (wait := await indexer.read_all()) is not None and wait < 1:
        pass

    async def kinds(person: httpx.AsyncClient, **more: Any) -> set[str]:
        answer = (await person.get(f"{API}/search", params={"q": MAIL, **more})).json()
        others = {each["kind"] for each in answer["others"]}
        for each in answer["others"]:
            assert MAIL in "".join(piece["text"] for piece in each["snippet"]).casefold(), each
            assert each["title"]
        return {*others, *("file" for _ in answer["files"])}

    assert await kinds(private.sam) == {"file", "mail", "memory", "case", "thread"}
    assert await kinds(private.sam, kinds=["mail", "case"]) == {"mail", "case"}
    assert await kinds(private.sam, type="md") == {"file"}
    assert await kinds(private.people["reader"]) == {"file"}
    assert await kinds(private.people["stranger"]) == set()
    assert "memory" not in await kinds(private.people["shown"])
    token = await office.token(private.sam, "read")
    answer = (await token.get(f"{API}/search", params={"q": MAIL})).json()
    assert [each["path"] for each in answer["files"]] == ["Trips/trip.md"]


@pytest.mark.req("LIB-04")
async def test_a_person_gets_a_summary_by_the_model_and_an_agent_the_files_own_sentences(
    office: Office,
):
    shop = await workshop_in(office)
    at = f"{API}/workspaces/{shop.workspace_id}/tools"
    made = {"arguments": {"path": "Files/roof.md", "content": ROOF}}
    assert (await shop.owner.post(f"{at}/create_file", json=made)).is_success
    asked = {"arguments": {"path": "Files/roof.md", "sentences": 1}}
    offline = (await shop.owner.post(f"{at}/summarize_file", json=asked)).json()["result"]
    assert offline["sentences"] == [ROOF]
    answer = json.dumps({"sentences": ["A roof is mended.", "One too many."]})
    with scripted(says(answer)) as server:
        id = await shop.model(server)
        assert (await shop.owner.post(f"{API}/models/{id}/default")).is_success
        summed = (await shop.owner.post(f"{at}/summarize_file", json=asked)).json()["result"]
        assert summed["sentences"] == ["A roof is mended."]
        assert "the model" in summed["made_by"]
        assert ROOF in server.requests[0].last
        assert len(server.requests) == 1
    failed = (await shop.owner.post(f"{at}/summarize_file", json=asked)).json()["result"]
    assert failed["sentences"] == [ROOF], "the server is gone"


async def test_a_closed_notebook_is_forgotten_in_pieces_and_its_folder_stays(
    office: Office, tmp_path: Path
):
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    for number in range(1_100):
        write(tmp_path / "opened", **{f"{number}.txt": "bread"})
    at = f"{API}/workspaces/{space}/notebooks"
    body = {"name": "Papers", "path": str(tmp_path / "opened")}
    id = (await owner.post(at, json=body)).json()["id"]
    await office.product[LibraryIndexer].scan_due()
    commits: list[int] = []
    store = office.product.storage.app
    store.after_commit.append(lambda _: commits.append(1))
    assert (await owner.delete(f"{at}/{id}")).status_code == 204
    assert len(commits) >= 4, "a few hundred files at a time"
    assert (await owner.get(f"{at}/{id}/index")).status_code == 404
    async with store.read() as session:
        assert await session.scalar(select(func.count(IndexedFile.number))) == 0
    assert len(list((tmp_path / "opened").iterdir())) == 1_100
