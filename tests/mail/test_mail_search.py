"""Searching: the language, what is found and in which order, and what nobody can smuggle in."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.errors import Invalid
from bailiwick.kit import clock
from bailiwick.mail.search import language
from bailiwick.mail.search.run import RANKED
from support.mailbag import START, Mailbag, letter, mailbag_in
from support.office import API, Office

pytestmark = pytest.mark.req("MAIL-04")
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
PAPER = ("Kündigung.pdf", "application/pdf", b"%PDF")


@pytest.fixture
async def bag(any_office: Office) -> Mailbag:
    return await mailbag_in(any_office)


async def filled(bag: Mailbag) -> None:
    """Some mails, of two accounts."""
    work, home = await bag.account("Work"), await bag.account("Home", address="me@home.example")
    zoe = "Zoë Müller <zoe@bank.example>"
    invoice = letter("Invoice for March", "Please pay 30 euros.", sender=zoe, files=[PAPER])
    minutes = letter("Minutes", "The invoice was paid, said Zoe.", Cc="Bo <bo@x.example>")
    await bag.take(
        work,
        bag.arrived(invoice, flags=frozenset({"flagged"})),
        bag.arrived(minutes, flags=frozenset({"seen"})),
        bag.arrived(letter("Final reminder", "pay now"), "Clients"),
        bag.arrived(letter("Rubbish", "invoice invoice"), "Junk"),
    )
    await bag.take(
        home,
        bag.arrived(letter("日本語の請求書", "こんにちは世界", to="bo@x.example")),
        bag.arrived(letter("Reisekosten", "Größe, Café und Straße"), "Archive"),
    )


FOUND = {
    "invoice": ["Invoice for March", "Minutes"],
    "INVOICE march": ["Invoice for March"],
    '"for march"': ["Invoice for March"],
    '"march for"': [],
    "inv*": ["Invoice for March", "Minutes"],
    "invoice -euros": ["Minutes"],
    "-invoice": ["Final reminder", "Reisekosten", "日本語の請求書"],
    "NOT invoice in:inbox": ["日本語の請求書"],
    "march OR reminder": ["Final reminder", "Invoice for March"],
    "(march OR reminder) pay": ["Final reminder", "Invoice for March"],
    "is:flagged OR reminder": ["Final reminder", "Invoice for March"],
    "from:zoe": ["Invoice for March"],
    "from:ZOË": ["Invoice for March"],
    "from:zoe@bank.example": ["Invoice for March"],
    "from:bank.example": ["Invoice for March"],
    "to:bo": ["Minutes", "日本語の請求書"],
    "cc:bo": ["Minutes"],
    "cc:b*": ["Minutes"],
    "subject:invoice": ["Invoice for March"],
    'subject:"for march"': ["Invoice for March"],
    "has:attachment": ["Invoice for March"],
    "kundigung": ["Invoice for March"],
    "-has:attachment invoice": ["Minutes"],
    "is:unread from:ann": ["Final reminder", "Reisekosten", "日本語の請求書"],
    "is:read": ["Minutes"],
    "is:flagged": ["Invoice for March"],
    "in:junk": ["Rubbish"],
    "in:anywhere invoice": ["Invoice for March", "Minutes", "Rubbish"],
    "in:clients": ["Final reminder"],
    "label:clients pay": ["Final reminder"],
    "account:home": ["Reisekosten", "日本語の請求書"],
    "account:me@home.example cafe": ["Reisekosten"],
    "grosse": [],
    "größe": ["Reisekosten"],
    "grö* cafe": ["Reisekosten"],
    "請求書": ["日本語の請求書"],
    "世界": ["日本語の請求書"],
    "before:2026-03-31": [],
    "after:2026-03-31 before:2026-04 invoice": ["Invoice for March", "Minutes"],
    "after:7d": [],
    "before:yesterday invoice AND pay": ["Invoice for March"],
    "nothing of the kind": [],
}


async def test_queries_find_what_they_say(bag: Mailbag):
    await filled(bag)
    found = {query: sorted(await bag.found(query)) for query in FOUND}
    assert found == FOUND


FAULTS = {
    'say "hello': '“"hello” at character 5 has no closing "',
    "a OR": "“OR” at character 3 needs a word",
    "(a b": "“(” at character 1 is never closed",
    "a b)": "“)” at character 4 closes nothing",
    "colour:red": "“colour:” at character 1 is nothing to look in; there are from:, to:",
    "x from:": "“from:” at character 3 needs a word right behind it",
    "before:soon": "“before:soon” at character 1 is no date",
    "before:2026-13-01": "is no date",
    "is:odd": "“is:odd” at character 1 is not known; there are unread",
    "has:fun": "there is has:attachment",
    "in:nowhere": "“in:nowhere” at character 1 is not the name of a folder",
    "account:bank": "is not the name of an account; there are Home, Work",
    "from:!!!": "“from:!!!” at character 1 holds no letter or digit",
    "!!! ...": "is empty",
    "((((((((((((a))))))))))))": "is the 11th within another",
    "a " * 41: "more than 40 words",
}


async def test_a_fault_in_a_query_is_named_with_its_place(office: Office):
    bag = await mailbag_in(office)
    await bag.account("Work")
    await bag.account("Home")
    for query, told in FAULTS.items():
        params = {"workspaceId": bag.workspace_id, "q": query}
        answer = await (await office.owner()).get(f"{API}/mail/search", params=params)
        assert answer.status_code == 400, query
        assert told in answer.json()["errors"]["q"][0]


ATTACKS = [
    'x" OR body:* --',
    "subject NEAR(a b)",
    "{subject body} : x",
    "x' OR '1'='1",
    "a & !b | c <-> d",
    "a:*B",
    "^invoice",
    "a + b",
    'in"vo"ice',
    "search_mail MATCH x",
    "rank: 1",
    "\\",
    "%s %(x)s :name ?",
    "ﷺ ﬁ Ⅷ ½ ² İ ß",
]


async def test_nothing_that_is_typed_becomes_syntax_of_the_database(bag: Mailbag):
    account = await bag.account()
    await bag.got(account, letter("Something else", "altogether"))
    owner = await bag.office.owner()
    for query in ATTACKS:
        for q in (query, f'"{query.replace(chr(34), "")}"', f"{query}*", f"-x{query}"):
            params = {"workspaceId": bag.workspace_id, "q": q}
            answer = await owner.get(f"{API}/mail/search", params=params)
            assert answer.status_code in (200, 400), answer.text
            if answer.status_code == 200 and not q.startswith("-"):
                assert answer.json()["items"] == [], q


PIECES = st.lists(st.sampled_from(['"', "(", ")", "-", "OR", "from:", "a", "*", " "]))


@given(st.text(max_size=60) | PIECES.map("".join))
@settings(max_examples=200)
def test_any_text_is_a_query_or_a_named_fault(query: str):
    named: object = {"q"}
    try:
        language.parse(query, now=NOW)
    except Invalid as fault:
        named = set(fault.errors or ())
    assert named == {"q"}


@pytest.mark.parametrize(
    ("word", "moment"),
    [
        ("2026-03-31", datetime(2026, 3, 31, tzinfo=UTC)),
        ("2026-03", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("7d", NOW - timedelta(days=7)),
        ("2w", NOW - timedelta(days=14)),
        ("today", datetime(2026, 11, 15, tzinfo=UTC)),
        ("Yesterday", datetime(2026, 11, 14, tzinfo=UTC)),
        ("9999y", NOW - timedelta(days=20_000)),
        ("0001-01-01", datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_dates_are_written_as_people_write_them(word: str, moment: datetime):
    assert language.parse(f"after:{word}", now=NOW) == language.Since(moment)
    assert language.parse(f"before:{word}", now=NOW) == language.Until(moment)


async def test_the_best_comes_first_where_words_stand_and_how_recent_it_is(bag: Mailbag):
    account, now = await bag.account(), clock.now()
    padding = "word " * 50

    def arrived(subject: str, text: str, days: int):
        return bag.arrived(letter(subject, text), received_at=now - timedelta(days=days))

    await bag.take(
        account,
        arrived("Harbour plan", padding, 200),
        arrived("Old mention", f"the harbour {padding}", 2000),
        arrived("New mention", f"the harbour {padding}", 1),
    )
    assert await bag.found("harbour") == ["Harbour plan", "New mention", "Old mention"]
    newest = ["New mention", "Harbour plan", "Old mention"]
    assert await bag.found("harbour", order="newest") == newest


async def test_a_word_that_most_mails_hold_is_answered_with_the_newest(bag: Mailbag):
    account = await bag.account()
    page = [bag.arrived(letter(f"n{number}", "common")) for number in range(RANKED + 20)]
    await bag.take(account, *page)
    params = {"workspaceId": bag.workspace_id, "q": "common", "order": "newest", "PageSize": 3}
    found = await bag.get("/mail/search", **params)
    assert [hit["subject"] for hit in found["items"]] == ["n219", "n218", "n217"]
    assert (found["totalItems"], found["more"]) == (RANKED, True)
    params |= {"ContinuationToken": found["continuationToken"]}
    rest = await bag.get("/mail/search", **params)
    assert [hit["subject"] for hit in rest["items"]] == ["n216", "n215", "n214"]
    assert await bag.found("common n0") == ["n0"], "an older one is still found by another word"


@pytest.mark.req("API-03")
async def test_mail_that_comes_while_one_turns_the_pages_of_a_search_does_not_shift_them(
    bag: Mailbag,
):
    account = await bag.account()
    await bag.take(account, *[bag.arrived(letter(f"n{number}", "common")) for number in range(8)])
    params = {"workspaceId": bag.workspace_id, "q": "common", "order": "newest", "PageSize": 3}
    seen: list[str] = []
    while True:
        page = await bag.get("/mail/search", **params)
        seen += [hit["subject"] for hit in page["items"]]
        if not page["hasMore"]:
            break
        await bag.take(account, bag.arrived(letter(f"new{len(seen)}", "common")))
        params |= {"ContinuationToken": page["continuationToken"]}
    assert seen == [f"n{number}" for number in reversed(range(8))]
    assert (page["totalItems"], page["continuationToken"]) == (10, None)


async def test_another_workspace_and_another_account_are_never_searched(bag: Mailbag):
    account, owner = await bag.account(), await bag.office.owner()
    await bag.got(account, letter("Ours", "shared word"))
    other = (await owner.post(f"{API}/workspaces", json={"name": "Other"})).json()["id"]
    theirs = Mailbag(bag.office, other, bag.intake)
    foreign = await theirs.account()
    await theirs.got(foreign, letter("Theirs", "shared word"))
    assert await bag.found("shared") == ["Ours"]
    assert await theirs.found("shared") == ["Theirs"]
    assert await bag.found("shared", accountId=account) == ["Ours"]
    params = {"workspaceId": bag.workspace_id, "q": "shared", "accountId": foreign}
    assert (await owner.get(f"{API}/mail/search", params=params)).status_code == 404
    stranger = await bag.office.member("sam")
    del params["accountId"]
    assert (await stranger.get(f"{API}/mail/search", params=params)).status_code == 404


async def test_what_was_found_is_marked_in_plain_text(office: Office):
    bag = await mailbag_in(office)
    account = await bag.account()
    text = (
        "Before. " * 40
        + "<b>Größe</b> of the <script>alert(1)</script> harbour, here. "
        + "x " * 200
    )
    await bag.got(account, letter("<img src=x> Harbour", text))
    found = await bag.get("/mail/search", workspaceId=bag.workspace_id, q="groß* harbour")
    (hit,) = found["items"]
    subject = [(piece["text"], piece["found"]) for piece in hit["markedSubject"]]
    assert subject == [("<img src=x> ", False), ("Harbour", True)]
    marked = [piece["text"] for piece in hit["markedSnippet"] if piece["found"]]
    assert marked == ["Größe", "harbour"]
    whole = "".join(piece["text"] for piece in hit["markedSnippet"])
    assert "<b>Größe</b> of the <script>alert(1)</script> harbour" in whole
    assert whole.startswith("…")
    assert whole.endswith("…")


async def test_dates_bound_what_is_found_to_the_second(bag: Mailbag):
    account = await bag.account()
    page = [
        bag.arrived(letter(f"d{day}"), received_at=START + timedelta(days=day)) for day in range(5)
    ]
    await bag.take(account, *page)
    assert sorted(await bag.found("after:2026-04-01 before:2026-04-03")) == ["d1", "d2"]
    assert sorted(await bag.found("some after:2026-04-01 before:2026-04-03")) == ["d1", "d2"]
    assert sorted(await bag.found("-after:2026-04-01")) == ["d0"]
