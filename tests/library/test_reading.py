"""Reading tools: what is shown, what is left out, and whose words it is."""

from pathlib import Path

import pytest

from bailiwick.errors import Invalid, NotFound, RuleViolated
from bailiwick.library import matches as library_matches
from bailiwick.library import read as library_read
from library.toolbox import Toolbox

pytestmark = pytest.mark.req("LIB-01")


def fill(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def paths(done: object) -> list[str]:
    return [item["path"] for item in done.data["files"]]  # pyright: ignore[reportAttributeAccessIssue]


async def test_without_a_path_the_notebooks_are_listed_and_one_of_our_own_is_made(
    any_tools: Toolbox,
):
    listed = await any_tools.use("list_files")
    assert listed.data == {
        "files": [
            {"path": "Files", "kind": "notebook"},
            {"path": "Papers", "kind": "notebook"},
        ],
        "more": False,
    }
    assert paths(await any_tools.use("list_files", path="")) == ["Files", "Papers"]
    other = any_tools.acting(workspace_id="wsp-000000000002")
    assert paths(await other.use("list_files")) == ["Files"]


async def test_a_folder_is_listed_with_facts_and_in_order(tools: Toolbox):
    fill(tools.folder, b_dot_txt="bb", a_dot_txt="a", sub__c_dot_txt="c")
    listed = await tools.use("list_files", path="Papers")
    assert paths(listed) == ["Papers/sub", "Papers/a.txt", "Papers/b.txt"]
    folder, first, _ = listed.data["files"]
    assert first["id"] == "file:Papers/a.txt"
    assert first["size"] == 1
    assert folder == {"path": "Papers/sub", "kind": "folder"}
    everything = await tools.use("list_files", path="Papers/", recursive=True)
    assert paths(everything)[-1] == "Papers/sub/c.txt"
    short = await tools.use("list_files", path="Papers", recursive=True, limit=2)
    assert (len(paths(short)), short.data["more"]) == (2, True)
    with pytest.raises(NotFound, match="There is no Papers/nowhere"):
        await tools.use("list_files", path="Papers/nowhere")


@pytest.mark.req("GATE-03")
async def test_what_is_out_of_scope_is_not_there(tools: Toolbox):
    fill(
        tools.folder,
        open__a_dot_md="needle",
        open__b_dot_txt="needle",
        open__deep__c_dot_md="needle",
        shut__secret_dot_md="needle",
        top_dot_md="needle",
    )
    narrow = tools.within(notebooks=("Papers",), folders=("open/**",), file_types=("*.md",))
    assert paths(await narrow.use("list_files")) == ["Papers"]
    listed = await narrow.use("list_files", path="Papers", recursive=True)
    assert paths(listed) == [
        "Papers/open",
        "Papers/open/a.md",
        "Papers/open/deep",
        "Papers/open/deep/c.md",
    ]
    for where in ({}, {"path": "Papers"}, {"path": "Papers/open"}):
        found = await narrow.use("search_content", query="needle", **where)
        assert sorted(paths(found)) == ["Papers/open/a.md", "Papers/open/deep/c.md"]
        assert not found.data["more"]
    missing = await refused(narrow, "list_files", path="Papers/none")
    assert await refused(narrow, "list_files", path="Papers/shut") == missing.replace(
        "none", "shut"
    )
    for tool in ("read_file", "get_file_metadata"):
        absent = await refused(narrow, tool, path="Papers/open/x.md")
        for there in ("Papers/shut/secret.md", "Papers/open/b.txt", "Papers/top.md"):
            assert await refused(narrow, tool, path=there) == absent.replace(
                "Papers/open/x.md", there
            )
    nothing = tools.within(notebooks=())
    assert paths(await nothing.use("list_files")) == []
    assert paths(await nothing.use("search_content", query="needle")) == []
    with pytest.raises(NotFound):
        await nothing.use("list_files", path="Papers")


async def refused(tools: Toolbox, tool: str, **arguments: str) -> str:
    with pytest.raises(NotFound) as caught:
        await tools.use(tool, **arguments)
    return caught.value.detail


async def test_another_workspace_s_notebooks_are_not_there(tools: Toolbox):
    fill(tools.folder, a_dot_txt="a")
    other = tools.acting(workspace_id="wsp-000000000002")
    with pytest.raises(NotFound, match="no notebook Papers"):
        await other.use("read_file", path="Papers/a.txt")


async def test_a_text_is_read_whole_or_in_parts(tools: Toolbox):
    fill(tools.folder, a_dot_txt="äbcdef")
    whole = await tools.use("read_file", path="Papers/a.txt")
    assert whole.data["content"] == "äbcdef"
    assert (whole.data["characters"], whole.data["next_offset"]) == (6, None)
    part = await tools.use("read_file", path="Papers/a.txt", offset=1, limit=2)
    assert (part.data["content"], part.data["next_offset"]) == ("bc", 3)
    end = await tools.use("read_file", path="Papers/a.txt", offset=6)
    assert (end.data["content"], end.data["next_offset"]) == ("", None)


async def test_what_is_not_text_is_described(tools: Toolbox):
    (tools.folder / "a.png").write_bytes(b"\x89PNG\x00\x01")
    (tools.folder / "b.txt").write_bytes(b"caf\xe9")
    for name in ("a.png", "b.txt"):
        shown = await tools.use("read_file", path=f"Papers/{name}")
        assert shown.data["content"] is None
        assert "not a text" in shown.data["note"]
    facts = await tools.use("get_file_metadata", path="Papers/a.png")
    assert (facts.data["type"], facts.data["size"]) == ("image/png", 6)
    assert facts.data["folder"] == "Papers"


async def test_what_is_too_large_or_no_file_is_refused_in_words(tools: Toolbox):
    with (tools.folder / "large.txt").open("wb") as file:
        file.truncate(library_read.LARGEST_TEXT + 1)
    (tools.folder / "sub").mkdir()
    with pytest.raises(RuleViolated, match="larger than 5 MB"):
        await tools.use("read_file", path="Papers/large.txt")
    for tool in ("read_file", "get_file_metadata"):
        with pytest.raises(Invalid, match="is a folder"):
            await tools.use(tool, path="Papers/sub")
        with pytest.raises(Invalid, match="name a file"):
            await tools.use(tool, path="Papers")
    assert paths(await tools.use("search_content", query="LARGE")) == ["Papers/large.txt"]


async def test_a_search_finds_names_and_text_in_any_case(tools: Toolbox):
    fill(
        tools.folder,
        Straße_dot_md="nothing here",
        notes__b_dot_txt="one\nEin STRASSE weiter\nthree",
        notes__c_dot_txt="nothing",
    )
    found = await tools.use("search_content", query="strasse")
    assert paths(found) == ["Papers/Straße.md", "Papers/notes/b.txt"]
    assert [item["lines"] for item in found.data["files"]] == [[], ["Ein STRASSE weiter"]]
    one = await tools.use("search_content", query="strasse", limit=1)
    assert (len(paths(one)), one.data["more"]) == (1, True)
    fill(tools.folder, many_dot_txt="\n".join(f"hit {'x' * 1000} {n}" for n in range(50)))
    [many] = (await tools.use("search_content", query="hit")).data["files"]
    assert len(many["lines"]) == library_matches.MOST_LINES
    assert all(len(line) < 300 for line in many["lines"])


async def test_a_search_ends_when_it_has_looked_through_enough(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(library_read.ReadBudget.__init__, "__defaults__", (3, 50))
    fill(tools.folder, **{f"n{n}_dot_txt": "x" * 20 for n in range(9)})
    found = await tools.use("search_content", query="absent")
    assert (paths(found), found.data["more"]) == ([], True)
    listed = await tools.use("list_files", path="Papers")
    assert (len(paths(listed)), listed.data["more"]) == (3, True)


@pytest.mark.req("GATE-16")
async def test_a_strangers_file_is_a_strangers_words_and_so_is_its_name(tools: Toolbox):
    fill(tools.folder, sub__a_dot_txt="needle", inbox__b_dot_txt="needle")
    assert (await tools.use("list_files")).label == "owner"
    for tool, arguments in (
        ("list_files", {"path": "Papers"}),
        ("read_file", {"path": "Papers/sub/a.txt"}),
        ("get_file_metadata", {"path": "Papers/sub/a.txt"}),
        ("search_content", {"query": "needle"}),
    ):
        assert (await tools.use(tool, **arguments)).label == "stranger", tool
    read = await tools.use("read_file", path="Papers/sub/a.txt")
    assert read.output.sources[0].about == "the file Papers/sub/a.txt"
    await tools.trust()
    for tool, arguments in (
        ("list_files", {"path": "Papers"}),
        ("read_file", {"path": "Papers/sub/a.txt"}),
        ("get_file_metadata", {"path": "Papers/sub/a.txt"}),
        ("search_content", {"query": "needle", "path": "Papers/sub"}),
    ):
        assert (await tools.use(tool, **arguments)).label == "owner", tool
    for tool, arguments in (
        ("list_files", {"path": "Papers/inbox"}),
        ("list_files", {"path": "Papers", "recursive": True}),
        ("read_file", {"path": "Papers/inbox/b.txt"}),
        ("search_content", {"query": "needle"}),
        ("search_content", {"query": "b.txt"}),
    ):
        assert (await tools.use(tool, **arguments)).label == "stranger", tool


@pytest.mark.req("GATE-16")
async def test_an_inbox_is_one_however_it_is_written(tools: Toolbox):
    await tools.trust()
    fill(tools.folder, INBOX__a_dot_txt="x", Inbox__deep__b_dot_txt="x", inbox_dot_txt="x")
    for path, label in (
        ("INBOX/a.txt", "stranger"),
        ("Inbox/deep/b.txt", "stranger"),
        ("inbox.txt", "owner"),
    ):
        assert (await tools.use("read_file", path=f"Papers/{path}")).label == label


@pytest.mark.req("GATE-16")
async def test_a_search_that_shows_a_strangers_folder_is_a_strangers(tools: Toolbox):
    fill(tools.folder, strange__a_dot_txt="x")
    await tools.use("create_file", path="Papers/strange/mine.txt", content="needle")
    await tools.use("create_file", path="Papers/ours/mine.txt", content="needle")
    strange = await tools.use("search_content", query="needle", path="Papers")
    assert {(each.about, each.label) for each in strange.output.sources} == {
        ("the file Papers/strange/mine.txt", "stranger"),
        ("the file Papers/ours/mine.txt", "owner"),
    }
    inside = await tools.use("search_content", query="needle", path="Papers/strange")
    assert inside.label == "owner"
