"""Filters: which director gets a mail; made, changed and ordered while the office runs."""

import random
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from bailiwick.kit import clock, patterns
from bailiwick.mail.filters import compiled as filter_book
from bailiwick.mail.filters import service
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.filters.compiled import CompiledFilters, FilterEntry, FilterMatch
from bailiwick.mail.filters.fields import BODY_BYTES, Fields, date_text
from support.office import API, Office, user_id

MAIL = Fields(
    sender="Ann Client <client42@domain.com>",
    to="Me <me@example.com>, Sales <sales@example.com>",
    cc="boss@example.com",
    bcc="hidden@example.com",
    subject="Urgent: the invoice",
    body="Dear all,\nplease pay invoice 4711.\nAnn",
    date="2026-03-31 Tuesday 14:05",
    account_id="acc-aaaaaaaaaaaa",
)


def directors(*entries: FilterEntry, mail: Fields = MAIL) -> list[str]:
    return [match.director_id for match in CompiledFilters(entries).route(mail)]


@pytest.mark.req("MAIL-02")
@pytest.mark.parametrize(
    ("field", "pattern"),
    [
        ("From", r"client[0-9]+@domain\.com"),
        ("To", r"sales@"),
        ("CC", r"^boss"),
        ("BCC", r"hidden"),
        ("Subject", r"urgent.*"),
        ("Body", r"invoice \d{4}"),
        ("Date", r"^2026-03-.. (Monday|Tuesday) 14"),
    ],
)
def test_each_field_is_matched_by_a_pattern_on_it_and_on_no_other(field: str, pattern: str):
    assert directors(FilterEntry(field, pattern, "one")) == ["one"]
    others = {"From", "To", "CC", "BCC", "Subject", "Body", "Date"} - {field}
    assert directors(*(FilterEntry(other, pattern, other) for other in others)) == []


@pytest.mark.req("MAIL-02")
def test_a_mail_goes_to_several_directors_to_each_once_in_the_order_of_filters():
    entries = [
        FilterEntry("Body", "invoice", "books", id="a"),
        FilterEntry("Subject", "weather", "nobody", id="b"),
        FilterEntry("From", "ann", "sales", id="c"),
        FilterEntry("Subject", "invoice", "books", id="d"),
    ]
    assert CompiledFilters(entries).route(MAIL) == [
        FilterMatch("a", "books"),
        FilterMatch("c", "sales"),
    ]
    assert CompiledFilters(entries[::-1]).route(MAIL) == [
        FilterMatch("d", "books"),
        FilterMatch("c", "sales"),
    ]


@pytest.mark.req("MAIL-02")
def test_case_does_not_matter_unless_the_pattern_says_so():
    assert directors(FilterEntry("Subject", "URGENT|nothing", "one")) == ["one"]
    assert directors(FilterEntry("Subject", "(?-i)URGENT", "one")) == []
    assert directors(FilterEntry("Subject", "(?-i)Urgent", "one")) == ["one"]


@pytest.mark.req("MAIL-02")
def test_a_filter_for_one_account_leaves_the_mail_of_others_alone():
    assert directors(FilterEntry("Subject", "invoice", "one", "acc-aaaaaaaaaaaa")) == ["one"]
    assert directors(FilterEntry("Subject", "invoice", "one", "acc-bbbbbbbbbbbb")) == []


