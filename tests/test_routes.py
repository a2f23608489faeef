"""Every route of the OpenAPI document, tried by nobody, by the wrong user and by a reader.

New routes are picked up by themselves. One without path parameters that ordinary users may call
has to be named below, on purpose.
"""

import re
from typing import Any

import httpx
import pytest
from fastapi.dependencies import utils as dependencies

from bailiwick.identity.models import ExternalIdentity
from bailiwick.inbox.models import GuidelineProposal, Suggestion
from bailiwick.kit import clock, ids
from bailiwick.library import repository as notebooks
from bailiwick.workspaces.access import AccessibleWorkspaceID
from support.filed import cases_in
from support.mailbag import letter, mailbag_in
from support.office import API, Office, every, user_id
from support.uploading import sent

REFUSED = (401, 403, 404)
# Any signed-in user may call these, because they only reach what is their own.
OWN = {
    ("GET", "/cases"),
    ("POST", "/cases/deletions"),
    ("POST", "/auth/logout"),
    ("PUT", "/auth/password"),
    ("GET", "/auth/sessions"),
    ("DELETE", "/auth/sessions"),
    ("GET", "/accounts"),
    ("POST", "/accounts"),
    ("GET", "/actions"),
    ("GET", "/agents"),
    ("POST", "/agents"),
    ("GET", "/agents/presets"),
    ("GET", "/directors"),
    ("GET", "/approvals"),
    ("GET", "/audit"),
    ("GET", "/clients"),
    ("POST", "/clients"),
    ("GET", "/connectors"),
    ("GET", "/connectors/suggest"),
    ("GET", "/events"),
    ("GET", "/events/stream"),
    ("GET", "/events/types"),
    ("GET", "/fetcher/status"),
    ("POST", "/fetcher/fetch"),
    ("POST", "/fetcher/run"),
    ("GET", "/filters"),
    ("POST", "/filters"),
    ("PUT", "/agents/order"),
    ("PUT", "/filters/order"),
    ("POST", "/filters/preview"),
    ("GET", "/prompt-templates"),
    ("POST", "/prompt-templates"),
    ("GET", "/prompts"),
    ("POST", "/prompts"),
    ("GET", "/prompts/variables"),
    ("POST", "/prompts/preview"),
    ("GET", "/files"),
    ("POST", "/files"),
    ("POST", "/files/uploads"),
    ("GET", "/inbox/files"),
    ("GET", "/inbox/guidelines"),
    ("GET", "/inbox/progress"),
    ("GET", "/inbox/proposals"),
    ("GET", "/inbox/settings"),
    ("GET", "/inbox/suggestions"),
    ("PATCH", "/inbox/settings"),
    ("POST", "/inbox/agent/message"),
    ("POST", "/inbox/organize"),
    ("POST", "/inbox/suggestions/resolve"),
    ("GET", "/halt"),
    ("POST", "/halt"),
    ("GET", "/memory"),
    ("GET", "/mail"),
    ("GET", "/mail/folders"),
    ("GET", "/mail/search"),
    ("GET", "/search"),
    ("GET", "/outbox"),
    ("POST", "/memory"),
    ("GET", "/runs"),
    ("GET", "/sessions"),
    ("POST", "/sessions/uploads"),
    ("GET", "/spend"),
    ("GET", "/rules"),
    ("POST", "/rules"),
    ("POST", "/rules/check"),
    ("POST", "/rules/try"),
    ("GET", "/models"),
    ("GET", "/models/prices"),
    ("GET", "/redactions"),
    ("POST", "/redactions/try"),
    ("GET", "/schedules"),
    ("POST", "/schedules"),
    ("POST", "/schedules/preview"),
    ("GET", "/status"),
    ("GET", "/tasks"),
    ("POST", "/tasks"),
    ("GET", "/artifacts"),
    ("POST", "/artifacts"),
    ("GET", "/threads"),
    ("POST", "/threads"),
    ("GET", "/tokens"),
    ("POST", "/tokens"),
    ("GET", "/users/me"),
    ("PATCH", "/users/me"),
    ("GET", "/users/me/identities"),
    ("POST", "/users/me/identities"),
    ("PUT", "/users/me/avatar"),
    ("GET", "/users/me/notifications"),
    ("PUT", "/users/me/notifications"),
    ("DELETE", "/users/me/avatar"),
    ("GET", "/workspaces"),
    ("POST", "/workspaces"),
}
# Signed-in users may see these of others, on purpose.
SHOWN_TO_ALL = {
    ("GET", "/users/{user_id}/avatar"),
    ("GET", "/rules/{rule_id}"),
    ("GET", "/connectors/{connector_id}"),
    # They need a workspace of one's own, which is asked for first.
    ("GET", "/connectors/{connector_id}/oauth/start"),
    ("POST", "/connectors/{connector_id}/oauth/start"),
}
PUBLIC = {
    ("GET", "/auth/options"),
    ("POST", "/auth/setup"),
    ("POST", "/auth/link"),
    ("POST", "/auth/password"),
    ("POST", "/auth/login"),
    ("GET", "/auth/whoami"),
    ("GET", "/auth/providers/{provider_id}/initiate"),
    ("GET", "/oauth/login/callback"),
    ("GET", "/oauth/accounts/callback"),
    ("GET", "/oauth/accounts/start"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/problems/{name}"),
}


def routes(office: Office) -> list[tuple[str, str]]:
    """Method and path of everything that is not public."""
    found: list[tuple[str, str]] = []
    public: set[tuple[str, str]] = set()
    for path, operations in office.app.openapi()["paths"].items():
        for method, operation in operations.items():
            route = (method.upper(), path.removeprefix(API))
            (public.add if operation.get("security") == [] else found.append)(route)
    assert public == PUBLIC, "a route became public: is that meant?"
    return found


async def linked(office: Office, provider_id: str, user_id: str) -> str:
    """The id of an identity that someone has at a provider."""
    row = ExternalIdentity(
        id=ids.new("ext"),
        provider_id=provider_id,
        subject="someone",
        user_id=user_id,
        created_at=clock.now(),
    )
    async with office.product.storage.app.write() as session:
        session.add(row)
    return row.id


async def others_things(office: Office) -> dict[str, str]:
    """An id for each path parameter, of something that belongs to the owner."""
    owner = await office.owner()
    provider = {"name": "SSO", "issuer": "https://login.example.com", "clientId": "x"}
    provider_id = (await owner.post(f"{API}/login-providers", json=provider)).json()["id"]
    webhook = {"name": "Build", "url": "https://hooks.example.com/", "types": ["*"]}
    webhook_id = (await owner.post(f"{API}/webhooks", json=webhook)).json()["id"]
    workspace_id = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    notebook = f"{API}/workspaces/{workspace_id}/notebooks"
    rule = {"name": "r", "action": "ALLOW", "condition": {"==": [{"var": "tool"}, "x"]}}
    redaction = {"name": "r", "pattern": "canary[0-9]", "replacement": "x"}
    client = {"name": "c", "workspaceId": workspace_id}
    said = [{"role": "system", "content": "Be kind."}]
    prompt = {"name": "p", "workspaceId": workspace_id, "messages": said}
    tools = f"{API}/workspaces/{workspace_id}/tools"
    file = {"arguments": {"path": "Files/a.txt", "content": "A"}}
    action_id = (await owner.post(f"{tools}/create_file", json=file)).json()["actionId"]
    move = {"arguments": {"path": "Files/a.txt", "to": "Files/b.txt"}}
    program = await office.token(owner, "read", "write")
    waiting = (await program.post(f"{tools}/move_file", json=move)).json()
    agent = {"name": "a", "workspaceId": workspace_id}
    agent_id = (await owner.post(f"{API}/agents", json=agent)).json()["id"]
    director = agent | {"name": "d", "kind": "director"}
    filter = {"workspaceId": workspace_id, "field": "From", "regex": "x"}
    filter["directorId"] = (await owner.post(f"{API}/agents", json=director)).json()["id"]
    run = await owner.post(f"{API}/agents/{agent_id}/sessions", json={})
    assistant = {"X-Assistant-Id": agent_id}
    thread_id = (await owner.post(f"{API}/threads", json={}, headers=assistant)).json()["id"]
    message = await owner.post(f"{API}/threads/{thread_id}/messages", json={"content": "w"})
    given = {"workspaceId": workspace_id, "agentId": agent_id, "name": "s", "words": "w"}
    schedule = await owner.post(f"{API}/schedules", json=given | {"timing": "every hour"})
    task = await owner.post(f"{API}/tasks", json={"workspaceId": workspace_id, "title": "t"})
    memory = await owner.post(
        f"{API}/memory", params={"workspaceId": workspace_id}, json={"content": "M"}
    )
    contacts = f"{API}/workspaces/{workspace_id}/contacts"
    account = {"workspaceId": workspace_id, "connector": "local"}
    account |= {"settings": {"address": "olive@example.com"}}
    bag = await mailbag_in(office)
    paper = ("paper.pdf", "application/pdf", b"%PDF")
    account_id = (await owner.post(f"{API}/accounts", json=account)).json()["id"]
    mail_id = await bag.got(account_id, letter(files=[paper]))
    mail = {"arguments": {"to": ["a@b.org"], "subject": "s", "body": "b"}}
    made_filter = await owner.post(f"{API}/filters", json=filter)
    cases = await cases_in(
        office, owner, bag, account_id, mail=letter("A case", "Of x.", sender="x@x.example")
    )
    return {
        **cases,
        **await suggestions_in(office, workspace_id),
        "account_id": account_id,
        "category": "mail",
        "member_id": "*",
        "connector_id": "local",
        "contact_id": (await owner.post(contacts, json={"address": "a@b.org"})).json()["id"],
        "action_id": action_id,
        "agent_id": agent_id,
        "filter_id": made_filter.json()["id"],
        "key": "api_key",
        "run_id": run.json()["id"],
        "schedule_id": schedule.json()["id"],
        "task_id": task.json()["task"]["id"],
        "approval_id": waiting["approvalId"],
        "thread_id": thread_id,
        "artifact_id": await artifact_in(owner, thread_id),
        "message_id": message.json()["id"],
        "emoji": "eyes",
        **await uploads_in(owner),
        "client_id": (await owner.post(f"{API}/clients", json=client)).json()["id"],
        "entry_id": (await owner.get(f"{API}/audit")).json()["items"][0]["id"],
        "model_id": (await owner.get(f"{API}/models")).json()["items"][0]["id"],
        "mail_id": mail_id,
        "mail_thread_id": (await bag.row(mail_id)).thread_id,
        "number": "0",
        "part": "2",
        "position": "2",
        "memory_id": memory.json()["memory"]["id"],
        "notebook_id": (await owner.post(notebook, json={"name": "N"})).json()["id"],
        "prompt_id": (await owner.post(f"{API}/prompts", json=prompt)).json()["id"],
        "template_id": (await owner.post(f"{API}/prompt-templates", json=prompt)).json()["id"],
        "redaction_id": (await owner.post(f"{API}/redactions", json=redaction)).json()["id"],
        "rule_id": (await owner.post(f"{API}/rules", json=rule)).json()["id"],
        "tool": "list_files",
        "outgoing_id": (await owner.post(f"{tools}/send_email", json=mail)).json()["result"][
            "outbox_id"
        ],
        "backup_name": (await owner.post(f"{API}/backups", json={})).json()["name"],
        "user_id": await user_id(owner),
        "session_id": (await owner.get(f"{API}/auth/sessions")).json()["items"][0]["id"],
        "token_id": (
            await owner.post(f"{API}/tokens", json={"name": "t", "scopes": ["read"]})
        ).json()["id"],
        "workspace_id": workspace_id,
        "provider_id": provider_id,
        "identity_id": await linked(office, provider_id, await user_id(owner)),
        "webhook_id": webhook_id,
        "delivery_id": (await owner.post(f"{API}/webhooks/{webhook_id}/test")).json()["id"],
    }


async def artifact_in(owner: httpx.AsyncClient, thread_id: str) -> str:
    """An artifact of a thread."""
    body = {"threadId": thread_id, "title": "A", "data": "a"}
    made = await owner.post(f"{API}/artifacts", json=body)
    return made.json()["artifact"]["artifactId"]


async def uploads_in(owner: httpx.AsyncClient) -> dict[str, str]:
    """A file, and an upload that is under way."""
    begun = await owner.post(f"{API}/files/uploads", json={"title": "b.txt", "size": 9})
    file = await sent(owner, "a.txt", b"words")
    return {"file_id": file["file_id"], "upload_id": begun.json()["upload_id"]}


async def suggestions_in(office: Office, workspace_id: str) -> dict[str, str]:
    """A suggestion that was answered with others, and a proposed guideline."""
    at = clock.now()
    async with office.product.storage.app.write() as session:
        (notebook, *_) = await notebooks.of_workspace(session, AccessibleWorkspaceID(workspace_id))
        whose: dict[str, Any] = {"workspace_id": workspace_id, "notebook_id": notebook.id}
        paper = {"file_id": ids.new("fil"), "file_path": "Files/inbox/a", "digest": "0" * 64}
        said = {"reasoning": "r", "stated": 0.5, "confidence": 0.5, "status": "accepted"}
        suggestion = Suggestion(
            id=ids.new("sug"),
            **whose,
            **paper,
            **said,
            target_folder="Files/b",
            key="k",
            batch_id=ids.new("bat"),
            created_at=at,
        )
        proposal = GuidelineProposal(
            id=ids.new("gdl"),
            **whose,
            base="",
            text="t",
            reason="r",
            status="pending",
            created_at=at,
        )
        session.add_all([suggestion, proposal])
    return {
        "suggestion_id": suggestion.id,
        "batch_id": suggestion.batch_id or "",
        "proposal_id": proposal.id,
    }


def filled(path: str, things: dict[str, str]) -> str:
    """The path with real ids in it."""
    if path.startswith("/sessions/"):
        # A session with an agent, not of a browser.
        things = {**things, "session_id": things["run_id"]}
    for name in re.findall(r"{(\w+)}", path):
        assert name in things, f"tell others_things() how to make a {name}"
    return API + path.format(**things)


async def tried(client: httpx.AsyncClient, method: str, path: str) -> int:
    body = {} if method in ("POST", "PUT", "PATCH") else None
    return (await client.request(method, path, json=body)).status_code


@pytest.fixture
async def things(office: Office) -> dict[str, str]:
    await office.set(rate_limit_percent=100_000)
    return await others_things(office)


@pytest.mark.req("ID-01")
async def test_nobody_gets_anything_but_401(office: Office, things: dict[str, str]):
    nobody = office.browser()
    for method, path in routes(office):
        status = await tried(nobody, method, filled(path, things))
        assert status == 401, f"{method} {path} answered {status} to nobody"


@pytest.mark.req("ID-01", "ID-04")
async def test_a_forged_token_gets_401(office: Office, things: dict[str, str]):
    forger = office.program("bwt_" + "x" * 43)
    for method, path in routes(office):
        assert await tried(forger, method, filled(path, things)) == 401, f"{method} {path}"


@pytest.mark.req("ID-03")
async def test_the_wrong_user_is_refused_everywhere(office: Office, things: dict[str, str]):
    stranger = await office.member("sam")
    let_in = [
        f"{method} {path} answered {status}"
        for method, path in routes(office)
        if (method, path) not in OWN | SHOWN_TO_ALL
        and (status := await tried(stranger, method, filled(path, things))) not in REFUSED
    ]
    assert let_in == []


@pytest.mark.req("ID-03")
async def test_a_workspace_reader_changes_nothing(office: Office, things: dict[str, str]):
    reader = await office.member("rita")
    owner = await office.owner()
    members = f"{API}/workspaces/{things['workspace_id']}/members"
    await owner.post(members, json={"email": "rita@example.com", "role": "read"})
    for method, path in routes(office):
        # Tools that read are for readers too; the gate refuses them the others.
        if "{workspace_id}" in path and method != "GET" and "{tool}" not in path:
            status = await tried(reader, method, filled(path, things))
            assert status == 403, f"{method} {path} answered {status} to a reader"


@pytest.mark.req("ID-04")
async def test_a_read_token_changes_nothing(office: Office, things: dict[str, str]):
    program = await office.token(await office.owner(), "read")
    for method, path in routes(office):
        if method != "GET":
            status = await tried(program, method, filled(path, things))
            assert status == 403, f"{method} {path} answered {status} to a read token"


@pytest.mark.req("ID-04")
async def test_a_write_token_of_an_admin_does_no_admin_work(office: Office, things: dict[str, str]):
    program = await office.token(await office.owner(), "read", "write")
    for path in (
        "/users",
        "/settings",
        "/changes",
        "/sign-ins",
        "/backups",
        "/vault",
        "/doctor",
        "/webhooks",
        "/diagnostics/runtime",
        "/diagnostics/unified",
    ):
        assert await tried(program, "GET", API + path) == 403, path


@pytest.mark.req("API-03")
async def test_every_list_is_the_same_in_smaller_pages(office: Office, things: dict[str, str]):
    owner, document = await office.owner(), office.app.openapi()
    query = {"workspaceId": things["workspace_id"], "q": "paper", "address": "olive@example.com"}
    for _ in range(2):
        await owner.post(f"{API}/workspaces", json={"name": "Another"})
    longer = set[str]()
    for method, path in routes(office):
        taken = document["paths"][API + path][method.lower()].get("parameters", [])
        if {"$ref": "#/components/parameters/ContinuationToken"} not in taken:
            continue
        needed = {one["name"] for one in taken if one.get("required") and one["in"] == "query"}
        given = {name: query[name] for name in needed}
        address = filled(path, things).removeprefix(API)
        if len(whole := await every(owner, address, **given)) > 1:
            longer.add(path)
            few = min(100, len(whole) // 2)
            assert await every(owner, address, PageSize=few, **given) == whole, path
    assert longer > {"/workspaces", "/connectors", "/agents", "/models/prices", "/settings"}


async def test_no_request_waits_for_a_thread_to_learn_what_the_app_knows(
    office: Office, things: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    """FastAPI sends each plain function to a pool of threads, which takes longer than most do."""
    sent: set[str] = set()
    real = dependencies.run_in_threadpool

    def noted(function, *given, **named):
        sent.add(f"{function.__module__}.{function.__qualname__}")
        return real(function, *given, **named)

    monkeypatch.setattr(dependencies, "run_in_threadpool", noted)
    owner = await office.owner()
    for method, path in routes(office):
        if method == "GET" and path != "/events/stream":
            await owner.get(filled(path, things))
    assert sent == set()
