"""The library: folders, files with all that belongs to them, and search, on a desk and a phone."""

import io
import zipfile

import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, expect

from e2e.conftest import take_back, wait_on
from e2e.sample import Furnished
from e2e.test_every_page import DESKTOP, PHONE, looks_right, looks_right_to_all, settled
from support.office import API

pytestmark = pytest.mark.req("LIB-05", "LIB-08", "UI-01")
NOTE = "Files/notes/June.md"
DROP = """(target, [name, text]) => {
  const data = new DataTransfer(); data.items.add(new File([text], name));
  for (const type of ["dragover", "drop"]) target.dispatchEvent(
    new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true})); }"""


def put(office: Furnished, path: str, text: str | bytes, **headers: str) -> None:
    """A file that the owner puts there elsewhere."""
    at = f"{API}/workspaces/{office.workspace_id}/files/content"
    content = text if isinstance(text, bytes) else text.encode()
    done = office.owner.put(at, params={"path": path}, content=content, headers=headers)
    assert done.is_success, done.text


def etag(office: Furnished, path: str) -> str:
    at = f"{API}/workspaces/{office.workspace_id}/files/text"
    return office.owner.get(at, params={"path": path}).json()["etag"]


def opened(context: BrowserContext, office: Furnished, rest: str = "folder=Files/notes") -> Page:
    page = context.new_page()
    settled(page, f"/library?workspace={office.workspace_id}&{rest}")
    return page


def test_a_file_is_looked_at_changed_brought_back_and_deleted(
    inside: BrowserContext, office: Furnished
):
    put(office, NOTE, "---\nstatus: draft\n---\n# Rent\n")
    page = opened(inside, office)
    page.get_by_role("button", name="June.md").click()
    pane = page.get_by_role("region", name="File", exact=True)
    expect(pane.get_by_text("Rent", exact=True)).to_be_visible()
    expect(pane.get_by_text("status: draft")).to_have_count(0)
    looks_right(page, "library")

    pane.get_by_role("tab", name="Properties").click()
    pane.get_by_label("Value of status").fill("done")
    pane.get_by_role("button", name="Save status").click()
    expect(page.get_by_text("The properties are changed.")).to_be_visible()

    pane.get_by_role("tab", name="Versions").click()
    versions = pane.get_by_role("list", name="Versions").get_by_role("listitem")
    expect(versions).to_have_count(2)
    pane.get_by_role("button", name="What changed since").click()
    expect(pane.get_by_text("status: done")).to_be_visible()
    pane.get_by_role("button", name="Bring this version back").click()
    expect(versions).to_have_count(3)
    take_back(page, "June.md is as it was then.")
    expect(versions).to_have_count(4)
    pane.get_by_role("button", name="Compare two versions").click()
    pane.get_by_label("From").select_option(index=3)
    expect(pane.get_by_role("region", name="What changed since")).to_be_visible()

    page.get_by_label("More for June.md").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("button", name="June.md")).to_have_count(0)
    take_back(page, "June.md is deleted.")
    expect(page.get_by_role("button", name="June.md", exact=False)).to_be_visible()


@pytest.mark.req("LIB-03")
def test_a_text_is_written_from_a_template_survives_a_reload_and_overwrites_nothing_unseen(
    inside: BrowserContext, office: Furnished
):
    put(office, "Files/templates/letter.md", "# {{title}}\r\n\r\nDear\r\n")
    page = opened(inside, office, "folder=Files/letters")
    page.on("dialog", Dialog.accept)
    page.goto(f"/library?workspace={office.workspace_id}&folder=Files")
    page.get_by_role("button", name="New file").click()
    dialog = page.get_by_role("dialog", name="New file")
    dialog.get_by_label("Name").fill("To Ann")
    dialog.get_by_label("Folder").fill("Files/letters")
    dialog.get_by_label("Begin with").select_option("letter.md")
    dialog.get_by_role("button", name="Make the file").click()
    field = page.get_by_label("Text of To Ann.md")
    expect(field).to_have_value("# To Ann\n\nDear\n")
    field.fill("# To Ann\n\nDear Ann\n")
    page.reload()
    expect(field).to_have_value("# To Ann\n\nDear Ann\n")
    looks_right(page, "editor")

    path = "Files/letters/To Ann.md"
    put(office, path, "Theirs\r\n", **{"If-Match": etag(office, path)})
    choice = page.get_by_role("alert", name="It was changed meanwhile")
    expect(choice).to_be_visible()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    choice.get_by_role("button", name="What is there now").click()
    expect(choice.get_by_text("Theirs")).to_be_visible()
    choice.get_by_role("button", name="Go on with mine").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("tabpanel").get_by_text("Dear Ann")).to_be_visible()
    at = f"{API}/workspaces/{office.workspace_id}/files"
    read = office.owner.get(f"{at}/content", params={"path": path})
    assert read.content == b"# To Ann\r\n\r\nDear Ann\r\n"
    found = office.owner.get(f"{at}/versions", params={"path": path}).json()["versions"]
    assert len(found) == 3

    page.get_by_role("button", name="Edit").click()
    field.fill("Mine again")
    assert office.owner.delete(at, params={"path": path}).is_success
    page.get_by_role("button", name="Make it again with my text").click()
    expect(page.get_by_role("tabpanel").get_by_text("Mine again")).to_be_visible()


