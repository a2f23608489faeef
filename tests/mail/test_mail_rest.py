"""Reading mail by REST: what is shown, to whom, and what can never happen while it is shown."""

import base64
from typing import Any

import pytest
from sqlalchemy import event

from bailiwick.connectors.mail import ChangedMessage
from bailiwick.gate.trust.reads import ReadStates
from support.mailbag import START, Mailbag, letter, mailbag_in
from support.office import API, Office

pytestmark = pytest.mark.req("MAIL-05")
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HTML = """<html><head><meta http-equiv="refresh" content="0;url=https://evil.example/">
<script>alert(1)</script><style>body{background:url(https://evil.example/css)}</style></head>
<body onload="alert(2)"><p>Hello <b>Olive</b></p><form action="https://evil.example/"></form>
<img src="https://evil.example/track.png" width="200" height="100" alt="chart">
<img src="cid:logo" width="20"><iframe src="https://evil.example/"></iframe>
<a href="javascript:alert(3)">one</a> <a href="https://fine.example/">two</a></body></html>"""


@pytest.fixture
async def bag(office: Office) -> Mailbag:
    return await mailbag_in(office)


async def test_lists_are_newest_first_and_page_without_a_gap_while_mail_comes_in(
    any_office: Office,
):
    bag = await mailbag_in(any_office)
    account = await bag.account()
    await bag.take(account, *(bag.arrived(letter(f"m{number}")) for number in range(5)))
    params = {"workspaceId": bag.workspace_id, "PageSize": 2}
    first = await bag.get("/mail", **params)
    assert [line["subject"] for line in first["items"]] == ["m4", "m3"]
    assert (first["totalItems"], first["hasMore"]) == (5, True)
    await bag.got(account, letter("newer"))
    seen, token = [], first["continuationToken"]
    while token:
        page = await bag.get("/mail", **params, ContinuationToken=token)
        seen += [line["subject"] for line in page["items"]]
        token = page["continuationToken"]
    assert seen == ["m2", "m1", "m0"]


async def test_what_came_at_the_same_moment_is_listed_once_each_in_a_folder_too(
    any_office: Office,
):
    bag = await mailbag_in(any_office)
    account = await bag.account()
    every = {f"m{number}" for number in range(7)}
    mails = [bag.arrived(letter(name), "Clients", received_at=START) for name in every]
    await bag.take(account, *mails)
    folders = (await bag.get("/mail/folders", workspaceId=bag.workspace_id))["items"]
    clients = next(each["id"] for each in folders if each["title"] == "Clients")
    for narrowed in ({}, {"folderId": clients}):
        params = {"workspaceId": bag.workspace_id, "PageSize": 2, **narrowed}
        page = await bag.get("/mail", **params)
        assert page["totalItems"] == 7
        seen = [line["subject"] for line in page["items"]]
        while token := page["continuationToken"]:
            page = await bag.get("/mail", **params, ContinuationToken=token)
            seen += [line["subject"] for line in page["items"]]
        assert sorted(seen) == sorted(every)


async def test_a_page_is_read_in_the_order_of_an_index_however_many_mails_there_are(bag: Mailbag):
    account = await bag.account()
    await bag.take(account, *(bag.arrived(letter(f"m{number}"), "Clients") for number in range(9)))
    folders = (await bag.get("/mail/folders", workspaceId=bag.workspace_id))["items"]
    clients = next(each["id"] for each in folders if each["title"] == "Clients")
    readers, asked = bag.office.product.storage.app.readers, list[tuple[str, Any]]()

    def note(_connection, _cursor, statement: str, parameters: Any, *_: object) -> None:
        asked.append((statement, parameters))

    event.listen(readers.sync_engine, "before_cursor_execute", note)
    for narrowed in ({}, {"role": "inbox"}, {"accountId": account}, {"folderId": clients}):
        params = {"workspaceId": bag.workspace_id, "PageSize": 2, **narrowed}
        token = (await bag.get("/mail", **params))["continuationToken"]
        if token:
            await bag.get("/mail", **params, ContinuationToken=token)
    event.remove(readers.sync_engine, "before_cursor_execute", note)
    pages = [one for one in asked if "LIMIT" in one[0] and "FROM mail_messages" in one[0]]
    assert len(pages) >= 7
    async with readers.connect() as connection:
        for statement, parameters in pages:
            plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            steps = [row[3] for row in plan]
            assert "USE TEMP B-TREE FOR ORDER BY" not in steps, steps


