"""What is mine stays mine: every route, tool, stream, webhook and command, as everybody else.

Sam is a plain member with private things of every kind. Nobody else meets a word of them: not a
reader, a writer, an admin of the office and the workspace, nor the command line. With whom the
mailbox is shared, they meet its mail and nothing else of Sam's.
"""

import json
from typing import Any

import httpx
import pytest

from bailiwick.kit.eventlog import log as eventlog
from bailiwick.notify.webhooks import visibility
from support.office import API, Office, user_id
from support.private import MAIL, OWN, PEOPLE, SHARERS, Private, parameters, private_in
from test_routes import filled, others_things, routes

pytestmark = pytest.mark.req("ID-03", "ACC-11")
ASKED = {"q": MAIL, "address": "olive@example.com"}
# They would end the walker's own way in, or wait for what may never come.
NOT_TRIED = {
    ("GET", "/events/stream"),
    ("GET", "/threads/{thread_id}/messages/stream"),
    ("POST", "/auth/logout"),
    ("DELETE", "/auth/sessions"),
    ("DELETE", "/auth/sessions/{session_id}"),
}


@pytest.fixture
async def private(office: Office) -> Private:
    return await private_in(office)


async def things_of(private: Private) -> dict[str, str]:
    """An id for every path parameter: Sam's where there is one."""
    return {**await others_things(private.office), **private.ids}


async def asked(
    private: Private, client: httpx.AsyncClient, method: str, path: str, things: dict[str, str]
) -> list[httpx.Response]:
    """The answers to a request for Sam's thing, and for all things that one may list."""
    document = private.office.app.openapi()["paths"][API + path][method.lower()]
    named = {one.get("name") for one in document.get("parameters", []) if one.get("in") == "query"}
    everything = {"workspaceId": private.workspace_id, **ASKED}
    if path == "/audit":
        everything["q"] = OWN
    given = {name: value for name, value in everything.items() if name in named}
    needed = {
        one["name"]: everything.get(one["name"], "x")
        for one in document.get("parameters", [])
        if one.get("in") == "query" and one.get("required")
    }
    url = filled(path, things)
    body = {} if method in ("POST", "PUT", "PATCH") else None
    queries = [needed] if given == needed or body is not None else [needed, given]
    return [await client.request(method, url, params=query, json=body) for query in queries]


async def test_sam_meets_all_of_it(private: Private):
    """Else the others could not be said to miss it."""
    things = await things_of(private)
    met = {MAIL: set[str](), OWN: set[str]()}
    for method, path in routes(private.office):
        if method == "GET" and (method, path) not in NOT_TRIED:
            for answer in await asked(private, private.sam, method, path, things):
                for word in (word for word in met if word in answer.text.casefold()):
                    met[word].add(path)
    assert met[MAIL] >= {
        *(
            "/accounts",
            "/accounts/{account_id}",
            "/fetcher/status",
            "/mail",
            "/mail/search",
            "/search",
        ),
        *("/mail/{mail_id}", "/mail/{mail_id}/html", "/mail/{mail_id}/raw", "/outbox"),
        *("/mail/{mail_id}/attachments/{part}", "/mail/threads/{mail_thread_id}"),
        *("/outbox/{outgoing_id}", "/filters", "/search"),
    }
    assert met[OWN] >= {
        *("/actions", "/actions/{action_id}", "/approvals", "/approvals/{approval_id}", "/audit"),
        *(
            "/audit/{entry_id}",
            "/filters/{filter_id}",
            "/memory",
            "/memory/{memory_id}",
        ),
        *("/runs", "/schedules", "/schedules/{schedule_id}", "/sessions"),
        *("/sessions/{session_id}", "/runs/{run_id}/events"),
        *("/artifacts", "/artifacts/{artifact_id}", "/artifacts/{artifact_id}/versions"),
        *("/threads", "/threads/{thread_id}", "/threads/{thread_id}/messages"),
        *("/threads/{thread_id}/messages/{message_id}", "/threads/{thread_id}/export"),
        "/workspaces/{workspace_id}/contacts",
    }