@pytest.mark.req("LIB-04")
def test_files_come_by_drop_get_tags_and_are_found_by_them_on_a_phone_too(
    inside: BrowserContext, office: Furnished
):
    agent = {"workspaceId": office.workspace_id, "name": "Archivist"}
    assert office.owner.post(f"{API}/agents", json=agent).is_success
    put(office, "Files/roof/here.md", "Words about the roof")
    page = opened(inside, office, "folder=Files")
    listed = page.get_by_role("list", name="Files and folders")
    folder = listed.get_by_role("button", name="roof", exact=True)
    folder.evaluate(DROP, ["July.md", "The roof leaks in July"])
    take_back(page, "July.md is in Files/roof.")
    text = f"{API}/workspaces/{office.workspace_id}/files/text"
    july = {"path": "Files/roof/July.md"}
    wait_on(page, lambda: office.owner.get(text, params=july).status_code == 404)
    folder.evaluate(DROP, ["July.md", "The roof leaks in July"])
    expect(page.get_by_role("alert").filter(has_text="July.md is in Files/roof.")).to_be_visible()
    folder.click()
    expect(page.get_by_role("button", name="July.md", exact=False)).to_be_visible()
    page.get_by_role("region", name="Files").evaluate(
        "(e, drop) => eval(drop)(e.firstElementChild, ['July.md', 'Other'])", DROP
    )
    page.get_by_role("button", name="Keep both").click()
    expect(page.get_by_role("button", name="July (2).md", exact=False)).to_be_visible()

    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Folders", exact=True).click()
    drawer = page.get_by_role("dialog", name="Folders")
    looks_right(page, "folders")
    drawer.get_by_role("button", name="roof", exact=False).last.click()
    expect(drawer).to_have_count(0)
    page.get_by_role("button", name="July.md", exact=False).click()
    page.get_by_role("button", name="Add a tag").click()
    page.get_by_role("combobox", name="New tag").fill("Leak")
    page.get_by_role("button", name="Add", exact=True).click()
    tags = page.get_by_role("group", name="Tags")
    expect(tags.get_by_role("button", name="leak", exact=True)).to_be_visible()
    looks_right_to_all(page, "library", PHONE, PHONE)
    tags.get_by_role("button", name="leak", exact=True).click()
    page.get_by_role("button", name="Back to the list").click()
    found = page.get_by_role("list", name="Found files").get_by_role("listitem")
    expect(found).to_have_count(1)
    page.get_by_label("Search in files").fill("leaks")
    expect(found.locator("mark", has_text="leaks")).to_be_visible()
    page.get_by_label("Type", exact=True).select_option("PDF")
    expect(page.get_by_text("Nothing was found")).to_be_visible()
    page.get_by_label("Type", exact=True).select_option("Any type")
    looks_right(page, "found files")
    found.get_by_role("button").click()
    page.get_by_role("button", name="Ask an agent").click()
    dialog = page.get_by_role("dialog", name="Hand this file to an agent")
    expect(dialog.get_by_label("What to do")).to_have_value(
        "Look at the file Files/roof/July.md and "
    )
    dialog.get_by_label("Agent").select_option("Archivist")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/chat/**")
    expect(page.get_by_text("Look at the file Files/roof/July.md").first).to_be_visible()


@pytest.mark.req("LIB-02")
def test_a_large_folder_is_made_as_far_as_it_is_seen_and_nothing_of_a_file_runs(
    inside: BrowserContext, office: Furnished
):
    (folder,) = [each.parent for each in office.server.data.glob("notebooks/*/plan.txt")]
    (folder / "many").mkdir()
    for number in range(1_200):
        (folder / "many" / f"{number:04}.txt").touch()
    page = opened(inside, office, "folder=Files/many")
    rows = page.get_by_role("list", name="Files and folders").get_by_role("listitem")
    expect(rows.first).to_contain_text("0000.txt")
    assert rows.count() < 100
    pane = page.get_by_role("region", name="Files")

    def at_the_end() -> bool:
        pane.evaluate("(e) => e.scrollTo(0, e.scrollHeight)")
        return "1199.txt" in rows.last.inner_text()

    wait_on(page, at_the_end)
    assert rows.count() < 100

    ran = "<script>document.title = 'ran'</script><b onclick='x'>Bold</b>"
    put(office, "Files/evil/page.html", ran)
    put(office, "Files/evil/drawing.svg", f"<svg xmlns='http://www.w3.org/2000/svg'>{ran}</svg>")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inside/roof.txt", "x")
    put(office, "Files/evil/papers.zip", packed.getvalue())
    put(office, "Files/evil/noise.bin", bytes(range(256)))
    page.set_viewport_size(DESKTOP)
    told = {
        "page.html": ran,
        "drawing.svg": ran,
        "papers.zip": "inside/roof.txt",
        "noise.bin": "No text: ",
    }
    for name, shown in told.items():
        page.goto(f"/library?workspace={office.workspace_id}&file=Files/evil/{name}")
        expect(page.get_by_role("tabpanel").get_by_text(shown)).to_be_visible()
        assert page.title() != "ran"