async def test_lists_can_be_of_one_account_folder_or_kind_and_of_what_is_unread(
    any_office: Office,
):
    bag = await mailbag_in(any_office)
    work, home = await bag.account("Work"), await bag.account("Home")
    await bag.take(
        work,
        bag.arrived(letter("new")),
        bag.arrived(letter("old"), flags=frozenset({"seen", "flagged"})),
        bag.arrived(letter("sent"), "Sent", flags=frozenset({"seen"})),
        bag.arrived(letter("spam"), "Junk"),
        bag.arrived(letter("client"), "Clients"),
    )
    await bag.got(home, letter("private"))
    assert await bag.listed() == ["private", "client", "sent", "old", "new"]
    assert await bag.listed(accountId=home) == ["private"]
    assert await bag.listed(role="inbox") == ["private", "old", "new"]
    assert await bag.listed(role="junk") == ["spam"]
    assert await bag.listed(role="inbox", unread=True) == ["private", "new"]
    assert await bag.listed(flagged=True) == ["old"]
    folders = (await bag.get("/mail/folders", workspaceId=bag.workspace_id, accountId=work))[
        "items"
    ]
    numbers = {each["title"]: (each["total"], each["unread"]) for each in folders}
    assert numbers["Inbox"] == (2, 1)
    assert numbers["Drafts"] == (0, 0)
    clients = next(each["id"] for each in folders if each["title"] == "Clients")
    assert await bag.listed(folderId=clients) == ["client"]


async def test_a_mail_shows_who_wrote_it_to_whom_and_why_it_is_trusted_or_not(bag: Mailbag):
    account = await bag.account()
    paper = ("paper.pdf", "application/pdf", b"%PDF")
    mail = letter("Hi", "Text", to="Me <me@office.example>", Cc="bo@x.example", files=[paper])
    id = await bag.got(account, mail)
    shown = await bag.get(f"/mail/{id}")
    assert shown["sender"] == {"name": "Ann Client", "address": "ann@client.example"}
    assert shown["to"] == [{"name": "Me", "address": "me@office.example"}]
    assert shown["cc"] == [{"name": "", "address": "bo@x.example"}]
    assert (shown["text"].strip(), shown["label"]) == ("Text", "stranger")
    assert "written to ann@client.example" in shown["labelWhy"]
    (attached,) = shown["attachments"]
    assert (attached["name"], attached["type"], attached["size"]) == (
        "paper.pdf",
        "application/pdf",
        4,
    )


@pytest.mark.req("MAIL-05", "GATE-16")
async def test_a_page_of_a_mail_runs_nothing_and_loads_nothing(bag: Mailbag):
    account = await bag.account()
    id = await bag.got(account, letter("Hi", "Text", html=HTML))
    owner = await bag.office.owner()
    answer = await owner.get(f"{API}/mail/{id}/html")
    assert answer.headers["content-type"].startswith("text/html")
    for gone in ("evil.example", "<script", "onload", "javascript:", "<form", "<iframe", "refresh"):
        assert gone not in answer.text
    assert "Hello <b>Olive</b>" in answer.text
    assert 'href="https://fine.example/"' in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "img-src data:;" in policy
    assert "sandbox allow-popups allow-popups-to-escape-sandbox" in policy
    assert "script" not in policy
    assert "frame-ancestors 'self'" in policy
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"


async def test_pictures_from_elsewhere_are_there_only_when_asked_for(bag: Mailbag):
    account = await bag.account()
    id = await bag.got(account, letter("Hi", "Text", html=HTML))
    owner = await bag.office.owner()
    answer = await owner.get(f"{API}/mail/{id}/html", params={"images": True})
    assert "https://evil.example/track.png" in answer.text
    assert "img-src data: https: http:;" in answer.headers["content-security-policy"]
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "<script" not in answer.text


async def test_a_mails_own_pictures_are_in_its_page(bag: Mailbag):
    body = base64.b64encode(PNG)
    mail = (
        b"From: a@b.example\r\nSubject: Logo\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/related; boundary="x"\r\n\r\n'
        b"--x\r\nContent-Type: text/html\r\n\r\n<p>Hi</p><img src='cid:logo' width=20>\r\n"
        b"--x\r\nContent-Type: image/png\r\nContent-ID: <logo>\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n" + body + b"\r\n--x--\r\n"
    )
    id = await bag.got(await bag.account(), mail)
    owner = await bag.office.owner()
    page = (await owner.get(f"{API}/mail/{id}/html")).text
    assert f'src="data:image/png;base64,{body.decode()}"' in page


async def test_a_mail_without_html_is_shown_as_the_text_it_is(bag: Mailbag):
    text = "<script>alert(1)</script>\n</div><b>bold</b> & more"
    id = await bag.got(await bag.account(), letter("<script>", text))
    page = (await (await bag.office.owner()).get(f"{API}/mail/{id}/html")).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script" not in page
    assert (await bag.get(f"/mail/{id}"))["subject"] == "<script>"


NAMES = {
    "../../etc/passwd": "passwd",
    'a"; filename="evil.html': "evil.html",
    "x\u202egnp.exe": "exe",
    "Kündigung März.pdf": "ndigung",
    "a" * 400 + ".txt": "aaa",
}