@pytest.mark.parametrize("person", PEOPLE)
async def test_no_reading_route_says_a_word(private: Private, person: str):
    things, told = await things_of(private), list[str]()
    for method, path in routes(private.office):
        # Whoever is at the machine has its backups anyway.
        copied = person == "operator" and path == "/backups/{backup_name}"
        if method == "GET" and (method, path) not in NOT_TRIED and not copied:
            for answer in await asked(private, private.people[person], method, path, things):
                said = f"{answer.text}\n{answer.headers}"
                if found := private.found(person, said):
                    told.append(f"{path} told {found}: {answer.text[:300]}")
    assert told == []


@pytest.mark.parametrize("person", PEOPLE)
async def test_no_changing_route_says_a_word_or_changes_it(private: Private, person: str):
    things, told = await things_of(private), list[str]()
    before = await state(private)
    own = {"user_id", "workspace_id", "session_id", "member_id", "part", "token_id"}
    own.add("node_id")  # of diagnostics, which admins delete and do not read
    for method, path in routes(private.office):
        if method == "GET" or (method, path) in NOT_TRIED:
            continue
        # What does not name a private thing of Sam's is another test's business.
        if not ({*parameters(path)} & (private.ids.keys() - own)):
            continue
        for answer in await asked(private, private.people[person], method, path, things):
            if found := private.found(person, answer.text):
                told.append(f"{method} {path} told {found}: {answer.text[:300]}")
            if person not in SHARERS and answer.is_success:
                told.append(f"{method} {path} answered {answer.status_code}")
    assert told == []
    if person not in SHARERS:
        assert await state(private) == before


async def state(private: Private) -> dict[str, Any]:
    """Sam's things as Sam sees them."""
    seen: dict[str, Any] = {}
    for path in (
        f"/accounts/{private.ids['account_id']}",
        f"/approvals/{private.ids['approval_id']}",
        f"/memory/{private.ids['memory_id']}",
        f"/filters/{private.ids['filter_id']}",
        f"/schedules/{private.ids['schedule_id']}",
        f"/sessions/{private.ids['run_id']}",
        f"/outbox/{private.ids['outgoing_id']}",
    ):
        answer = await private.sam.get(API + path)
        assert answer.status_code == 200, (path, answer.text)
        seen[path] = answer.json()
    return seen


@pytest.mark.req("AGENT-05")
@pytest.mark.parametrize("person", PEOPLE)
async def test_no_tool_tells_a_word(private: Private, person: str):
    """Also asked for by the very names under which Sam's tools know them."""
    client, told, used = private.people[person], list[str](), set[str]()
    for tool, arguments in private.reads():
        url = f"{API}/workspaces/{private.workspace_id}/tools/{tool}"
        answer = await client.post(url, json={"arguments": arguments})
        used |= {tool} if answer.is_success else set()
        text = answer.text
        for said in arguments.values():
            # What one said oneself may come back in an error.
            text = text.replace(str(said), "")
        if found := private.found(person, text):
            told.append(f"{tool} told {found}: {answer.text[:300]}")
    assert told == []
    if person in SHARERS:
        assert {"list_emails", "search_emails", "read_email", "list_accounts"} <= used


async def test_shared_to_read_is_not_shared_to_change(private: Private):
    tools = f"{API}/workspaces/{private.workspace_id}/tools"
    attempts = {
        "archive_email": {"email_id": private.names["email"]},
        "reply_email": {"email_id": private.names["email"], "body": "Hi"},
        "send_email": {"to": ["a@b.example"], "subject": "s", "body": "b"},
        "draft_email": {"to": ["a@b.example"], "subject": "s", "body": "b"},
    }
    for tool, arguments in attempts.items():
        account = {"account": "Zanzibar post"} if "email_id" not in arguments else {}
        body = {"arguments": arguments | account}
        refused = await private.people["shown"].post(f"{tools}/{tool}", json=body)
        assert (refused.status_code, "shared to be read" in refused.text) == (403, True), tool
        hidden = await private.people["writer"].post(f"{tools}/{tool}", json=body)
        assert hidden.is_error
        assert "shared" not in hidden.text
    body = {"arguments": attempts["send_email"] | {"account": "Zanzibar post"}}
    sent = await private.people["sender"].post(f"{tools}/send_email", json=body)
    assert sent.json()["status"] == "done", sent.text
    ended = f"{API}/accounts/{private.ids['account_id']}/shares"
    for name in SHARERS:
        share = f"{ended}/{await user_id(private.people[name])}"
        assert (await private.sam.delete(share)).status_code == 204
        gone = await private.people[name].get(f"{API}/mail/{private.ids['mail_id']}")
        assert gone.status_code == 404
        assert (await private.people[name].get(f"{API}/accounts")).json()["items"] == []


