"""Agents over REST: made, changed, shared, switched off, taken away and brought back."""

from typing import Any

import httpx
import pytest
from sqlalchemy import select

from bailiwick.agents.models import AgentCredential
from support.model_server import Call, Turn, says
from support.office import API, Office
from support.workshop import scripted, texts, workshop_in

pytestmark = [pytest.mark.req("AGENT-01")]
AGENTS = f"{API}/agents"
# As the document of scoped agents sends it, but for the model.
DOCUMENT: dict[str, Any] = {
    "name": "Research Assistant",
    "scope": {
        "notebooks": ["*"],
        "folders": ["/experiments/*", "/notes"],
        "file_types": ["*.md", "*.txt", "*.json"],
    },
    "can_read": True,
    "can_write": True,
    "can_create": True,
    "can_delete": False,
    "max_requests_per_hour": 50,
}


async def space_of(person: httpx.AsyncClient) -> str:
    return (await person.get(f"{API}/workspaces")).json()["items"][0]["id"]


async def made(person: httpx.AsyncClient, **more) -> dict:
    body = {"workspaceId": await space_of(person), "name": "Clerk", **more}
    answer = await person.post(AGENTS, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def join(office: Office, name: str, role: str) -> httpx.AsyncClient:
    """Another member of the owner's workspace."""
    owner, person = await office.owner(), await office.member(name)
    id = (await person.get(f"{API}/auth/whoami")).json()["user"]["id"]
    path = f"{API}/workspaces/{await space_of(owner)}/members/{id}"
    assert (await owner.put(path, json={"role": role})).status_code < 300
    return person


async def test_an_agent_is_made_by_the_request_of_the_source_document(any_office: Office):
    owner = await any_office.owner()
    model = {"provider": "anthropic", "model": "claude-sonnet-4-20250514"}
    answer = await owner.post(f"{API}/models", json={"name": "Claude", "key": "sk-x", **model})
    assert answer.status_code == 201, answer.text
    body = {**DOCUMENT, **model, "workspace_id": await space_of(owner)}
    answer = await owner.post(AGENTS, json=body)
    assert answer.status_code == 201, answer.text
    agent = answer.json()
    assert (agent["provider"], agent["model"]) == (model["provider"], model["model"])
    assert (agent["canWrite"], agent["canDelete"]) == (True, False)
    assert agent["maxRequestsPerHour"] == 50
    assert agent["maxTokensPerRequest"] == 4000
    assert (agent["isActive"], agent["isOffline"]) == (True, False)
    assert agent["scope"]["fileTypes"] == ["*.md", "*.txt", "*.json"]
    assert (await owner.get(f"{AGENTS}/{agent['id']}")).json() == agent


@pytest.mark.req("GATE-03", "LIB-07")
async def test_an_agent_touches_what_its_scope_names_and_nothing_else(office: Office):
    shop = await workshop_in(office)
    tried = {
        "Files/experiments/a.md": "done",
        "Files/experiments/2026/a.md": "denied",
        "Files/notes/b.txt": "done",
        "Files/notes/deep/b.txt": "done",
        "Files/notes/b.py": "denied",
        "Files/drafts/c.md": "denied",
    }
    wishes = [Call("create_file", {"path": path, "content": "x"}) for path in tried]
    delete = Call("delete_file", {"path": "Files/notes/b.txt"})
    with scripted(Turn(calls=wishes), Turn(calls=[delete]), says("Done.")) as server:
        agent = await made(shop.owner, **DOCUMENT, modelId=await shop.model(server))
        session = await shop.ask(agent, "Write everywhere.")
    *written, deleted = [(call["status"], call["code"]) for call in session["calls"]]
    assert [status for status, _ in written] == list(tried.values())
    assert {code for _, code in written} == {None, "out_of_scope"}
    assert deleted == ("denied", "out_of_scope")


@pytest.mark.req("LIB-07")
async def test_operations_in_a_scope_are_flags_and_never_add_to_those_that_are_given(
    office: Office,
):
    owner = await office.owner()

    async def flags(operations: list[str], **given: bool) -> list[str]:
        name = f"Clerk {operations} {given}"
        agent = await made(owner, name=name, scope={"operations": operations}, **given)
        assert agent["scope"]["operations"] is None
        return [name for name, value in agent.items() if name.startswith("can") and value is True]

    own = ["canEdit"]
    assert await flags(["read", "write", "create"]) == ["canRead", "canWrite", "canCreate", *own]
    assert await flags([]) == own
    assert await flags(["read", "write"], canWrite=False, canDelete=True) == ["canRead", *own]
    body = {"workspaceId": await space_of(owner), "name": "x", "scope": {"operations": ["fly"]}}
    assert "operations" in (await owner.post(AGENTS, json=body)).text


async def test_an_agent_is_changed_as_a_whole_and_the_second_who_saves_is_told(office: Office):
    owner = await office.owner()
    agent = await made(owner, canWrite=True)
    path = f"{AGENTS}/{agent['id']}"
    changed = await owner.put(path, json={"name": "Writer", "stepLimit": 5, "revision": 1})
    assert changed.status_code == 200, changed.text
    assert changed.json()["canWrite"] is False
    assert (changed.json()["name"], changed.json()["stepLimit"]) == ("Writer", 5)
    late = await owner.put(path, json={"name": "Late", "revision": 1})
    assert late.status_code == 409
    assert (await owner.get(path)).json()["name"] == "Writer"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("modelId", "mdl-none"),
        ("promptId", "prm-none"),
        ("colleagues", ["agt-000000000000"]),
        ("stepLimit", 0),
        ("moneyPerDay", -1),
        ("kind", "emperor"),
        ("canWrite", "yes"),
    ],
)
async def test_a_wrong_field_is_named(office: Office, field: str, value):
    owner = await office.owner()
    body = {"workspaceId": await space_of(owner), "name": "Clerk", field: value}
    answer = await owner.post(AGENTS, json=body)
    assert answer.status_code == 400, answer.text
    assert any(name.startswith(field) for name in answer.json()["errors"]), answer.text


