"""Papers that arrive: suggested, moved, taken back and kept, by keyboard too, and on a phone."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import tab, take_back
from e2e.sample import Furnished
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled
from support.model_server import Request, Turn, says, serving_model
from support.office import API
from support.server import wait_for
from support.tray import INVOICE, suggesting

SOLVED: list[str] = []  # papers that the organiser has an answer for by now


def organise(request: Request) -> Turn:
    """Suggests a folder for each paper, and answers whoever asks."""
    said = "\n".join(str(message["content"]) for message in request.messages)
    if "arrived in the inbox" not in said:
        return says("You move them. I only suggest.")
    if "riddle.txt" in said and not SOLVED:
        return says("I do not know.", pause=0.2)
    sure = 0.4 if "unclear" in said else 0.92
    return suggesting("finance", confidence=sure)(request)


@pytest.fixture
def papers(office: Furnished, tmp_path: Path) -> Iterator[Path]:
    """A folder with an inbox, and an organiser that a scripted model is."""
    for name in ("inbox", "finance", "letters"):
        (tmp_path / name).mkdir()
        if name != "inbox":
            (tmp_path / name / "old.txt").write_text(f"Something older for {name}.")
    here = {"workspaceId": office.workspace_id}
    notebooks = f"{API}/workspaces/{office.workspace_id}/notebooks"
    with serving_model(organise) as server:
        made = {"name": "For the inbox", "provider": "compatible", "model": "scripted-1"}
        model = post(office, "models", **made, baseUrl=server.base_url, key="sk-test")
        chosen = {"modelId": model}
        office.owner.patch(f"{API}/inbox/settings", params=here, json=chosen).raise_for_status()
        of = post(
            office, f"workspaces/{office.workspace_id}/notebooks", name="Papers", path=str(tmp_path)
        )
        yield tmp_path
        office.owner.delete(f"{notebooks}/{of}").raise_for_status()
        SOLVED.clear()
        default = {"modelId": None, "autoOrganize": True}
        office.owner.patch(f"{API}/inbox/settings", params=here, json=default).raise_for_status()
        office.owner.delete(f"{API}/models/{model}").raise_for_status()


def post(office: Furnished, path: str, /, **body: object) -> str:
    answer = office.owner.post(f"{API}/{path}", json=body)
    assert answer.is_success, answer.text
    return answer.json()["id"]


def put(folder: Path, name: str, text: str) -> Path:
    """A paper that another program wrote a while ago, and now moves here."""
    made = folder / name
    made.write_text(text)
    os.utime(made, (1_700_000_000, 1_700_000_000))
    return made.rename(folder / "inbox" / name)


def cards(page: Page, name: str = "") -> Locator:
    listed = page.get_by_role("list", name="Papers in the inbox").get_by_role("listitem")
    return listed.filter(has=page.get_by_role("heading", name=name)) if name else listed


@pytest.mark.req("INBOX-03", "INBOX-04", "UI-01")
def test_papers_are_moved_kept_and_taken_back_one_by_one_and_many_at_once(
    inside: BrowserContext, office: Furnished, papers: Path
):
    page = tab(inside, DESKTOP, "light")
    settled(page, f"/inbox?workspace={office.workspace_id}")
    expect(page.get_by_text("The inbox is empty")).to_be_visible()

    brandl = put(papers, "brandl.txt", INVOICE)
    expect(cards(page)).to_have_count(1)
    expect(cards(page)).to_contain_text("Papers / finance")
    expect(cards(page)).to_contain_text("Very sure, 92%")
    expect(cards(page)).to_contain_text("It is an invoice.")
    expect(cards(page)).to_contain_text("Invoice 4471")
    expect(page.get_by_role("link", name="Inbox 1 waiting")).to_be_visible()

    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move brandl.txt to")).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_text("The inbox is empty")).to_be_visible()
    assert (papers / "finance/brandl.txt").read_text() == INVOICE
    take_back(page, "“brandl.txt” is in Papers / finance.")
    expect(cards(page, "brandl.txt").get_by_role("button", name="Move")).to_be_visible()
    assert brandl.exists()

    put(papers, "unclear.txt", "Some words that say little.")
    put(papers, "stairs.txt", "The landlord writes about the stairs.")
    expect(cards(page, "unclear.txt")).to_contain_text("Not sure")
    expect(cards(page, "stairs.txt").get_by_role("checkbox")).to_be_visible()
    looks_right_to_all(page, "/inbox", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    page.get_by_role("heading", level=1).focus()
    for key in "jxjx":
        page.keyboard.press(key)
    expect(page.get_by_text("2 papers selected")).to_be_visible()
    page.keyboard.press("X")
    page.get_by_role("button", name="Move the selected").click()
    expect(page.get_by_text("The inbox is empty")).to_be_visible()
    assert sorted(each.name for each in (papers / "inbox").iterdir()) == []
    take_back(page, "3 papers are moved.")
    expect(cards(page)).to_have_count(3)


@pytest.mark.req("INBOX-03")
def test_a_paper_is_kept_or_goes_to_a_folder_and_a_name_of_ones_own(
    inside: BrowserContext, office: Furnished, papers: Path
):
    put(papers, "unclear.txt", "Some words that say little.")
    page = tab(inside, DESKTOP, "light")
    settled(page, f"/inbox?workspace={office.workspace_id}")
    page.get_by_label("Into the inbox of").select_option("Papers")
    (stairs := papers / "stairs.txt").write_text("The landlord writes about the stairs.")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add files").click()
    chooser.value.set_files(stairs)
    expect(cards(page, "stairs.txt").get_by_role("checkbox")).to_be_visible()
    page.get_by_role("button", name="Keep unclear.txt").click()
    expect(cards(page)).to_have_count(1)
    page.get_by_role("button", name="1 paper that you kept here").click()
    kept = page.get_by_role("list", name="Kept in the inbox")
    expect(kept.get_by_role("heading", name="unclear.txt")).to_be_visible()

    page.get_by_role("button", name="Choose a folder for stairs.txt").click()
    dialog = page.get_by_role("dialog", name="Choose a folder")
    dialog.get_by_role("button", name="letters").click()
    expect(dialog.get_by_label("Folder", exact=True)).to_have_value("Papers/letters")
    dialog.get_by_label("Name").fill("landlord.txt")
    looks_right_to_all(page, "/inbox, a folder", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    dialog.get_by_role("button", name="Move", exact=True).click()
    expect(cards(page)).to_have_count(0)
    assert (papers / "letters/landlord.txt").exists()


@pytest.mark.req("INBOX-06", "INBOX-07")
def test_the_organiser_is_talked_to_told_what_belongs_where_and_how_to_work(
    inside: BrowserContext, office: Furnished, papers: Path
):
    page = tab(inside, PHONE, "dark")
    settled(page, f"/inbox?workspace={office.workspace_id}")
    page.get_by_role("button", name="Talk with the organiser").click()
    box = page.get_by_label("Message to the organiser")
    box.fill("Do you move them?")
    box.press("Enter")
    answer = page.get_by_role("log", name="Conversation")
    expect(answer).to_contain_text("You move them. I only suggest.")
    looks_right_to_all(page, "/inbox, the organiser", PHONE, PHONE)
    page.get_by_role("button", name="Close the conversation").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("tab", name="Guidelines").click()
    guideline = page.get_by_label("Guideline of Papers", exact=True)
    guideline.fill("Invoices: finance")
    page.get_by_role("button", name="Save the guideline of Papers").click()
    wait_for((papers / "guideline.md").exists)
    assert (papers / "guideline.md").read_text() == "Invoices: finance"
    expect(page.get_by_role("button", name=re.compile("Save the guideline"))).to_have_count(0)
    page.get_by_role("tab", name="Settings").click()
    page.get_by_label("How sure it has to be").fill("80")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("The settings of the inbox are saved.")).to_be_visible()
    here = {"workspaceId": office.workspace_id}
    kept = office.owner.get(f"{API}/inbox/settings", params=here).json()
    assert (kept["minConfidence"], kept["maxTurns"]) == (0.8, 10)
    office.owner.patch(f"{API}/inbox/settings", params=here, json={"minConfidence": 0.7})


@pytest.mark.req("INBOX-04", "INBOX-08")
def test_files_are_dragged_in_looked_at_when_asked_and_again_where_nothing_came_of_it(
    inside: BrowserContext, office: Furnished, papers: Path
):
    here = {"workspaceId": office.workspace_id}
    path = f"{API}/inbox/settings"
    office.owner.patch(path, params=here, json={"autoOrganize": False}).raise_for_status()
    page = tab(inside, DESKTOP, "dark")
    settled(page, f"/inbox?workspace={office.workspace_id}")
    put(papers, "riddle.txt", "A riddle.")
    put(papers, "turned \u202efdp.txt", "Not what it seems.")
    page.get_by_label("Into the inbox of").select_option("Papers")
    dropped = page.evaluate_handle(
        """() => {
          const held = new DataTransfer();
          held.items.add(new File(["An invoice that was dragged in."], "dragged.txt"));
          return held;
        }"""
    )
    page.get_by_role("button", name="Add files").dispatch_event("drop", {"dataTransfer": dropped})
    expect(cards(page, "dragged.txt")).to_contain_text("Nobody has looked at it yet")
    assert (papers / "inbox/dragged.txt").read_text() == "An invoice that was dragged in."
    turned = cards(page).filter(has_text="fdp.txt")
    expect(turned).to_contain_text("It could not be looked at")
    expect(turned).to_contain_text("Rename it")
    assert "\u202e" not in turned.inner_text()

    page.get_by_role("button", name="Organise everything").click()
    expect(page.get_by_label("How far the organiser has come")).to_be_visible()
    expect(cards(page, "dragged.txt")).to_contain_text("Papers / finance")
    riddle = cards(page, "riddle.txt")
    expect(riddle).to_contain_text("No folder stands out")
    looks_right_to_all(page, "/inbox, organised", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    SOLVED.append("riddle.txt")
    riddle.get_by_role("button", name="Try again").click()
    expect(riddle).to_contain_text("Papers / finance")


@pytest.mark.req("INBOX-05")
def test_what_was_learnt_is_proposed_and_a_guideline_that_others_changed_is_kept(
    inside: BrowserContext, office: Furnished, papers: Path
):
    page = tab(inside, DESKTOP, "light")
    settled(page, f"/inbox?workspace={office.workspace_id}")
    for number in range(3):
        put(papers, f"brandl invoice {number}.txt", f"{INVOICE} Number {number}.")
    expect(page.get_by_role("checkbox", name=re.compile("Select brandl"))).to_have_count(3)
    page.get_by_role("checkbox", name="Select all").click()
    page.get_by_role("button", name="Move the selected").click()
    page.get_by_role("tab", name="Guidelines").click()
    change = page.get_by_label("What would change in the guideline of Papers")
    expect(change).to_contain_text("brandl")
    looks_right_to_all(page, "/inbox, a proposal", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    page.get_by_role("button", name="Accept the change for Papers").click()
    expect(page.get_by_text("The guideline of Papers is changed.")).to_be_visible()
    written = (papers / "guideline.md").read_text()
    assert "finance" in written

    text = page.get_by_label("Guideline of Papers", exact=True)
    expect(text).to_have_value(written)
    text.fill("Mine.")
    (papers / "guideline.md").write_text("Theirs.")
    page.get_by_role("button", name="Save the guideline of Papers").click()
    behind = page.get_by_role("alert").filter(has_text="was changed while you were writing")
    expect(behind.get_by_role("region", name="The newest, the text")).to_contain_text("Theirs.")
    assert (papers / "guideline.md").read_text() == "Theirs."
    behind.get_by_role("button", name="Go on with yours").click()
    page.get_by_role("button", name="Save the guideline of Papers").click()
    expect(page.get_by_text("The guideline of Papers is saved.")).to_be_visible()
    assert (papers / "guideline.md").read_text() == "Mine."
