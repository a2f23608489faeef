"""What a filter would match, tried on recent mail."""

from typing import Any

import pytest

from bailiwick.mail.filters import compiled, preview
from mail.scripted import letter, post_in
from support.office import API, Office

pytestmark = pytest.mark.req("MAIL-02")


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is: what a preview leaves out for want of time has its own test."""
    monkeypatch.setattr(preview, "_SECONDS", 600.0)


async def test_a_preview_shows_the_newest_mails_that_match_and_where(office: Office):
    post = await post_in(office)
    id, provider = await post.account("One")
    provider.add(*(letter(n, subject="Invoice" if n % 2 else "Chat") for n in range(1, 51)))
    provider.add(letter(60, sender="me@example.com", subject="Invoice from myself"))
    await post.fetch(id)
    other, second = await post.account("Two")
    second.add(letter(59, subject="INVOICE (é) to all"))
    await post.fetch(other)
    owner = await office.owner()
    path = f"{API}/filters/preview"
    body: dict[str, Any] = {"workspaceId": post.workspace_id, "field": "Subject"}
    seen = (await owner.post(path, json=body | {"regex": "invoice"})).json()
    assert (seen["looked"], seen["matched"], len(seen["items"])) == (51, 26, 20)
    assert (seen["added"], seen["dropped"]) == (None, None)
    newest, *others = seen["items"]
    assert newest["subject"] == "INVOICE (é) to all 59"
    assert newest["sender"] == "Ann <ann@client.example>"
    assert newest["excerpt"][newest["start"] : newest["end"]] == "INVOICE"
    dates = [item["date"] for item in seen["items"]]
    assert dates == sorted(dates, reverse=True)
    assert [item["subject"] for item in others[:2]] == ["Invoice 49", "Invoice 47"]
    after = (await owner.post(path, json=body | {"regex": "é. to"})).json()["items"][0]
    assert after["excerpt"][after["start"] : after["end"]] == "é) to"
    only = (await owner.post(path, json=body | {"regex": "invoice", "accountId": id})).json()
    assert (only["looked"], only["matched"]) == (50, 25)
    text = {"workspaceId": post.workspace_id, "field": "Body", "regex": r"mail 4[0-4]\."}
    assert (await owner.post(path, json=text)).json()["matched"] == 5


async def test_a_preview_beside_a_filter_tells_how_they_differ(office: Office):
    post = await post_in(office)
    id, provider = await post.account()
    provider.add(*(letter(n) for n in range(1, 30)))
    await post.fetch(id)
    kept = await post.filter("Subject", r"hello 1\d?$")
    body = {"workspaceId": post.workspace_id, "field": "Subject", "id": kept}
    answer = await (await office.owner()).post(
        f"{API}/filters/preview", json=body | {"regex": r"hello [12]$"}
    )
    seen = answer.json()
    assert (seen["matched"], seen["added"], seen["dropped"]) == (2, 1, 10)


async def test_a_preview_gives_up_in_time_and_says_how_far_it_came(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    post = await post_in(office)
    id, provider = await post.account()
    provider.add(*(letter(n) for n in range(1, 5)))
    await post.fetch(id)
    monkeypatch.setattr(preview, "_SECONDS", -1.0)
    body = {"workspaceId": post.workspace_id, "field": "Subject", "regex": "hello"}
    answer = await (await office.owner()).post(f"{API}/filters/preview", json=body)
    assert (answer.json()["looked"], answer.json()["matched"]) == (0, 0)


def test_where_a_match_begins_is_not_sought_in_more_text_than_there_is_time_for():
    heavy = compiled.compile(r"(x{0,30}){0,30}y")
    far = preview.excerpt(b"x" * 250_000 + b"y", heavy)
    assert (far.start, far.end) == (0, 0)
    light = compiled.compile("needle")
    found = preview.excerpt(b"hay " * 30_000 + "dé needle è".encode() + b" hay" * 99, light)
    assert found.text[found.start : found.end] == "needle"
    assert "dé needle è hay" in found.text
    assert len(found.text) < 200