async def test_two_agents_of_a_workspace_have_two_names(office: Office):
    owner = await office.owner()
    await made(owner)
    again = await owner.post(AGENTS, json={"workspaceId": await space_of(owner), "name": "clerk"})
    assert again.status_code == 400
    assert "name" in again.json()["errors"]


@pytest.mark.req("AGENT-05")
async def test_only_an_admin_of_the_workspace_shares_and_only_owner_or_admin_changes(
    any_office: Office,
):
    owner = await any_office.owner()
    ada = await join(any_office, "ada", "write")
    ben = await join(any_office, "ben", "write")
    space = await space_of(owner)
    mine = await ada.post(AGENTS, json={"workspaceId": space, "name": "Ada's"})
    id = mine.json()["id"]
    assert (await ben.get(f"{AGENTS}/{id}")).status_code == 404
    sharing = {"name": "Ada's", "shared": True}
    assert (await ada.put(f"{AGENTS}/{id}", json=sharing)).status_code == 403
    assert (await owner.put(f"{AGENTS}/{id}", json=sharing)).status_code == 200
    seen = (await ben.get(f"{AGENTS}/{id}")).json()
    assert seen["canEdit"] is False
    assert (await ben.put(f"{AGENTS}/{id}", json=sharing)).status_code == 403
    assert (await ben.delete(f"{AGENTS}/{id}")).status_code == 403
    assert (await ada.put(f"{AGENTS}/{id}", json={**sharing, "stepLimit": 3})).status_code == 200


