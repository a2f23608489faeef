"""Redaction patterns through the API: who may change them, and when a change is in force."""

from typing import Any

import httpx
import pytest
from sqlalchemy import delete

from bailiwick.gate.models import RedactionPattern
from bailiwick.gate.redactions import service
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.redactions.kinds import KINDS
from bailiwick.kit import clock
from bailiwick.kit.eventlog import Recorded
from support.office import API, Office

pytestmark = pytest.mark.req("GATE-07")
REDACTIONS = f"{API}/redactions"
BODY = {"name": "Projects", "pattern": "PRJ-[0-9]+", "replacement": "[PROJECT]"}


async def made(person: httpx.AsyncClient, **given: Any) -> dict[str, Any]:
    answer = await person.post(REDACTIONS, json={**BODY, **given})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def listed(person: httpx.AsyncClient) -> list[dict[str, Any]]:
    return (await person.get(REDACTIONS)).json()["items"]


async def tried(person: httpx.AsyncClient, text: str, **given: Any) -> dict[str, Any]:
    answer = await person.post(f"{REDACTIONS}/try", json={"text": text, **given})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_pattern_is_added_shown_changed_and_removed(any_office: Office):
    owner = await any_office.owner()
    row = await made(owner)
    assert row == {
        **BODY,
        "id": row["id"],
        "description": "",
        "builtin": None,
        "enabled": True,
        "createdAt": row["createdAt"],
        "updatedAt": row["createdAt"],
    }
    items = await listed(owner)
    assert [item["builtin"] for item in items] == [*(kind.id for kind in KINDS), None]
    assert items[-1] == row
    one = f"{REDACTIONS}/{row['id']}"
    patch = {"name": "Work", "pattern": "WRK-[0-9]+", "enabled": False, "description": "Ours"}
    changed = (await owner.patch(one, json=patch)).json()
    assert changed == {**row, **patch, "updatedAt": changed["updatedAt"]}
    assert (await owner.patch(one, json=patch)).json() == changed
    assert (await owner.delete(one)).status_code == 204
    for answer in (await owner.patch(one, json={}), await owner.delete(one)):
        assert answer.status_code == 404
    lines = (await owner.get(f"{API}/changes", params={"subject": row["id"]})).json()["items"]
    actions = [line["action"].removeprefix("redaction.") for line in lines]
    assert actions == ["deleted", "changed", "created"]
    events = (await owner.get(f"{API}/events", params={"types": "redaction.*"})).json()["items"]
    assert [event["subjectId"] for event in events].count(row["id"]) == 3


async def test_a_pattern_that_cannot_be_used_is_refused(office: Office):
    owner = await office.owner()
    row = await made(owner)
    for given, status, words in (
        ({"pattern": "a(?=b)"}, 400, "invalid perl operator ((?=) at character 2"),
        ({"pattern": "a*"}, 400, "match everywhere"),
        ({"pattern": "(x{0,30}){0,30}y"}, 400, "repeat less"),
        ({"pattern": ""}, 400, "pattern"),
        ({"pattern": "x" * 1001}, 400, "pattern"),
        ({"replacement": "a\nb"}, 400, "replacement"),
        ({"name": "Payment cards"}, 409, "called “Payment cards” already"),
    ):
        for answer in (
            await owner.post(REDACTIONS, json={**BODY, "name": "Other", **given}),
            await owner.patch(f"{REDACTIONS}/{row['id']}", json=given),
        ):
            assert answer.status_code == status, given
            assert words in answer.text
    assert (await listed(owner))[-1] == row