async def test_what_is_attached_is_only_ever_downloaded_under_a_harmless_name(bag: Mailbag):
    files = [(name, "text/html", b"<script>alert(1)</script>") for name in NAMES]
    id = await bag.got(await bag.account(), letter("Hi", files=files))
    owner = await bag.office.owner()
    parts = (await bag.get(f"/mail/{id}"))["attachments"]
    assert len(parts) == len(NAMES)
    for part, kept in zip(parts, NAMES.values(), strict=True):
        answer = await owner.get(f"{API}/mail/{id}/attachments/{part['part']}")
        assert answer.content == b"<script>alert(1)</script>"
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        said = answer.headers["content-disposition"]
        assert said.startswith('attachment; filename="')
        assert said.count('"') == 2
        assert kept in said
        assert not set("\r\n/\\\u202e") & set(said)
        path = f"{API}/mail/{id}/attachments/{part['part']}"
        assert (await owner.get(path, params={"inline": True})).status_code == 400
    for missing in ("99", "1.2.3"):
        assert (await owner.get(f"{API}/mail/{id}/attachments/{missing}")).status_code == 404
    assert (await owner.get(f"{API}/mail/{id}/attachments/..%2f1")).status_code in (400, 404)


async def test_a_picture_may_be_looked_at_in_its_place(bag: Mailbag):
    id = await bag.got(await bag.account(), letter(files=[("p.png", "image/png", PNG)]))
    owner = await bag.office.owner()
    (part,) = (await bag.get(f"/mail/{id}"))["attachments"]
    path = f"{API}/mail/{id}/attachments/{part['part']}"
    answer = await owner.get(path, params={"inline": True})
    assert answer.content == PNG
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-disposition"].startswith("inline;")


async def test_a_mail_can_be_had_as_it_came(bag: Mailbag):
    account = await bag.account()
    small, large = letter('Re: "x" ü; y', "a" * 100), letter("Large", "long line\n" * 3000)
    for mail in (small, large):
        id = await bag.got(account, mail)
        answer = await (await bag.office.owner()).get(f"{API}/mail/{id}/raw")
        assert answer.content == mail
        assert answer.headers["content-type"] == "message/rfc822"
        assert answer.headers["content-disposition"].startswith("attachment;")


@pytest.mark.req("ID-03")
async def test_nothing_of_a_mail_is_there_for_those_of_another_workspace(bag: Mailbag):
    account = await bag.account()
    id = await bag.got(account, letter("Secret", files=[("p.png", "image/png", PNG)]))
    thread = (await bag.row(id)).thread_id
    stranger = await bag.office.member("sam")
    own = (await stranger.post(f"{API}/workspaces", json={"name": "Own"})).json()["id"]
    for path in ("", "/html", "/raw", "/attachments/2"):
        assert (await stranger.get(f"{API}/mail/{id}{path}")).status_code == 404
    assert (await stranger.get(f"{API}/mail/threads/{thread}")).status_code == 404
    for path in ("/mail", "/mail/folders"):
        params = {"workspaceId": bag.workspace_id}
        assert (await stranger.get(f"{API}{path}", params=params)).status_code == 404
        params = {"workspaceId": own, "accountId": account}
        answer = await stranger.get(f"{API}{path}", params=params)
        assert answer.status_code == 404 or answer.json()["items"] == []
    params = {"workspaceId": own}
    assert (await stranger.get(f"{API}/mail", params=params)).json()["items"] == []


@pytest.mark.req("GATE-16", "GATE-13")
async def test_a_program_reads_mail_as_agents_do_and_is_followed(bag: Mailbag):
    account, owner = await bag.account(), await bag.office.owner()
    await owner.post(
        f"{API}/redactions", json={"name": "r", "pattern": "canary[0-9]", "replacement": "[gone]"}
    )
    id = await bag.got(account, letter("canary1", "the code is canary2"))
    program = await bag.office.token(owner, "read", "write")
    shown = await bag.get(f"/mail/{id}", by=program)
    assert (shown["subject"], shown["text"].strip()) == ("[gone]", "the code is [gone]")
    params = {"workspaceId": bag.workspace_id, "q": "code"}
    (hit,) = (await bag.get("/mail/search", by=program, **params))["items"]
    assert "canary" not in str(hit)
    assert "canary" not in str(await bag.get("/mail", by=program, workspaceId=bag.workspace_id))
    for path in ("html", "raw", "attachments/1"):
        assert (await program.get(f"{API}/mail/{id}/{path}")).status_code == 403
    who = (await program.get(f"{API}/auth/whoami")).json()
    readings = bag.office.product[ReadStates]
    token = who.get("tokenId") or (await owner.get(f"{API}/tokens")).json()["items"][0]["id"]
    assert (await readings.get(f"token:{token}")).label == "stranger"
    assert (await bag.get(f"/mail/{id}"))["subject"] == "canary1", "a person sees what is stored"


async def test_what_was_archived_elsewhere_is_not_in_the_inbox_any_more(bag: Mailbag):
    account = await bag.account()
    await bag.got(account, letter("Done"))
    await bag.take(account, changed=(ChangedMessage("r1", folders=("Archive",)),))
    assert await bag.listed(role="inbox") == []
    assert await bag.listed(role="archive") == ["Done"]
