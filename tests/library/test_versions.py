"""Earlier versions of files, and that nobody overwrites what they have not seen."""

from typing import Any

import pytest

from bailiwick.errors import Conflict, NotFound
from bailiwick.library import changes
from library.toolbox import Done, Toolbox

A = "Papers/a.md"


async def listed(tools: Toolbox, path: str = A) -> list[dict[str, Any]]:
    return (await tools.use("list_file_versions", path=path)).data["versions"]


async def told(tools: Toolbox, path: str = A) -> list[tuple[str, str | None, int]]:
    return [(each["change"], each["by"], each["size"]) for each in await listed(tools, path)]


@pytest.mark.req("LIB-03", "LIB-08")
async def test_every_write_keeps_what_was_there_also_what_another_program_wrote(
    any_tools: Toolbox,
):
    tools = any_tools
    await tools.use("create_file", path=A, content="1")
    await tools.acting(actor_name="Olive").use("write_file", path=A, content="22")
    (tools.folder / "a.md").write_text("333")
    await tools.use("update_file_properties", path=A, properties={"n": 4})
    assert await told(tools) == [
        ("properties", "Tester", len("---\nn: 4\n---\n333")),
        ("found", None, 3),
        ("replaced", "Olive", 2),
        ("created", "Tester", 1),
    ]
    assert [each["is_current"] for each in await listed(tools)] == [True, False, False, False]


@pytest.mark.req("LIB-08")
async def test_a_version_is_restored_and_that_can_be_undone(any_tools: Toolbox):
    tools = any_tools
    await tools.use("create_file", path=A, content="one")
    await tools.use("write_file", path=A, content="two")
    first = (await listed(tools))[-1]["id"]
    shown = await tools.preview("restore_file", path=A, version=first)
    assert "-two" in shown["text"]
    assert "+one" in shown["text"]
    done = await tools.use("restore_file", path=A, version=first)
    assert (tools.folder / "a.md").read_text() == "one"
    assert (await told(tools))[0] == ("restored", "Tester", 3)
    await tools.undo(done)
    assert (tools.folder / "a.md").read_text() == "two"
    assert (await told(tools))[0] == ("undone", "Tester", 3)
    with pytest.raises(NotFound, match="no such version"):
        await tools.use("restore_file", path=A, version="fvr-000000000000")


async def test_a_deleted_file_is_restored_from_its_versions_and_gone_again_when_undone(
    tools: Toolbox,
):
    await tools.use("create_file", path=A, content="one")
    await tools.use("delete_file", path=A)
    versions = await listed(tools)
    assert [each["change"] for each in versions] == ["deleted", "created"]
    assert not any(each["is_current"] for each in versions)
    done = await tools.use("restore_file", path=A, version=versions[0]["id"])
    assert (tools.folder / "a.md").read_text() == "one"
    await tools.undo(done)
    assert not (tools.folder / "a.md").exists()


async def test_versions_go_with_a_file_that_is_moved_and_belong_to_no_other(tools: Toolbox):
    await tools.use("create_file", path=A, content="one")
    await tools.use("write_file", path=A, content="two")
    first = (await listed(tools))[-1]["id"]
    moved = await tools.use("move_file", path=A, to="Files/b.md")
    with pytest.raises(NotFound):
        await listed(tools)
    assert len(await listed(tools, "Files/b.md")) == 2
    await tools.use("create_file", path=A, content="other")
    with pytest.raises(NotFound, match="no such version"):
        await tools.use("restore_file", path=A, version=first)
    await tools.use("delete_file", path=A)
    await tools.undo(moved)
    assert first in [each["id"] for each in await listed(tools)]


async def test_a_version_out_of_scope_is_not_there(tools: Toolbox):
    await tools.use("create_file", path="Papers/closed/a.md", content="one")
    [version] = await listed(tools, "Papers/closed/a.md")
    other = tools.within(folders=("open",))
    with pytest.raises(NotFound):
        await listed(other, "Papers/closed/a.md")
    with pytest.raises(NotFound):
        await other.use("restore_file", path="Papers/closed/a.md", version=version["id"])