async def test_a_built_in_kind_can_be_switched_off_but_not_removed(office: Office):
    owner = await office.owner()
    card = next(item for item in await listed(owner) if item["builtin"] == "card")
    one = f"{REDACTIONS}/{card['id']}"
    assert "Switch it off" in (await owner.delete(one)).json()["detail"]
    for patch in ({"name": "x"}, {"pattern": "x"}, {"description": "x"}):
        answer = await owner.patch(one, json=patch)
        assert answer.status_code == 409
        assert "built-in" in answer.json()["detail"]
    text = "4111 1111 1111 1111"
    assert (await tried(owner, text))["text"] == "[CARD]"
    await owner.patch(one, json={"replacement": "****"})
    assert (await tried(owner, text))["text"] == "****"
    await owner.patch(one, json={"enabled": False})
    assert await tried(owner, text) == {"text": text, "found": []}


async def test_patterns_are_tried_on_a_text(office: Office):
    owner = await office.owner()
    await made(owner)
    text = "PRJ-1, PRJ-2 and DE89 3704 0044 0532 0130 00"
    assert await tried(owner, text) == {
        "text": "[PROJECT], [PROJECT] and [IBAN]",
        "found": [
            {"name": "Projects", "count": 2},
            {"name": "Bank accounts (IBAN)", "count": 1},
        ],
    }
    assert (await tried(owner, text, pattern="and"))["text"] == text.replace("and", "[REDACTED]")
    bad = await owner.post(f"{REDACTIONS}/try", json={"text": "x", "pattern": "("})
    assert bad.status_code == 400
    assert "missing )" in bad.text


async def test_only_admins_see_and_change_patterns(office: Office):
    owner, member = await office.owner(), await office.member("sam")
    row = await made(owner)
    one = f"{REDACTIONS}/{row['id']}"
    for person in (member, await office.token(owner, "read", "write")):
        for answer in (
            await person.get(REDACTIONS),
            await person.post(REDACTIONS, json=BODY),
            await person.post(f"{REDACTIONS}/try", json={"text": "x"}),
            await person.patch(one, json={"enabled": False}),
            await person.delete(one),
        ):
            assert answer.status_code == 403


async def test_an_edit_is_in_force_with_the_next_call(any_office: Office):
    owner = await any_office.owner()
    redactors = any_office.product[RedactorCache]
    before = await redactors.current()
    assert before.text("PRJ-1")[0] == "PRJ-1"
    assert await redactors.current() is before
    row = await made(owner)
    after = await redactors.current()
    assert after.text("PRJ-1")[0] == "[PROJECT]"
    redactors.follow([Recorded(1, "e", "rule.changed", clock.now(), (), None, None, None, {}, "")])
    assert await redactors.current() is after
    event = Recorded(2, "e", "redaction.changed", clock.now(), (), None, None, None, {}, "")
    redactors.follow([event])
    assert await redactors.current() is not after
    await owner.delete(f"{REDACTIONS}/{row['id']}")
    assert (await redactors.current()).text("PRJ-1")[0] == "PRJ-1"


async def test_new_kinds_come_with_the_next_start_and_old_ones_stay_as_they_are(office: Office):
    owner, storage = await office.owner(), office.product.storage
    await service.ensure(storage)
    assert len(await listed(owner)) == len(KINDS)
    items = {item["builtin"]: item for item in await listed(owner)}
    await owner.patch(f"{REDACTIONS}/{items['iban']['id']}", json={"enabled": False})
    async with storage.app.write() as session:
        await session.execute(delete(RedactionPattern).where(RedactionPattern.builtin == "card"))
    await made(owner, name="Payment cards")
    await service.ensure(storage)
    items = {item["builtin"]: item for item in await listed(owner)}
    assert items["card"]["name"] == "Payment cards (built in)"
    assert items["card"]["enabled"]
    assert not items["iban"]["enabled"]
    assert not items["phone"]["enabled"]


async def test_there_are_not_endlessly_many_patterns(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    owner = await office.owner()
    monkeypatch.setattr(service, "MOST", 1)
    await made(owner)
    answer = await owner.post(REDACTIONS, json={**BODY, "name": "Another"})
    assert answer.status_code == 422
    assert "1 patterns already" in answer.json()["detail"]
