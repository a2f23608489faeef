"""Pages: their size, their shape, and that nothing is lost or doubled while rows are added."""

import base64
import json
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from bailiwick.instance.models import Change
from bailiwick.kit import ids
from support.office import API, Office, every

pytestmark = pytest.mark.req("API-03")
CHANGES = f"{API}/changes"
START = datetime(2026, 11, 15, 12, tzinfo=UTC)


async def add_changes(office: Office, moments: list[datetime], *, action: str = "old") -> set[str]:
    rows = [
        Change(
            id=ids.new("chg"),
            at=at,
            actor_id="usr-1",
            actor_name="Olive",
            action=action,
            subject_id="x",
            trace_id="",
        )
        for at in moments
    ]
    async with office.product.storage.app.write() as session:
        session.add_all(rows)
    return {row.id for row in rows}


def token(*parts: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


async def refused(client: httpx.AsyncClient, **query: object) -> dict[str, list[str]]:
    answer = await client.get(CHANGES, params=query)
    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.json()["errors"]


async def test_a_page_has_25_items_unless_asked_otherwise_and_says_how_many_there_are(
    office: Office,
):
    await add_changes(office, [START] * 30)
    page = (await office.operator.get(CHANGES)).json()
    assert set(page) == {"items", "continuationToken", "totalItems", "hasMore", "pageSize"}
    assert (len(page["items"]), page["pageSize"]) == (25, 25)
    assert (page["totalItems"], page["hasMore"]) == (30, True)
    rest = {"ContinuationToken": page["continuationToken"]}
    last = (await office.operator.get(CHANGES, params=rest)).json()
    assert set(last) == set(page)
    assert (len(last["items"]), last["totalItems"]) == (5, 30)
    assert (last["hasMore"], last["continuationToken"]) == (False, None)


async def test_a_page_size_is_1_to_100(office: Office):
    await add_changes(office, [START] * 101)
    for size in (1, 100):
        page = (await office.operator.get(CHANGES, params={"PageSize": size})).json()
        assert (len(page["items"]), page["pageSize"], page["hasMore"]) == (size, size, True)
    for size in ("0", "101", "-1", "many", "1.5", ""):
        assert list(await refused(office.operator, PageSize=size)) == ["PageSize"]


async def test_a_page_that_is_exactly_full_is_the_last(office: Office):
    await add_changes(office, [START] * 25)
    page = (await office.operator.get(CHANGES)).json()
    assert (len(page["items"]), page["hasMore"], page["continuationToken"]) == (25, False, None)


async def test_an_empty_list_is_a_page_too(office: Office):
    page = (await office.operator.get(CHANGES)).json()
    expected = {"items": [], "continuationToken": None, "totalItems": 0, "hasMore": False}
    assert page == {**expected, "pageSize": 25}


async def test_walking_all_pages_while_rows_are_added_gives_every_old_row_once_newest_first(
    any_office: Office,
):
    moments = [START + timedelta(seconds=number // 4) for number in range(30)]
    old = await add_changes(any_office, moments)
    operator, seen, query = any_office.operator, [], {"PageSize": 7}
    while True:
        page = (await operator.get(CHANGES, params=query)).json()
        seen += page["items"]
        if not page["hasMore"]:
            break
        await add_changes(any_office, [START + timedelta(days=1)] * 3, action="new")
        query["ContinuationToken"] = page["continuationToken"]
    walked = [item["id"] for item in seen if item["action"] == "old"]
    assert len(walked) == len(old)
    assert set(walked) == old
    times = [item["at"] for item in seen]
    assert times == sorted(times, reverse=True)


async def test_users_invited_while_their_list_is_walked_do_not_shift_it(office: Office):
    owner, operator = await office.owner(), office.operator
    for number in range(6):
        body = {"email": f"old{number}@example.com", "name": f"Old {number}"}
        assert (await owner.post(f"{API}/users", json=body)).status_code == 201
    seen, query = [], {"PageSize": 2}
    while True:
        page = (await operator.get(f"{API}/users", params=query)).json()
        seen += [item["email"] for item in page["items"]]
        if not page["hasMore"]:
            break
        body = {"email": f"new{len(seen)}@example.com", "name": "New"}
        assert (await owner.post(f"{API}/users", json=body)).status_code == 201
        query["ContinuationToken"] = page["continuationToken"]
    expected = [f"old{number}@example.com" for number in reversed(range(6))]
    assert seen == [*expected, "olive@example.com"]


@pytest.mark.parametrize("path", ["/workspaces", "/events/types"])
async def test_a_list_that_is_held_whole_has_the_same_pages(office: Office, path: str):
    owner = await office.owner()
    for number in range(30):
        await owner.post(f"{API}/workspaces", json={"name": f"Space {number:02}"})
    page = (await owner.get(API + path)).json()
    assert set(page) == {"items", "continuationToken", "totalItems", "hasMore", "pageSize"}
    assert (len(page["items"]), page["pageSize"], page["hasMore"]) == (25, 25, True)
    assert page["totalItems"] == len(await every(owner, path)) > 25
    assert await every(owner, path, PageSize=4) == await every(owner, path)
    elsewhere = {"ContinuationToken": page["continuationToken"]}
    refused = await owner.get(f"{API}/agents", params=elsewhere)
    assert list(refused.json()["errors"]) == ["ContinuationToken"]


async def test_what_comes_or_goes_before_a_page_of_a_list_by_name_does_not_shift_it(office: Office):
    owner = await office.owner()
    workspace_id = (await every(owner, "/workspaces"))[0]["id"]

    async def add(name: str) -> str:
        said = [{"role": "system", "content": "Be kind."}]
        body = {"name": name, "workspaceId": workspace_id, "messages": said}
        return (await owner.post(f"{API}/prompts", json=body)).json()["id"]

    async def page_after(token: str | None) -> tuple[list[str], str | None]:
        query = {"PageSize": 2} | ({"ContinuationToken": token} if token else {})
        page = (await owner.get(f"{API}/prompts", params=query)).json()
        return [prompt["name"] for prompt in page["items"]], page["continuationToken"]

    ids = {name: await add(name) for name in ("Birch", "Cedar", "Elder", "Fir", "Hazel", "Larch")}
    names, token = await page_after(None)
    assert names == ["Birch", "Cedar"]
    await add("Acacia")
    names, token = await page_after(token)
    assert names == ["Elder", "Fir"]
    for gone in ("Birch", "Cedar"):
        await owner.delete(f"{API}/prompts/{ids[gone]}")
    names, token = await page_after(token)
    assert (names, token) == (["Hazel", "Larch"], None)


async def test_a_page_goes_on_where_the_last_one_seen_has_gone(office: Office):
    owner = await office.owner()
    made = [
        (await owner.post(f"{API}/workspaces", json={"name": f"Space {number}"})).json()["id"]
        for number in range(4)
    ]
    first = (await owner.get(f"{API}/workspaces", params={"PageSize": 2})).json()
    assert first["items"][-1]["id"] == made[0]
    await owner.delete(f"{API}/workspaces/{made[0]}")
    query = {"PageSize": 9, "ContinuationToken": first["continuationToken"]}
    rest = (await owner.get(f"{API}/workspaces", params=query)).json()
    assert [space["id"] for space in rest["items"]] == made[1:]


async def test_a_token_that_is_none_is_refused_by_name(any_office: Office):
    now = START.isoformat()
    for bad in (
        "x",
        "!!!!",
        "é",
        "A" * 501,
        token(),
        token(1, 2),
        token(now),
        token(now, 7),
        token(now, None),
        token(now, "chg-1", "more"),
        token("yesterday", "chg-1"),
        token("2026-11-15T12:00:00", "chg-1"),
        token(now, "chg-\x00"),
        token(now, "chg-\ud800"),
        token("0001-01-01T00:00:00+14:00", "chg-1"),
        token("9999-12-31T23:59:59-14:00", "chg-1"),
        base64.urlsafe_b64encode(b'{"at": 1}').decode(),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
    ):
        errors = await refused(any_office.operator, ContinuationToken=bad)
        assert list(errors) == ["ContinuationToken"], bad


async def test_an_altered_token_is_refused_by_name(office: Office):
    await add_changes(office, [START] * 3)
    page = (await office.operator.get(CHANGES, params={"PageSize": 1})).json()
    given = page["continuationToken"]
    for at in range(0, len(given) - 1, 5):
        altered = given[:at] + ("A" if given[at] != "A" else "B") + given[at + 1 :]
        errors = await refused(office.operator, ContinuationToken=altered)
        assert list(errors) == ["ContinuationToken"]
    forged = token(START.isoformat(), page["items"][0]["id"])
    assert list(await refused(office.operator, ContinuationToken=forged)) == ["ContinuationToken"]


async def test_a_token_of_another_list_is_refused_by_name(office: Office):
    await office.member("kim")
    page = (await office.operator.get(f"{API}/users", params={"PageSize": 1})).json()
    foreign = page["continuationToken"]
    assert foreign
    errors = await refused(office.operator, ContinuationToken=foreign)
    assert list(errors) == ["ContinuationToken"]