async def test_a_restored_version_has_the_label_that_it_had(tools: Toolbox):
    await tools.trust()
    await tools.acting(label="stranger").use("create_file", path=A, content="theirs")
    await tools.use("write_file", path=A, content="mine")
    await tools.use("restore_file", path=A, version=(await listed(tools))[-1]["id"])
    assert (await tools.use("read_file", path=A)).label == "stranger"


@pytest.mark.req("LIB-03", "LIB-08")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_file", {"content": "mine"}),
        ("update_file_properties", {"properties": {"a": 1}}),
        ("move_file", {"to": "Papers/b.md"}),
        ("delete_file", {}),
    ],
)
async def test_what_changed_since_the_caller_saw_it_is_left_alone(
    tools: Toolbox, tool: str, arguments: dict[str, Any]
):
    file = tools.folder / "a.md"
    file.write_text("one")
    seen = (await tools.use("read_file", path=A)).data["etag"]
    assert (await tools.use("get_file_metadata", path=A)).data["etag"] == seen
    run = tools.acting(context_id="run-1")
    await run.use("read_file", path=A)
    file.write_text("two")
    now = changes.digest(b"two")[:32]
    with pytest.raises(Conflict, match=rf"{now} is there now, and you saw {seen}") as refused:
        await tools.use(tool, path=A, etag=seen, **arguments)
    assert refused.value.errors
    assert {*refused.value.errors} == {"etag"}
    with pytest.raises(Conflict, match="changed since you saw it"):
        await run.use(tool, path=A, **arguments)
    assert file.read_text() == "two"
    other = tools.acting(context_id="run-2")
    await run.use("read_file", path=A)
    await run.use(tool, path=A, **arguments)
    assert not file.exists() or file.read_text() != "two"
    assert other


async def test_a_run_goes_on_with_what_it_wrote_itself(tools: Toolbox):
    run = tools.acting(context_id="run-1")
    await run.use("create_file", path=A, content="one")
    done = await run.use("write_file", path=A, content="two")
    await run.use("write_file", path=A, content="three", etag=done.data["etag"])
    await run.use("write_file", path=A, content="four")
    await tools.use("write_file", path=A, content="five")
    with pytest.raises(Conflict):
        await run.use("write_file", path=A, content="six")
    assert (tools.folder / "a.md").read_text() == "five"


@pytest.mark.req("LIB-05")
async def test_a_file_is_made_from_a_template_whose_words_stay_its_writers(tools: Toolbox):
    await tools.trust()
    folder = tools.folder / "templates"
    folder.mkdir()
    (folder / "meeting.md").write_text("# {{title}}\n{{content}}\nEnd")
    made: Done = await tools.use(
        "create_file", path="Papers/June.md", template="meeting", content="Who came"
    )
    assert (tools.folder / "June.md").read_text() == "# June\nWho came\nEnd"
    assert (await tools.use("read_file", path="Papers/June.md")).label == "owner"
    await tools.undo(made)
    await tools.trust(trusted=False)
    await tools.use("create_file", path="Files/July.md", template="Papers/templates/meeting.md")
    assert (await tools.use("read_file", path="Files/July.md")).label == "stranger"
    with pytest.raises(NotFound):
        await tools.use("create_file", path="Papers/x.md", template="none")
    narrow = tools.within(create=True, folders=("notes",))
    with pytest.raises(NotFound):
        await narrow.use("create_file", path="Papers/notes/x.md", template="meeting")
    assert not (tools.folder / "notes").exists()


async def test_a_list_is_narrowed_by_a_pattern(tools: Toolbox):
    for name in ("a.md", "b.txt", "sub/c.md", "sub/deep/d.md"):
        (tools.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (tools.folder / name).write_text("x")

    async def found(pattern: str, **more: Any) -> list[str]:
        done = await tools.use("list_files", path="Papers", pattern=pattern, **more)
        return [each["path"].removeprefix("Papers/") for each in done.data["files"]]

    assert await found("*.md") == ["a.md"]
    assert await found("*.md", recursive=True) == ["a.md", "sub/c.md", "sub/deep/d.md"]
    assert await found("sub/*.md") == ["sub/c.md"]
    assert await found("**/*.md") == ["a.md", "sub/c.md", "sub/deep/d.md"]
    assert {each["path"] for each in (await tools.use("list_files", path="/")).data["files"]} == {
        "Files",
        "Papers",
    }
