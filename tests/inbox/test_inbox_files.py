"""What waits in an inbox, as people see it."""

import pytest

from support.office import API
from support.tray import INVOICE, Tray, suggesting
from support.workshop import scripted


@pytest.mark.req("INBOX-04")
async def test_a_paper_shows_how_it_begins_and_a_copy_says_of_what(tray: Tray):
    tray.put("finance/old.txt", "An older invoice.")
    tray.put("inbox/first.txt", INVOICE + " " * 50 + "word " * 500)
    with scripted(suggesting("finance")) as server:
        await tray.organised_by(server)
        await tray.arrived()
        tray.put("inbox/second.txt", (tray.folder / "inbox/first.txt").read_text())
        await tray.arrived()
    files = await tray.files()
    first, second = files["first.txt"], files["second.txt"]
    assert first["excerpt"].startswith(INVOICE)
    assert len(first["excerpt"]) == 600
    assert (first["copyOf"], first["state"]) == (None, "suggested")
    assert (second["copyOf"], second["suggestion"]) == ("Papers/inbox/first.txt", None)


@pytest.mark.req("INBOX-04")
async def test_one_paper_alone_is_looked_at_where_that_is_asked(tray: Tray):
    await tray.settings(autoOrganize=False)
    tray.put("inbox/this.txt", INVOICE)
    tray.put("inbox/other.txt", "A letter from the landlord about the stairs.")
    await tray.arrived()
    id = (await tray.files())["this.txt"]["id"]
    asked = await tray.owner.post(f"{API}/inbox/organize", json={"fileIds": [id]})
    assert asked.status_code == 200, asked.text
    files = await tray.files()
    assert (files["this.txt"]["state"], files["other.txt"]["state"]) == ("running", "new")
