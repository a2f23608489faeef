"""`bailiwick inbox`: suggestions from a terminal."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from support.office import API
from support.server import cli, running, wait_for


@pytest.mark.req("INBOX-03", "INBOX-04")
def test_suggestions_are_listed_answered_and_taken_back_from_a_terminal(tmp_path: Path):
    data, folder = tmp_path / "data", tmp_path / "papers"
    for name in ("inbox", "finance", "letters"):
        (folder / name).mkdir(parents=True)
    for name in ("a", "b", "c"):
        (folder / f"inbox/{name}.txt").write_text(f"Invoice {name}.")
    (folder / "inbox/turned \u202efdp.txt").write_text("Not what it seems.")

    def ran(*words: str, input: str = "") -> CompletedProcess[str]:
        return cli("inbox", *words, data=data, input=input)

    def done(*words: str, input: str = "") -> str:
        made = ran(*words, input=input)
        assert made.returncode == 0, made.stderr
        return made.stdout

    with running(data) as server:
        owner = server.owner()
        workspace = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
        owner.patch(f"{API}/inbox/settings", json={"autoOrganize": False})
        body = {"name": "Papers", "path": str(folder)}
        owner.post(f"{API}/workspaces/{workspace}/notebooks", json=body)
        path = f"{API}/workspaces/{workspace}/tools/create_suggestion"
        ids: dict[str, str] = {}

        def suggest(name: str) -> bool:
            given = {"file_path": f"Papers/inbox/{name}.txt", "target_folder": "Papers/finance"}
            given |= {"reasoning": "An invoice.", "confidence": 0.6}
            made = owner.post(path, json={"arguments": given})
            if made.status_code == 200:
                ids[name] = made.json()["result"]["id"]
            return made.status_code == 200

        for name in ("a", "b", "c"):
            wait_for(lambda name=name: suggest(name))
        listed = done("list")
        assert f"{ids['a']}  Papers/inbox/a.txt -> Papers/finance  (60%, less sure" in listed
        assert "\u202e" not in listed
        assert len(json.loads(done("list", "--json"))) == 4
        told = done("accept", ids["a"], "--to", "letters", "--name", "bill.txt")
        assert (
            f"Moved to Papers/letters/bill.txt. To take it back: bailiwick inbox undo {ids['a']}"
            in told
        )
        assert (folder / "letters/bill.txt").exists()
        done("undo", ids["a"])
        assert (folder / "inbox/a.txt").exists()
        many = ran("accept", ids["a"], ids["b"], ids["b"].replace(ids["b"][-4:], "0000"))
        assert many.returncode == 1
        assert "2 answered" in many.stdout
        assert "does not exist" in many.stdout
        batch = many.stdout.split("undo ")[1].split()[0]
        assert "2 wait for an answer again" in done("undo", batch)
        assert "It stays" in done("reject", ids["c"])
        again = ran("accept", ids["c"])
        assert (again.returncode, "it is rejected" in again.stderr) == (2, True)
        both = ran("accept", ids["a"], ids["b"], "--to", "letters")
        assert (both.returncode, "one suggestion at a time" in both.stderr) == (2, True)
        done("guideline", "-", "--notebook", "Papers", input="- Invoices: finance\n")
        assert done("guideline", "--notebook", "Papers") == "- Invoices: finance\n"
        assert "Say which notebook" in ran("guideline").stderr
        assert "being looked at" in done("organise")
