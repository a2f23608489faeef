"""What the library's page asks for: folders with counts, new files, texts, tags, likeness."""

import pytest

from bailiwick.library.index.indexer import LibraryIndexer
from library.test_files_rest import Drive, drive_of
from support.office import API, Office

pytestmark = pytest.mark.req("LIB-01")


async def new(drive: Drive, path: str, **more: str) -> None:
    made = await drive.person.post(drive.at, json={"path": path, **more})
    assert made.status_code == 200, made.text


async def test_folders_are_shown_level_by_level_with_counts_and_a_lost_one_says_so(
    any_office: Office, tmp_path_factory: pytest.TempPathFactory
):
    drive = await drive_of(any_office)
    for path in ("Files/a.md", "Files/notes/b.md", "Files/notes/deep/c.md", "Files/notes/d.md"):
        await new(drive, path)
    lost = tmp_path_factory.mktemp("lost") / "gone"
    lost.mkdir()
    notebooks = drive.at.replace("/files", "/notebooks")
    body = {"name": "Lost", "path": str(lost)}
    assert (await drive.person.post(notebooks, json=body)).status_code == 201
    lost.rmdir()
    top = {each["name"]: each for each in (await drive.get("/tree")).json()["folders"]}
    assert (top["Files"]["files"], top["Files"]["subfolders"]) == (1, 1)
    assert top["Files"]["problem"] is None
    assert top["Lost"]["problem"]
    (notes,) = (await drive.get("/tree", path="Files")).json()["folders"]
    assert notes == {
        "path": "Files/notes",
        "name": "notes",
        "files": 2,
        "subfolders": 1,
        "problem": None,
    }
    listed = (await drive.get(path="Files/notes")).json()
    assert [each["name"] for each in listed["files"]] == ["deep", "b.md", "d.md"]


async def test_a_large_folder_comes_in_parts_each_once(office: Office):
    drive = await drive_of(office)
    await new(drive, "Files/many/0000.txt")
    (folder,) = office.product.data.glob("notebooks/*/many")
    for number in range(1, 1_030):
        (folder / f"{number:04}.txt").touch()
    names: list[str] = []
    offset: int | None = 0
    while offset is not None:
        part = (await drive.get(path="Files/many", offset=offset)).json()
        names += [each["name"] for each in part["files"]]
        offset = part["nextOffset"]
    assert names == [f"{number:04}.txt" for number in range(1_030)]


@pytest.mark.req("LIB-03", "LIB-05", "LIB-08")
async def test_a_text_is_begun_with_a_template_and_saved_only_over_what_was_seen(office: Office):
    drive = await drive_of(office)
    await new(drive, "Files/templates/letter.md", content="# {{title}}\n\nDear\n")
    await new(drive, "Files/June.md", template="letter.md")
    text = (await drive.get("/text", path="Files/June.md")).json()
    assert text["content"] == "# June\n\nDear\n"
    again = await drive.person.post(drive.at, json={"path": "Files/June.md"})
    assert again.status_code == 409

    async def save(content: str, **headers: str):
        at = {"path": "Files/June.md"}
        return await drive.person.put(
            f"{drive.at}/text", params=at, json={"content": content}, headers=headers
        )

    unseen = await save("x")
    assert unseen.status_code == 400
    assert "If-Match" in unseen.text
    saved = await save("# June\n\nDear Ann\n", **{"If-Match": text["etag"]})
    assert saved.json()["status"] == "done"
    late = await save("# Mine\n", **{"If-Match": text["etag"]})
    assert (late.status_code, set(late.json()["errors"])) == (409, {"etag"})
    now = (await drive.get("/text", path="Files/June.md")).json()
    assert now["content"] == "# June\n\nDear Ann\n"
    assert await drive.undo(saved) == 200
    part = (await drive.get("/text", path="Files/June.md", offset=2, limit=4)).json()
    assert (part["content"], part["nextOffset"]) == ("June", 6)


@pytest.mark.req("LIB-04")
async def test_files_are_tagged_counted_by_tag_and_found_by_likeness(office: Office):
    drive = await drive_of(office)
    rent = "The landlord raises the rent of the flat from June on."
    await new(drive, "Files/rent.md", content=rent)
    await new(drive, "Files/landlord.md", content=f"{rent} Write to him.")
    await new(drive, "Files/soup.md", content="Boil carrots, leeks and potatoes in salted water.")

    async def tag(path: str, *tags: str, remove: bool = False):
        body = {"tags": tags, "remove": remove}
        return await drive.person.patch(f"{drive.at}/tags", params={"path": path}, json=body)

    tagged = await tag("Files/rent.md", "home", "Flat")
    await tag("Files/soup.md", "home")
    assert (await tag("Files/soup.md")).status_code == 400
    details = (await drive.get("/details", path="Files/rent.md")).json()
    assert (details["tags"], details["state"]) == (["flat", "home"], "ready")
    assert list(details["texts"].values()) == [rent]
    used = (await drive.get("/tags")).json()["tags"]
    assert used == [{"tag": "home", "files": 2}, {"tag": "flat", "files": 1}]
    assert await drive.undo(tagged) == 200
    assert (await drive.get("/details", path="Files/rent.md")).json()["tags"] == []
    indexer = office.product[LibraryIndexer]
    indexer.due_now()
    await indexer.scan_due()
    while (wait := await indexer.read_all()) is not None and wait < 1:
        pass
    (nearest, *_) = (await drive.get("/similar", path="Files/rent.md")).json()["files"]
    assert nearest["path"] == "Files/landlord.md"
    stranger = Drive(await office.member("sam"), drive.at.split("/")[4])
    for what in ("/details", "/similar", "/tags", "/tree"):
        assert (await stranger.get(what, path="Files/rent.md")).status_code == 404
    program = await office.token(drive.person, "read")
    refused = await program.post(f"{API}{drive.at.removeprefix(API)}", json={"path": "Files/x.md"})
    assert refused.status_code == 403
