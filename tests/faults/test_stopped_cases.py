"""Stop everything while mail comes in by the heap: what had not begun goes on after the release."""

import os
from collections import Counter
from pathlib import Path

import pytest

from faults.test_fetch import fill
from faults.test_killed_cases import answer, every_case, open_office, states
from support.model_server import serving_model
from support.office import API
from support.server import running, wait_for

MAILS = 30
FIRST = 4


@pytest.mark.req("CASE-01")
def test_a_stop_stops_directors_and_after_it_every_mail_gets_its_case_in_order(tmp_path: Path):
    folder = tmp_path / "post"
    fill(folder, 0, MAILS)
    _a_minute_apart(folder)
    every = 2 * MAILS
    with serving_model(answer) as model, running(tmp_path / "data") as server:
        owner = server.owner()
        open_office(owner, model.base_url, folder)
        wait_for(lambda: states(owner).get("done", 0) >= FIRST)
        assert owner.post(f"{API}/halt", json={"reason": "Enough."}).is_success
        wait_for(lambda: not owner.get(f"{API}/runs", params={"status": "running"}).json()["items"])
        asked, stood = len(model.requests), states(owner)
        assert stood["done"] < every
        # A mail that comes in meanwhile is fetched, and waits.
        fill(folder, MAILS, 1)
        account = owner.get(f"{API}/accounts").json()["items"][0]["id"]
        fetched = owner.post(f"{API}/fetcher/run", json={"accountId": account})
        assert fetched.is_success, fetched.text
        assert len(model.requests) == asked, "nobody is asked while everything is stopped"
        assert states(owner).get("stopped", 0) <= 16, "what had not begun is not stopped"
        assert owner.delete(f"{API}/halt").is_success
        wait_for(lambda: sum(states(owner).values()) == every + 2 and not _at_work(owner))
        for case in every_case(owner):
            if case["state"] == "stopped":
                assert owner.post(f"{API}/cases/{case['id']}/run-again").is_success
        wait_for(lambda: states(owner) == {"done": every + 2})
        cases = every_case(owner)
    made = Counter((case["mail"]["subject"], case["directorName"]) for case in cases)
    assert set(made.values()) == {1}
    opened = [case["mail"]["subject"] for case in reversed(cases)]
    assert opened == [f"Mail {number // 2}" for number in range(every + 2)]


def _a_minute_apart(folder: Path) -> None:
    for path in (folder / "new").iterdir():
        number = int(path.read_text().partition("Subject: Mail ")[2].split()[0])
        came = path.stat().st_mtime - 60 * (MAILS - number)
        os.utime(path, (came, came))


def _at_work(owner) -> bool:
    return "working" in states(owner)
