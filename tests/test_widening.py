"""Every change of the OpenAPI document, tried by a program of an admin that may read and write.

It is refused, or named below with the reason why it does not widen what agents may do.
"""

from pathlib import Path

import httpx
import pytest

from support.office import API, Office, user_id
from test_routes import filled, others_things, routes, tried

NOTHING = "looks, and changes nothing"
GATE = "passes the gate, which asks"
WORDS = "a program's words never count as the owner's, so what they lead to is asked about"
LESS = "takes away"
OWN = "only how one is shown to others"
NARROW = {
    ("POST", "/actions/{action_id}/settle"): "says what happened; nothing is done again",
    ("POST", "/actions/{action_id}/undo"): GATE,
    ("POST", "/agents/{agent_id}/estimate"): NOTHING,
    ("POST", "/agents/{agent_id}/sessions"): WORDS,
    ("POST", "/artifacts"): GATE,
    ("PATCH", "/artifacts/{artifact_id}"): GATE,
    ("DELETE", "/artifacts/{artifact_id}"): GATE,
    ("POST", "/artifacts/{artifact_id}/links"): "shows what is there in another place",
    ("POST", "/artifacts/{artifact_id}/uses"): "only counts",
    ("POST", "/cases/deletions"): LESS,
    ("POST", "/cases/deletions/{deletion_id}/undo"): "brings back what was there",
    ("POST", "/cases/{case_id}/items"): GATE,
    ("PUT", "/cases/{case_id}/items/{item_id}"): GATE,
    ("DELETE", "/cases/{case_id}/items/{item_id}"): GATE,
    ("POST", "/cases/{case_id}/run-again"): "says nothing new: the mail is a stranger's as before",
    ("POST", "/cases/{case_id}/stop"): LESS,
    ("POST", "/fetcher/fetch"): "fetches mail that comes anyway",
    ("POST", "/fetcher/run"): "fetches mail that comes anyway",
    ("POST", "/filters/preview"): NOTHING,
    ("POST", "/files"): "is nobody's word until it goes with a message",
    ("PATCH", "/files/{file_id}"): "only what is said of a file of one's own",
    ("DELETE", "/files/{file_id}"): LESS,
    ("POST", "/files/uploads"): "is nobody's word until it goes with a message",
    ("PATCH", "/files/uploads/{upload_id}"): "is nobody's word until it goes with a message",
    ("DELETE", "/files/uploads/{upload_id}"): LESS,
    ("POST", "/halt"): LESS,
    ("POST", "/inbox/agent/message"): WORDS,
    ("POST", "/inbox/batches/{batch_id}/undo"): GATE,
    ("PUT", "/inbox/guidelines/{notebook_id}"): GATE,
    ("POST", "/inbox/organize"): "lets the organiser look, which only suggests",
    ("POST", "/inbox/proposals/{proposal_id}/resolve"): GATE,
    ("POST", "/inbox/suggestions/resolve"): GATE,
    ("POST", "/inbox/suggestions/{suggestion_id}/resolve"): GATE,
    ("POST", "/inbox/suggestions/{suggestion_id}/undo"): GATE,
    ("POST", "/memory"): GATE,
    ("PATCH", "/memory/{memory_id}"): GATE,
    ("DELETE", "/memory/{memory_id}"): GATE,
    ("POST", "/outbox/{outgoing_id}/cancel"): LESS,
    ("POST", "/prompt-templates"): "no agent is told it until a person makes a prompt of it",
    ("PUT", "/prompt-templates/{template_id}"): "no agent is told it until a person takes it",
    ("DELETE", "/prompt-templates/{template_id}"): LESS,
    ("POST", "/prompts"): "no agent is told it until a person gives it to one",
    ("POST", "/prompts/preview"): NOTHING,
    ("DELETE", "/prompts/{prompt_id}"): "only while no agent is told it",
    ("POST", "/rules/check"): NOTHING,
    ("POST", "/rules/try"): NOTHING,
    ("POST", "/runs/{run_id}/replay"): WORDS,
    ("POST", "/runs/{run_id}/resume"): "goes on with what was said before",
    ("POST", "/runs/{run_id}/retry"): WORDS,
    ("POST", "/schedules"): WORDS,
    ("PATCH", "/schedules/{schedule_id}"): WORDS,
    ("DELETE", "/schedules/{schedule_id}"): LESS,
    ("POST", "/schedules/preview"): NOTHING,
    ("POST", "/schedules/{schedule_id}/run"): "says nothing new, only sooner",
    ("POST", "/sessions/uploads"): "is nobody's word until it goes with a message",
    ("POST", "/sessions/{session_id}/cancel"): LESS,
    ("POST", "/sessions/{session_id}/confirm"): "looks for what waits; then only a person answers",
    ("POST", "/sessions/{session_id}/message"): WORDS,
    ("POST", "/tasks"): WORDS,
    ("PATCH", "/tasks/{task_id}"): WORDS,
    ("DELETE", "/tasks/{task_id}"): GATE,
    ("POST", "/tasks/{task_id}/run"): WORDS,
    ("POST", "/threads"): WORDS,
    ("PATCH", "/threads/{thread_id}"): "only how a thread of one's own is kept",
    ("DELETE", "/threads/{thread_id}"): LESS,
    ("POST", "/threads/{thread_id}/stop"): LESS,
    ("DELETE", "/threads/{thread_id}/shares/{user_id}"): LESS,
    ("POST", "/threads/{thread_id}/messages"): WORDS,
    ("PATCH", "/threads/{thread_id}/messages/{message_id}"): "no agent hears it",
    ("DELETE", "/threads/{thread_id}/messages/{message_id}"): LESS,
    ("POST", "/threads/{thread_id}/messages/{message_id}/regenerate"): WORDS,
    ("PUT", "/threads/{thread_id}/messages/{message_id}/star"): OWN,
    ("DELETE", "/threads/{thread_id}/messages/{message_id}/star"): OWN,
    ("POST", "/threads/{thread_id}/messages/{message_id}/reactions"): OWN,
    ("DELETE", "/threads/{thread_id}/messages/{message_id}/reactions/{emoji}"): OWN,
    ("PATCH", "/users/me"): OWN,
    ("PUT", "/users/me/avatar"): OWN,
    ("PUT", "/users/me/notifications"): "only what one's own browsers show",
    ("DELETE", "/users/me/avatar"): OWN,
    ("POST", "/workspaces"): "is empty, and only its maker's",
    ("POST", "/workspaces/{workspace_id}/notebooks/{notebook_id}/scan"): NOTHING,
    ("PUT", "/workspaces/{workspace_id}/files/content"): GATE,
    ("PUT", "/workspaces/{workspace_id}/files/text"): GATE,
    ("POST", "/workspaces/{workspace_id}/files"): GATE,
    ("PATCH", "/workspaces/{workspace_id}/files/tags"): GATE,
    ("DELETE", "/workspaces/{workspace_id}/files"): GATE,
    ("POST", "/workspaces/{workspace_id}/files/move"): GATE,
    ("PATCH", "/workspaces/{workspace_id}/files/properties"): GATE,
    ("POST", "/workspaces/{workspace_id}/files/restore"): GATE,
    ("POST", "/workspaces/{workspace_id}/tools/{tool}"): GATE,
}


