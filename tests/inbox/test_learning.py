"""Decisions are examples for the next paper, shift its confidence, and change the guideline."""

import pytest

from bailiwick.inbox.learning import confidence
from bailiwick.inbox.repository import FolderRecord
from support.office import API
from support.tray import INVOICE, Tray, suggesting
from support.workshop import scripted


async def filed(tray: Tray, count: int, answer: str, **more: str) -> list[str]:
    """Papers that arrive one by one, and are all answered alike; what the model was asked."""
    asked: list[str] = []
    tray.put("finance/old.txt", "An older invoice.")
    tray.put("letters/old.txt", "An older letter.")
    for number in range(count):
        name = f"brandl invoice {number}.txt"
        tray.put(f"inbox/{name}", f"{INVOICE} Number {number}.")

        with scripted(suggesting("finance", confidence=0.6)) as server:
            await tray.organised_by(server)
            await tray.arrived()
            asked.append(server.requests[0].last)
        (made,) = await tray.suggestions(status="pending")
        await tray.resolve(made, answer, **more)
        await tray.indexed()
    return asked


@pytest.mark.req("INBOX-05")
async def test_earlier_decisions_are_told_and_make_it_surer(tray: Tray):
    asked = await filed(tray, 3, "accept")
    assert "belongs in" not in asked[0]
    assert "- brandl invoice 0.txt belongs in Papers/finance." in asked[1]
    sure = [each["confidence"] for each in reversed(await tray.suggestions())]
    assert sure[0] == 0.6
    assert sure[0] < sure[1] < sure[2]


@pytest.mark.req("INBOX-05")
async def test_refusals_and_other_choices_are_told_and_make_it_less_sure(tray: Tray):
    asked = await filed(tray, 2, "accept", target_folder="letters")
    told = "- brandl invoice 0.txt belongs in Papers/letters, not in Papers/finance."
    assert told in asked[1]
    sure = [each["confidence"] for each in reversed(await tray.suggestions())]
    assert sure[1] < sure[0]


def test_confidence_moves_towards_what_people_decided():
    assert confidence(0.8, FolderRecord()) == 0.8
    assert (
        0.8 < confidence(0.8, FolderRecord(accepted=2)) < confidence(0.8, FolderRecord(accepted=9))
    )
    assert 0.8 > confidence(0.8, FolderRecord(refused=2)) > confidence(0.8, FolderRecord(refused=9))
    assert confidence(0.99, FolderRecord(accepted=99)) == 1.0
    assert confidence(0.01, FolderRecord(refused=99)) == 0.0


@pytest.mark.req("INBOX-05")
async def test_a_habit_becomes_a_proposed_line_of_the_guideline(tray: Tray):
    tray.put("guideline.md", "# Where things go\n\n- Letters: letters\n")
    await filed(tray, 3, "accept")
    assert await tray.learnt() == 1
    assert await tray.learnt() == 0, "one at a time"
    found = (await tray.owner.get(f"{API}/inbox/proposals")).json()["items"]
    assert "+- Papers about" in found[0]["diff"]
    assert "finance" in found[0]["diff"]
    path = f"{API}/inbox/proposals/{found[0]['id']}/resolve"
    said = await tray.owner.post(path, json={"action": "accept"})
    assert said.status_code == 200, said.text
    written = (tray.folder / "guideline.md").read_text()
    assert written.startswith("# Where things go\n\n- Letters: letters\n")
    assert "brandl" in written.splitlines()[-1]


@pytest.mark.req("INBOX-05")
async def test_a_guideline_that_changed_meanwhile_is_not_written_over(tray: Tray):
    await filed(tray, 3, "accept")
    await tray.learnt()
    (found,) = (await tray.owner.get(f"{API}/inbox/proposals")).json()["items"]
    mine = tray.put("guideline.md", "My own words.\n")
    path = f"{API}/inbox/proposals/{found['id']}/resolve"
    said = await tray.owner.post(path, json={"action": "accept"})
    assert said.status_code == 409
    assert mine.read_text() == "My own words.\n"
    notebook = found["notebookId"]
    path = f"{API}/inbox/guidelines/{notebook}"
    refused = await tray.owner.put(path, json={"text": "Other words.", "digest": "0" * 64})
    assert refused.status_code == 409
    (now,) = [
        each
        for each in (await tray.owner.get(f"{API}/inbox/guidelines")).json()["items"]
        if each["notebookId"] == notebook
    ]
    done = await tray.owner.put(path, json={"text": "Other words.", "digest": now["digest"]})
    assert done.status_code == 200, done.text
    assert mine.read_text() == "Other words."