@pytest.mark.req("MAIL-02")
def test_only_the_beginning_of_a_huge_body_is_looked_at():
    def with_body(body: str) -> Fields:
        return Fields(body=body)

    pattern = FilterEntry("Body", "needle", "one")
    assert directors(pattern, mail=with_body("é" * (BODY_BYTES // 2 - 10) + "needle")) == ["one"]
    assert directors(pattern, mail=with_body("é" * BODY_BYTES + "needle")) == []
    assert directors(pattern, mail=with_body("half a letter: \ud800 needle")) == ["one"]


@pytest.mark.req("MAIL-02")
def test_patterns_too_large_for_one_pass_are_asked_in_several(monkeypatch: pytest.MonkeyPatch):
    entries = [FilterEntry("Subject", rf"word{n} [a-z]{{1,30}} end", f"d{n}") for n in range(40)]
    mail = Fields(subject="word7 middle end, word31 centre end")
    assert directors(*entries, mail=mail) == ["d7", "d31"]
    monkeypatch.setattr(patterns, "_SET_BYTES", 100_000)
    assert not patterns.PatternSet([filter_book.compile(e.pattern) for e in entries]).is_whole
    assert directors(*entries, mail=mail) == ["d7", "d31"]


@pytest.mark.req("MAIL-02")
def test_a_pattern_that_is_no_longer_understood_keeps_no_mail_from_the_others():
    assert directors(FilterEntry("Subject", "(", "broken"), FilterEntry("Subject", "u", "one")) == [
        "one"
    ]


@pytest.mark.req("MAIL-02")
def test_a_date_is_written_in_the_zone_of_the_office():
    moment = datetime(2026, 3, 31, 22, 30, tzinfo=UTC)
    assert date_text(moment, "UTC") == "2026-03-31 Tuesday 22:30"
    assert date_text(moment, "Asia/Tokyo") == "2026-04-01 Wednesday 07:30"


# Each brings Python's own engine to a stand-still, on a text that anyone may send.
STALLING = [r"(a+)+$", r"(a|a)*b", r"(.*a){20}", r"([a-zA-Z]+)*!", r"(a|aa)+$"]


@pytest.mark.req("MAIL-02")
@pytest.mark.parametrize("pattern", STALLING)
def test_no_pattern_can_stall_the_server(pattern: str):
    hostile = Fields(body="a" * BODY_BYTES + "\n?")
    assert directors(FilterEntry("Body", pattern, "one"), mail=hostile) in ([], ["one"])


@pytest.mark.req("MAIL-02")
def test_patterns_that_would_take_long_on_every_letter_are_refused():
    for pattern in (r"x.{1000}y", r"(x{0,30}){0,33}y{0,500}", r"(.{0,300}x){3}"):
        with pytest.raises(patterns.BadPattern, match=r"too much work"):
            filter_book.compile(pattern)


# --- over the API


class Desk:
    """An office with a director in it, and someone who makes filters."""

    def __init__(self, office: Office, who: httpx.AsyncClient, workspace: str, director: str):
        self.office, self.who = office, who
        self.workspace, self.director = workspace, director

    async def post(self, **body: Any) -> httpx.Response:
        given = {"workspaceId": self.workspace, "field": "From", "directorId": self.director}
        return await self.who.post(f"{API}/filters", json=given | body)

    async def add(self, regex: str, **body: Any) -> dict[str, Any]:
        made = await self.post(regex=regex, **body)
        assert made.status_code == 201, made.text
        return made.json()

    async def listed(self) -> list[dict[str, Any]]:
        query = {"workspaceId": self.workspace}
        return (await self.who.get(f"{API}/filters", params=query)).json()["items"]

    async def agent(self, name: str, **more: Any) -> str:
        body = {"workspaceId": self.workspace, "name": name, "kind": "director", **more}
        made = await self.who.post(f"{API}/agents", json=body)
        assert made.status_code == 201, made.text
        return made.json()["id"]

    async def routed(self, books: FilterCache, mail: Fields = MAIL) -> list[str]:
        async with self.office.product.storage.app.read() as session:
            found = (await books.of(session, self.workspace, await user_id(self.who))).route(mail)
        return [match.filter_id for match in found]


async def desk_in(office: Office) -> Desk:
    owner = await office.owner()
    workspace = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    desk = Desk(office, owner, workspace, "")
    desk.director = await desk.agent("Dana Director")
    return desk


@pytest.mark.req("MAIL-03")
async def test_filters_are_added_changed_ordered_and_removed(any_office: Office):
    desk, books = await desk_in(any_office), FilterCache()
    assert await desk.routed(books) == []
    one = await desk.add("client", name="Clients")
    other = await desk.add("invoice", field="Subject", directorId=await desk.agent("Other"))
    assert one["directorName"] == "Dana Director"
    assert other["name"] == "Subject: invoice"
    assert [each["id"] for each in await desk.listed()] == [one["id"], other["id"]]
    assert await desk.routed(books) == [one["id"], other["id"]]

    path = f"{API}/filters/{one['id']}"
    changed = await desk.who.patch(path, json={"regex": "nobody", "field": "Body"})
    assert changed.status_code == 200, changed.text
    assert (changed.json()["regex"], changed.json()["field"]) == ("nobody", "Body")
    assert changed.json()["name"] == "Clients", "what is left out stays"
    assert await desk.routed(books) == [other["id"]]
    assert (await desk.who.get(path)).json() == changed.json()

    await desk.who.patch(path, json={"regex": "invoice"})
    order = {"workspaceId": desk.workspace, "ids": [other["id"], one["id"]]}
    ordered = await desk.who.put(f"{API}/filters/order", json=order)
    assert [each["id"] for each in ordered.json()["items"]] == order["ids"]
    assert await desk.routed(books) == order["ids"]

    await desk.who.patch(path, json={"enabled": False})
    assert await desk.routed(books) == [other["id"]]
    assert (await desk.who.delete(f"{API}/filters/{other['id']}")).status_code == 204
    assert await desk.routed(books) == []
    assert [each["id"] for each in await desk.listed()] == [one["id"]]


@pytest.mark.req("MAIL-03")
async def test_a_change_is_seen_even_if_the_clock_was_set_back(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    desk, books = await desk_in(office), FilterCache()
    one, _ = await desk.add("client"), await desk.add("nobody")
    assert await desk.routed(books) == [one["id"]]
    earlier = clock.now() - timedelta(hours=1)
    monkeypatch.setattr(clock, "now", lambda: earlier)
    await desk.who.patch(f"{API}/filters/{one['id']}", json={"regex": "nobody"})
    assert await desk.routed(books) == []


@pytest.mark.req("MAIL-02")
@pytest.mark.parametrize(
    ("regex", "told"),
    [
        ("client(", "at character"),
        ("ab*cd[", "at character 6"),
        ("a(?=b)", "at character 2"),
        (r"(a)\1", "at character"),
        ("", "is empty"),
        ("x" * 1001, "1000"),
        ("x.{1000}y", "too much work"),
    ],
)
async def test_a_bad_pattern_is_refused_with_its_place(office: Office, regex: str, told: str):
    desk = await desk_in(office)
    refused = await desk.post(regex=regex)
    assert refused.status_code == 400
    (said,) = refused.json()["errors"]["regex"]
    assert told in said
    body = {"workspaceId": desk.workspace, "field": "From", "regex": regex}
    previewed = await desk.who.post(f"{API}/filters/preview", json=body)
    assert previewed.json()["errors"] == refused.json()["errors"]
    kept = await desk.add("fine", enabled=False)
    path = f"{API}/filters/{kept['id']}"
    assert (await desk.who.patch(path, json={"regex": regex})).status_code == 400
    assert [each["regex"] for each in await desk.listed()] == ["fine"]


@pytest.mark.req("MAIL-02")
async def test_a_filter_names_a_director_and_an_account_of_its_workspace(office: Office):
    desk = await desk_in(office)
    other = (await desk.who.post(f"{API}/workspaces", json={"name": "Other"})).json()["id"]
    elsewhere = {"workspaceId": other, "name": "Elsewhere", "kind": "director"}
    theirs = (await desk.who.post(f"{API}/agents", json=elsewhere)).json()["id"]
    assistant = await desk.agent("Assistant", kind="assistant")
    for id in (theirs, assistant, "agt-000000000000"):
        refused = await desk.post(regex="x", directorId=id)
        assert list(refused.json()["errors"]) == ["directorId"], id
    refused = await desk.post(regex="x", accountId="acc-000000000000")
    assert list(refused.json()["errors"]) == ["accountId"]
    body = {"workspaceId": desk.workspace, "field": "From", "regex": "x"}
    preview = await desk.who.post(
        f"{API}/filters/preview", json=body | {"accountId": "acc-000000000000"}
    )
    assert list(preview.json()["errors"]) == ["accountId"]


@pytest.mark.req("MAIL-03")
async def test_an_order_that_misses_a_filter_or_names_a_strange_one_says_which(office: Office):
    desk = await desk_in(office)
    one, other = (await desk.add("a"))["id"], (await desk.add("b"))["id"]
    for ids, told in (
        ([one], f"{other} is missing"),
        ([one, other, other], f"{other} is named twice"),
        ([one, other, "flt-000000000000"], "flt-000000000000 is not there any more"),
    ):
        body = {"workspaceId": desk.workspace, "ids": ids}
        refused = await desk.who.put(f"{API}/filters/order", json=body)
        assert refused.status_code == 409
        assert told in refused.json()["detail"]
    assert [each["id"] for each in await desk.listed()] == [one, other]


@pytest.mark.req("MAIL-03")
async def test_filters_are_their_owners_alone(office: Office):
    desk = await desk_in(office)
    made = await desk.add("a")
    path, order = f"{API}/filters/{made['id']}", {"workspaceId": desk.workspace, "ids": []}
    sam = await office.member("sam")
    assert (await sam.get(f"{API}/filters")).json()["items"] == []
    assert (await sam.get(f"{API}/filters", params={"workspaceId": desk.workspace})).is_error
    preview = {"workspaceId": desk.workspace, "field": "From", "regex": "a"}
    for status, role in ((404, None), (403, "read")):
        if role:
            body = {"email": "sam@example.com", "role": role}
            await desk.who.post(f"{API}/workspaces/{desk.workspace}/members", json=body)
        assert (await sam.patch(path, json={"bad": 1})).status_code == 404
        assert (await sam.delete(path)).status_code == 404
        assert (await sam.put(f"{API}/filters/order", json=order)).status_code == status
        new = {**preview, "directorId": desk.director}
        assert (await sam.post(f"{API}/filters", json=new)).status_code == status
        seen = await sam.post(f"{API}/filters/preview", json=preview)
        assert seen.status_code == (200 if role else 404)
    assert (await sam.get(f"{API}/filters")).json()["items"] == []
    foreign = {
        "workspaceId": (await sam.post(f"{API}/workspaces", json={"name": "S"})).json()["id"]
    }
    stolen = {**preview, **foreign, "id": made["id"]}
    await desk.who.delete(
        f"{API}/workspaces/{desk.workspace}/members/"
        + (await sam.get(f"{API}/auth/whoami")).json()["user"]["id"]
    )
    assert (await sam.post(f"{API}/filters/preview", json=stolen)).status_code == 404


@pytest.mark.req("MAIL-02")
async def test_filters_of_a_director_that_is_removed_are_switched_off_and_say_so(office: Office):
    desk, books = await desk_in(office), FilterCache()
    made = await desk.add("client")
    assert await desk.routed(books) == [made["id"]]
    assert (await desk.who.delete(f"{API}/agents/{desk.director}")).is_success
    (left,) = await desk.listed()
    assert (left["enabled"], left["directorName"]) == (False, None)
    assert "removed" in left["problem"]
    assert await desk.routed(books) == []
    path = f"{API}/filters/{made['id']}"
    refused = await desk.who.patch(path, json={"enabled": True})
    assert list(refused.json()["errors"]) == ["directorId"]
    other = {"enabled": True, "directorId": await desk.agent("Next")}
    assert (await desk.who.patch(path, json=other)).json()["problem"] is None
    assert await desk.routed(books) == [made["id"]]


@pytest.mark.req("MAIL-02")
async def test_all_filters_together_have_a_bound_too(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    desk = await desk_in(office)
    await desk.add("client[a-z]{1,50}")
    monkeypatch.setattr(service, "MOST_WORK", 200)
    refused = await desk.post(regex="client[0-9]{1,100}")
    assert "together" in refused.json()["errors"]["regex"][0]
    monkeypatch.setattr(service, "MOST", 1)
    assert (await desk.post(regex="x")).status_code == 422


def test_the_set_agrees_with_python_on_ordinary_patterns():
    chance = random.Random(3)
    words = ["invoice", "urgent", "client7", "re:", "fwd", "42", "Ann", "@x.org", "."]
    subjects = [" ".join(chance.choices(words, k=4)) for _ in range(60)]
    given = [r"invoice.*urgent", r"^re:", r"client\d", r"(ann|fwd) 42", r"@x\.org$", r"\bre\b"]
    book = CompiledFilters(FilterEntry("Subject", each, each) for each in given)
    for subject in subjects:
        found = [match.director_id for match in book.route(Fields(subject=subject))]
        assert found == [each for each in given if re.search(each, subject, re.IGNORECASE)]
