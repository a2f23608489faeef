"""What people say to suggestions, and taking it back."""

from pathlib import Path

import pytest

from support.office import API
from support.tray import INVOICE, SUGGESTIONS, Tray, suggesting
from support.workshop import scripted


async def suggested(tray: Tray, folder: str = "finance", **more: str) -> Path:
    """A paper for which a folder is suggested."""
    paper = tray.put("inbox/paper.txt", more.get("text", INVOICE))
    tray.put("finance/old.txt", "An older invoice.")
    tray.put("letters/old.txt", "An older letter.")
    with scripted(suggesting(folder)) as server:
        await tray.organised_by(server)
        await tray.arrived()
    return paper


@pytest.mark.req("INBOX-03", "INBOX-08")
async def test_yes_moves_the_file_and_says_where_it_is(tray: Tray):
    paper = await suggested(tray)
    (made,) = await tray.suggestions()
    done = await tray.resolve(made, "accept")
    assert done == {
        "success": True,
        "file_moved": True,
        "new_path": "Papers/finance/paper.txt",
        "approval_id": None,
    }
    assert not paper.exists()
    assert (tray.folder / "finance/paper.txt").read_text() == INVOICE
    assert [each["status"] for each in await tray.suggestions()] == ["accepted"]
    assert await tray.files() == {}


@pytest.mark.req("INBOX-03")
async def test_no_leaves_it_and_another_answer_is_refused(tray: Tray):
    paper = await suggested(tray)
    (made,) = await tray.suggestions()
    done = await tray.resolve(made, "reject")
    assert (done["success"], done["file_moved"]) == (True, False)
    assert paper.exists()
    path = f"{SUGGESTIONS}/{made['id']}/resolve"
    again = await tray.owner.post(path, json={"action": "accept"})
    assert again.status_code == 409
    assert "rejected" in again.json()["detail"]
    assert (await tray.files())["paper.txt"]["state"] == "answered"


@pytest.mark.req("INBOX-03")
async def test_another_folder_and_name_can_be_chosen_and_nothing_is_overwritten(tray: Tray):
    await suggested(tray)
    kept = tray.put("letters/brandl.txt", "Another one.")
    (made,) = await tray.suggestions()
    done = await tray.resolve(made, "accept", target_folder="letters", name="brandl.txt")
    assert done["new_path"] == "Papers/letters/brandl (2).txt"
    assert kept.read_text() == "Another one."
    assert (tray.folder / "letters/brandl (2).txt").read_text() == INVOICE


@pytest.mark.req("INBOX-03")
async def test_a_yes_is_taken_back_here_and_where_actions_are(tray: Tray):
    paper = await suggested(tray)
    (made,) = await tray.suggestions()
    await tray.resolve(made, "accept")
    back = await tray.owner.post(f"{SUGGESTIONS}/{made['id']}/undo")
    assert back.status_code == 200, back.text
    assert (back.json()["status"], paper.exists()) == ("pending", True)
    await tray.indexed()
    await tray.resolve(made, "accept")
    (accepted,) = await tray.suggestions()
    undone = await tray.owner.post(f"{API}/actions/{accepted['action_id']}/undo")
    assert undone.status_code == 200, undone.text
    await tray.undone(accepted["action_id"])
    (open_again,) = await tray.suggestions()
    assert (open_again["status"], paper.exists()) == ("pending", True)


@pytest.mark.req("INBOX-04")
async def test_many_are_answered_at_once_and_taken_back_at_once(tray: Tray):
    papers = [tray.put(f"inbox/{n}.txt", f"{INVOICE} Number {n}.") for n in range(3)]
    tray.put("finance/old.txt", "An older invoice.")

    with scripted(suggesting("finance")) as server:
        await tray.organised_by(server)
        assert await tray.arrived() == 3
    made = await tray.suggestions()
    papers[1].write_text("Something else now.")
    body = {"ids": [each["id"] for each in made], "action": "accept"}
    done = (await tray.owner.post(f"{SUGGESTIONS}/resolve", json=body)).json()
    by_name = {each["id"]: each for each in done["results"]}
    moved = [by_name[each["id"]]["file_moved"] for each in made]
    assert sorted(moved) == [False, True, True]
    assert papers[1].read_text() == "Something else now."
    back = await tray.owner.post(f"{API}/inbox/batches/{done['batch_id']}/undo")
    assert back.json() == {"reopened": 2, "problems": []}
    assert all(paper.exists() for paper in papers)


@pytest.mark.req("INBOX-03")
async def test_a_suggestion_expires_when_its_file_goes_or_changes(tray: Tray):
    paper = await suggested(tray)
    paper.unlink()
    await tray.arrived()
    assert [each["status"] for each in await tray.suggestions()] == ["expired"]


@pytest.mark.req("INBOX-03")
async def test_who_only_reads_sees_suggestions_and_answers_none(tray: Tray):
    paper = await suggested(tray)
    (made,) = await tray.suggestions()
    reader = await tray.office.member("rita")
    body = {"email": "rita@example.com", "role": "read"}
    path = f"{API}/workspaces/{tray.shop.workspace_id}/members"
    assert (await tray.owner.post(path, json=body)).status_code == 201
    assert len((await reader.get(SUGGESTIONS)).json()["suggestions"]) == 1
    path = f"{SUGGESTIONS}/{made['id']}/resolve"
    assert (await reader.post(path, json={"action": "accept"})).status_code == 403
    stranger = await tray.office.member("sam")
    assert (await stranger.get(SUGGESTIONS)).json()["suggestions"] == []
    assert (await stranger.post(path, json={"action": "accept"})).status_code == 404
    assert paper.exists()