@pytest.mark.req("AGENT-04")
async def test_a_credential_is_written_used_and_never_shown(office: Office):
    shop = await workshop_in(office)
    owner = shop.owner
    with scripted(says("One."), says("Two.")) as server:
        agent = await made(owner, modelId=await shop.model(server))
        path = f"{AGENTS}/{agent['id']}/credentials"
        address = {"keyName": "api_base", "value": server.base_url}
        assert (await owner.post(path, json=address)).status_code == 400
        secret = {"keyName": "api_key", "value": "sk-very-secret"}
        assert (await owner.post(path, json=secret)).status_code == 201
        session = await shop.ask(agent, "Hello.")
    assert server.requests[0].headers["authorization"] == "Bearer sk-very-secret"
    with scripted(says("Elsewhere.")) as other:
        address["value"] = other.base_url
        given = await owner.post(path, json=address)
        assert given.status_code == 201, given.text
        session = await shop.say(session["id"], "And again.")
    assert texts(session, "assistant") == ["One.", "Elsewhere."]
    listed = await owner.get(path)
    assert [row["keyName"] for row in listed.json()["items"]] == ["api_base", "api_key"]
    everything = [listed, await owner.get(f"{AGENTS}/{agent['id']}"), await owner.get(AGENTS)]
    everything.append(await owner.get(f"{API}/changes"))
    everything.append(await owner.get(f"{API}/runs/{session['id']}/events"))
    assert not any("sk-very-secret" in answer.text for answer in everything)
    async with office.product.storage.app.read() as rows:
        kept = (await rows.scalars(select(AgentCredential.value))).all()
    assert kept
    assert not any(b"sk-very-secret" in value for value in kept)
    # Without its own key, an address of its own would get the office's.
    assert (await owner.delete(f"{path}/api_key")).status_code == 204
    assert (await owner.get(path)).json()["items"] == []
    wrong = await owner.post(path, json={"keyName": "password", "value": "x"})
    assert wrong.status_code == 400


async def test_where_a_model_is_called_is_not_for_everyone_to_choose(office: Office):
    await office.owner()
    ada = await join(office, "ada", "write")
    space = await space_of(await office.owner())
    agent = (await ada.post(AGENTS, json={"workspaceId": space, "name": "Ada's"})).json()
    path = f"{AGENTS}/{agent['id']}/credentials"
    await ada.post(path, json={"keyName": "api_key", "value": "sk-x"})
    inside = {"keyName": "api_base", "value": "http://127.0.0.1:8787/v1"}
    assert (await ada.post(path, json=inside)).status_code == 403
    clouds = {"keyName": "api_base", "value": "http://169.254.169.254/latest"}
    owner = await office.owner()
    assert (await owner.post(path, json=clouds)).status_code == 400


async def test_one_that_is_off_starts_nothing_and_one_that_is_gone_comes_back(office: Office):
    owner = await office.owner()
    agent = await made(owner)
    path = f"{AGENTS}/{agent['id']}"
    off = await owner.post(f"{path}/activate?active=false")
    assert off.json()["isActive"] is False
    refused = await owner.post(f"{path}/sessions", json={"content": "Hello"})
    assert refused.status_code == 409
    assert (await owner.delete(path)).status_code == 204
    assert (await owner.get(path)).status_code == 404
    assert (await owner.get(AGENTS)).json()["items"] == []
    back = await owner.post(f"{path}/restore")
    assert back.status_code == 200
    assert back.json()["isActive"] is True


@pytest.mark.req("AGENT-03")
async def test_every_preset_makes_an_agent_that_can_start(office: Office):
    owner = await office.owner()
    space = await space_of(owner)
    presets = (await owner.get(f"{AGENTS}/presets")).json()["items"]
    assert {"Summariser", "Reviewer", "Research assistant"} <= {each["name"] for each in presets}
    for each in presets:
        answer = await owner.post(AGENTS, json={"workspaceId": space, **each["config"]})
        assert answer.status_code == 201, answer.text
        begun = await owner.post(
            f"{AGENTS}/{answer.json()['id']}/sessions", json={"content": each["example"]}
        )
        assert begun.status_code == 201, begun.text


async def test_a_model_that_an_agent_uses_is_not_taken_away_from_it(office: Office):
    owner = await office.owner()
    body = {"name": "Big", "provider": "openai", "model": "gpt-5", "key": "sk-x"}
    model = (await owner.post(f"{API}/models", json=body)).json()["id"]
    agent = await made(owner, modelId=model)
    refused = await owner.delete(f"{API}/models/{model}")
    assert refused.status_code == 409
    assert "Clerk" in refused.text
    await owner.delete(f"{AGENTS}/{agent['id']}")
    assert (await owner.delete(f"{API}/models/{model}")).status_code == 204