@pytest.fixture
async def things(office: Office) -> dict[str, str]:
    await office.set(rate_limit_percent=100_000)
    return await others_things(office)


@pytest.mark.req("GATE-07", "ID-04")
async def test_a_program_of_an_admin_that_may_write_widens_nothing(
    office: Office, things: dict[str, str]
):
    program = await office.token(await office.owner(), "read", "write")
    let_in = {
        (method, path)
        for method, path in routes(office)
        if method != "GET" and await tried(program, method, filled(path, things)) != 403
    }
    assert let_in == NARROW.keys(), "does it widen what agents may do?"


@pytest.mark.req("API-01")
async def test_the_document_says_what_needs_a_person_or_the_admin_scope(
    office: Office, things: dict[str, str]
):
    document = office.app.openapi()["paths"]
    program = await office.token(await office.owner(), "read", "write", "admin")
    for method, path in routes(office):
        said = document[API + path][method.lower()].get("security")
        if method == "GET" or (method, path) in NARROW:
            continue
        if said == [{"session": []}]:
            assert await tried(program, method, filled(path, things)) == 403, path
        elif "/approvals/" not in path:
            assert {"token": ["admin"]} in (said or []), f"{method} {path}"


@pytest.fixture
async def waiting(office: Office, things: dict[str, str]) -> httpx.AsyncClient:
    """A program of the owner of which a call waits for an approval, which it may not give."""
    program = await office.token(await office.owner(), "read", "write")
    answer = await program.post(f"{API}/approvals/{things['approval_id']}/allow", json={})
    assert answer.status_code == 403
    return program