async def test_an_approval_is_answered_by_the_owner_of_what_it_touches(private: Private):
    """The sender's program wants to send from Sam's account: Sam is asked, the sender is not."""
    program = await private.office.token(private.people["sender"], "read", "write")
    new = {"to": ["x@y.example"], "subject": "s", "body": "b", "account": "Zanzibar post"}
    url = f"{API}/workspaces/{private.workspace_id}/tools/send_email"
    waiting = (await program.post(url, json={"arguments": new})).json()
    path = f"{API}/approvals/{waiting['approvalId']}"
    assert (await private.people["sender"].get(path)).json()["canAnswer"] is False
    refused = await private.people["sender"].post(f"{path}/allow", json={})
    assert (refused.status_code, "owner of the account" in refused.text) == (403, True)
    for name in ("admin", "operator", "writer", "shown"):
        assert (await private.people[name].post(f"{path}/allow", json={})).status_code == 404
    assert (await private.sam.get(path)).json()["canAnswer"] is True
    assert (await private.sam.post(f"{path}/allow", json={})).status_code == 200


async def test_no_client_of_anyone_else_reaches_it(private: Private):
    """An MCP client has the rights of its person, whatever its own scope says."""
    scope = {"read": True, "write": True, "integrations": True, "accounts": ["*"]}
    for name in ("admin", "writer", "shown"):
        body = {"name": "c", "workspaceId": private.workspace_id, "scope": scope}
        made = await private.people[name].post(f"{API}/clients", json=body)
        assert made.status_code == 201, made.text
        client = private.office.program(made.json()["token"])
        for number, (tool, arguments) in enumerate(private.reads()):
            params = {"name": tool, "arguments": arguments}
            call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
            answer = await client.post("/mcp", json=call, headers={"Accept": "application/json"})
            text = answer.text
            for said in arguments.values():
                text = text.replace(str(said), "")
            assert not private.found(name, text), f"{name}: {tool} told {answer.text[:300]}"


@pytest.mark.parametrize("person", [name for name in PEOPLE if name != "nobody"])
async def test_no_event_tells_of_it(private: Private, person: str):
    """Events hold ids alone: that something of Sam's happened is nobody's business either."""
    no_secret = ("user_id", "workspace_id", "member_id", "token_id")
    no_secret += ("part", "number", "position")
    kept = {id for name, id in private.ids.items() if name not in no_secret}
    if person in SHARERS:
        shared = ("account_id", "mail_id", "outgoing_id", "mail_thread_id", "case_id", "item_id")
        # Also the id of the run that leads the case: the case says it, and the run stays shut.
        shared += ("node_id",)
        kept -= {private.ids[name] for name in shared}
    heard: list[str] = []
    page: dict[str, Any] = {"hasMore": True, "position": 0}
    while page["hasMore"]:
        query = {"after": page["position"], "PageSize": 500}
        page = (await private.people[person].get(f"{API}/events", params=query)).json()
        heard += [json.dumps(event) for event in page["items"]]
    assert heard or person == "stranger"
    assert [line for line in heard if any(id in line for id in kept)] == []


async def test_no_webhook_is_told_of_it(private: Private):
    owner, store = private.people["admin"], private.office.product.storage.app
    body = {"name": "All", "url": "https://hooks.example.com/", "types": ["*"]}
    assert (await owner.post(f"{API}/webhooks", json=body)).status_code == 201
    mine = await private.office.operator.post(f"{API}/webhooks", json=body | {"name": "Mine"})
    assert mine.status_code == 201
    new = {"content": f"another {OWN}"}
    query = {"workspaceId": private.workspace_id}
    assert (await private.sam.post(f"{API}/memory", json=new, params=query)).is_success
    label = {"label": f"other {MAIL}"}
    account = f"{API}/accounts/{private.ids['account_id']}"
    assert (await private.sam.patch(account, json=label)).is_success
    async with store.read() as session:
        _, last = await eventlog.bounds(session)
        recorded = await eventlog.after(session, last - 3, limit=10)
        types = {event.type for event in recorded}
        told = [event.type for event in recorded if await visibility.who_may_see(session, event)]
    assert {"memory.added", "account.changed"} <= types
    assert told == []