async def moves(program: httpx.AsyncClient, things: dict[str, str]) -> dict[str, object]:
    """What comes of the call that waits, made once more."""
    move = {"arguments": {"path": "Files/a.txt", "to": "Files/b.txt"}}
    path = f"{API}/workspaces/{things['workspace_id']}/tools/move_file"
    return (await program.post(path, json=move)).json()


@pytest.mark.req("GATE-07")
async def test_a_program_cannot_lift_its_own_approval(
    office: Office, waiting: httpx.AsyncClient, things: dict[str, str], tmp_path: Path
):
    owner, space = await office.owner(), f"{API}/workspaces/{things['workspace_id']}"
    sam = await user_id(await office.member("sam"))
    anything = {"name": "r", "action": "ALLOW", "condition": {"==": [1, 1]}}
    here = {"workspaceId": things["workspace_id"]}
    attempts = [
        ("POST", f"{API}/rules", anything),
        ("POST", f"{API}/rules", anything | here | {"priority": 1}),
        ("PATCH", f"{API}/rules/{things['rule_id']}", {"condition": {"==": [1, 1]}}),
        ("DELETE", f"{API}/rules/{things['rule_id']}", None),
        ("POST", f"{space}/notebooks", {"name": "All", "path": str(tmp_path)}),
        ("PATCH", f"{space}/notebooks/{things['notebook_id']}", {"trusted": True}),
        ("POST", f"{space}/members", {"email": "sam@example.com", "role": "admin"}),
        ("PUT", f"{space}/members/{sam}", {"role": "admin"}),
        ("PATCH", f"{API}/users/{sam}", {"role": "admin"}),
        ("PUT", f"{API}/agents/{things['agent_id']}", {"name": "a", "scope": {"delete": True}}),
        ("POST", f"{API}/clients", {"name": "c"} | here),
        ("POST", f"{API}/tokens", {"name": "t", "scopes": ["read", "write", "admin"]}),
        ("PATCH", f"{API}/redactions/{things['redaction_id']}", {"enabled": False}),
        ("PATCH", f"{API}/settings", {"rate_limit_percent": 1000}),
        ("POST", f"{API}/filters", {"field": "From", "regex": "."} | here),
        ("PUT", f"{API}/prompts/{things['prompt_id']}", {"name": "p", "messages": []}),
    ]
    for method, path, body in attempts:
        answer = await waiting.request(method, path, json=body)
        assert answer.status_code == 403, f"{method} {path}: {answer.text}"
        advice = answer.json()["detail"]
        assert "Sign in" in advice or "scope 'admin'" in advice, advice
    assert (await moves(waiting, things))["status"] == "pending"
    approval = (await owner.get(f"{API}/approvals/{things['approval_id']}")).json()
    assert approval["status"] == "pending"


@pytest.mark.req("ID-04")
async def test_a_program_with_the_admin_scope_makes_rules_and_members(
    office: Office, things: dict[str, str]
):
    program = await office.token(await office.owner(), "read", "write", "admin")
    await office.member("sam")
    rule = {"name": "r", "action": "ALLOW", "condition": {"==": [1, 1]}}
    assert (await program.post(f"{API}/rules", json=rule)).status_code == 201
    members = f"{API}/workspaces/{things['workspace_id']}/members"
    added = await program.post(members, json={"email": "sam@example.com", "role": "write"})
    assert added.status_code == 201
    notebook = f"{API}/workspaces/{things['workspace_id']}/notebooks/{things['notebook_id']}"
    assert (await program.patch(notebook, json={"trusted": True})).json()["trusted"]
