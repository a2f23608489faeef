"""Prompts and templates over REST: whose they are, who may change them, and what is refused."""

from typing import Any

import httpx
import pytest

from bailiwick.agents.presets import PRESETS
from bailiwick.agents.prompts.mail_variables import MAIL_VARIABLES
from bailiwick.agents.prompts.render import BUILT_IN
from support.model_server import says
from support.office import API, Office
from support.workshop import scripted, workshop_in

pytestmark = pytest.mark.req("AGENT-02")
SYSTEM = {"role": "system", "content": "You answer {{email}} for {{user}}."}
EXAMPLE = [
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Good day, this is {{user}}'s office."},
]
kinds = pytest.mark.parametrize("path", ["/prompts", "/prompt-templates"])


async def home(office: Office) -> str:
    return (await (await office.owner()).get(f"{API}/workspaces")).json()["items"][0]["id"]


async def joined(office: Office, name: str, role: str) -> httpx.AsyncClient:
    """A member of the first workspace."""
    person = await office.member(name)
    body = {"email": f"{name}@example.com", "role": role}
    added = await (await office.owner()).post(
        f"{API}/workspaces/{await home(office)}/members", json=body
    )
    assert added.status_code == 201
    return person


async def made(office: Office, path: str = "/prompts", **values: Any) -> dict[str, Any]:
    body = {"workspaceId": await home(office), "name": "Answers", "messages": [SYSTEM], **values}
    answer = await (await office.owner()).post(API + path, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def change(prompt: dict[str, Any], **values: Any) -> dict[str, Any]:
    kept = ("name", "description", "messages", "imprint", "revision")
    return {**{name: prompt[name] for name in kept}, **values}


@kinds
async def test_what_is_written_is_kept_in_its_order(any_office: Office, path: str):
    owner = await any_office.owner()
    tool = {"role": "tool", "content": "{}"}
    first = await made(any_office, path, messages=[SYSTEM, tool], imprint=EXAMPLE)
    assert (first["revision"], first["ownerName"]) == (1, "Olive Owner")
    read = (await owner.get(f"{API}{path}/{first['id']}")).json()
    assert read == first
    assert (read["messages"], read["imprint"]) == ([SYSTEM, tool], EXAMPLE)
    body = change(first, messages=[tool, SYSTEM], imprint=[], name="Other")
    second = (await owner.put(f"{API}{path}/{first['id']}", json=body)).json()
    assert (second["messages"], second["imprint"]) == ([tool, SYSTEM], [])
    assert (second["name"], second["revision"]) == ("Other", 2)
    assert second["updatedAt"] > first["updatedAt"]
    assert (await owner.delete(f"{API}{path}/{first['id']}")).status_code == 204
    assert (await owner.get(f"{API}{path}/{first['id']}")).status_code == 404


@kinds
async def test_a_list_shows_what_is_in_ones_workspaces_without_the_messages(
    any_office: Office, path: str
):
    owner, stranger = await any_office.owner(), await any_office.member("sam")
    other = (await owner.post(f"{API}/workspaces", json={"name": "Other"})).json()["id"]
    await made(any_office, path, name="b")
    await made(any_office, path, name="A")
    await made(any_office, path, name="A", workspaceId=other)

    async def names(who: httpx.AsyncClient, **query: str) -> list[str]:
        items = (await who.get(API + path, params=query)).json()["items"]
        assert not any("messages" in item for item in items)
        return [item["name"] for item in items if not item.get("builtIn")]

    assert await names(owner) == ["A", "A", "b"]
    assert await names(any_office.operator) == ["A", "A", "b"]
    assert await names(owner, workspaceId=other) == ["A"]
    assert await names(stranger) == []
    assert await names(stranger, workspaceId=other) == []


@kinds
@pytest.mark.req("ID-03")
async def test_readers_read_writers_write_and_strangers_see_nothing(any_office: Office, path: str):
    prompt = await made(any_office, path)
    reader, writer = (
        await joined(any_office, "rita", "read"),
        await joined(any_office, "wu", "write"),
    )
    stranger, mine = await any_office.member("sam"), f"{API}{path}/{prompt['id']}"
    new = {"workspaceId": prompt["workspaceId"], "name": "New", "messages": [SYSTEM]}
    assert (await reader.get(mine)).json()["messages"] == [SYSTEM]
    for person, status in ((reader, 403), (stranger, 404)):
        assert (await person.post(API + path, json=new)).status_code == status
        assert (await person.put(mine, json=change(prompt, name="x"))).status_code == status
        assert (await person.delete(mine)).status_code == status
    nobodys = await stranger.get(f"{API}{path}/prm-000000000000")
    hidden = await stranger.get(mine)
    assert (hidden.status_code, hidden.json()["detail"]) == (404, nobodys.json()["detail"])
    assert (await writer.put(mine, json=change(prompt, name="x"))).json()["name"] == "x"
    assert (await writer.post(API + path, json=new)).json()["ownerName"] == "Wu"
    assert (await writer.delete(mine)).status_code == 204


async def test_a_prompt_is_not_a_template(office: Office):
    owner, prompt = await office.owner(), await made(office)
    assert (await owner.get(f"{API}/prompt-templates/{prompt['id']}")).status_code == 404
    template = await made(office, "/prompt-templates", name=prompt["name"])
    assert (await owner.delete(f"{API}/prompts/{template['id']}")).status_code == 404
    assert (await owner.get(f"{API}/prompt-templates/{template['id']}")).status_code == 200


@kinds
async def test_whoever_saves_second_overwrites_nothing(any_office: Office, path: str):
    owner, prompt = await any_office.owner(), await made(any_office, path)
    mine = f"{API}{path}/{prompt['id']}"
    assert (await owner.put(mine, json=change(prompt, description="first"))).status_code == 200
    late = await owner.put(mine, json=change(prompt, description="second"))
    assert (late.status_code, list(late.json()["errors"])) == (409, ["revision"])
    ahead = await owner.put(mine, json=change(prompt, description="third", revision=3))
    assert ahead.status_code == 409
    assert (await owner.get(mine)).json()["description"] == "first"
    same = await owner.put(mine, json=change(prompt, description="first", revision=2))
    assert same.json()["revision"] == 2, "nothing was changed"


@kinds
async def test_a_name_is_used_once_in_a_workspace(any_office: Office, path: str):
    owner, first = await any_office.owner(), await made(any_office, path)
    second = await made(any_office, path, name="Second")
    body = {"workspaceId": first["workspaceId"], "name": "ANSWERS", "messages": [SYSTEM]}
    twice = await owner.post(API + path, json=body)
    assert (twice.status_code, list(twice.json()["errors"])) == (409, ["name"])
    renamed = await owner.put(f"{API}{path}/{second['id']}", json=change(second, name="Answers"))
    assert (renamed.status_code, list(renamed.json()["errors"])) == (409, ["name"])
    other = await owner.put(f"{API}{path}/{first['id']}", json=change(first, name="ANSWERS"))
    assert other.json()["name"] == "ANSWERS"


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [SYSTEM] * 51}, "messages"),
        ({"imprint": EXAMPLE * 26}, "imprint"),
        ({"messages": [{"role": "developer", "content": "x"}]}, "messages.0.role"),
        ({"messages": [SYSTEM, {"role": "user", "content": ""}]}, "messages.1.content"),
        ({"messages": [{"role": "user", "content": "x" * 50_001}]}, "messages.0.content"),
        ({"imprint": [{"role": "user", "content": "a\0b"}]}, "imprint.0.content"),
        ({"messages": [{**SYSTEM, "tool_calls": []}]}, "messages.0.tool_calls"),
        ({"name": ""}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"workspaceId": "home"}, "workspaceId"),
        ({"ownerId": "usr-00000000"}, "ownerId"),
    ],
)
async def test_what_cannot_be_kept_is_refused_by_its_field(
    office: Office, values: dict[str, Any], field: str
):
    body = {"workspaceId": await home(office), "name": "x", "messages": [SYSTEM], **values}
    answer = await (await office.owner()).post(f"{API}/prompts", json=body)
    assert answer.status_code == 400
    assert field in answer.json()["errors"]


async def test_a_change_is_recorded_with_what_it_said_before_and_after(any_office: Office):
    owner = await any_office.owner()
    prompt = await made(any_office, messages=[{"role": "system", "content": "x" * 5000}])
    body = change(prompt, messages=[SYSTEM], imprint=EXAMPLE[:1])
    await owner.put(f"{API}/prompts/{prompt['id']}", json=body)
    listed = await owner.get(f"{API}/changes", params={"action": "prompt.changed"})
    (line,) = listed.json()["items"]
    assert line["subjectId"] == prompt["id"]
    assert line["before"]["messages"] == [f"system: {'x' * 500}… (5,000 characters)"]
    assert line["after"]["messages"] == ["system: You answer {{email}} for {{user}}."]
    assert line["after"]["imprint"] == ["user: Hello"]


async def test_the_built_in_templates_are_for_all_and_for_no_one_to_change(office: Office):
    stranger = await office.member("sam")
    listed = (await stranger.get(f"{API}/prompt-templates")).json()["items"]
    assert [item["name"] for item in listed] == [preset.name for preset in PRESETS]
    assert all(item["builtIn"] for item in listed)
    path = f"{API}/prompt-templates/builtin:summariser"
    template = (await stranger.get(path)).json()
    assert template["messages"][0]["content"] == PRESETS[0].messages[0].content
    owner = await office.owner()
    assert (await owner.put(path, json=change(template, revision=1))).status_code == 403
    assert (await owner.delete(path)).status_code == 403
    for other in ("builtin:nothing", "builtin:../../x", "builtin:"):
        answer = await owner.get(f"{API}/prompt-templates/{other}")
        assert answer.status_code in (400, 404)
    copied = await made(office, name="Mine", messages=template["messages"])
    assert copied["messages"] == template["messages"]


async def preview(office: Office, **body: Any) -> Any:
    answer = await (await office.owner()).post(f"{API}/prompts/preview", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_preview_names_what_is_missing_and_shows_the_rest(office: Office):
    seen = await preview(office, messages=[SYSTEM], imprint=EXAMPLE)
    assert (seen["variables"], seen["missing"]) == (["email", "user"], ["email"])
    assert seen["messages"] == [
        {"role": "system", "content": "You answer {{email}} for Olive Owner."},
        EXAMPLE[0],
        {"role": "assistant", "content": "Good day, this is Olive Owner's office."},
    ]
    values = {"email": "{{user}} \\{{date}}", "user": "Kim"}
    seen = await preview(office, messages=[SYSTEM], values=values)
    assert seen["missing"] == []
    assert seen["messages"][0]["content"] == "You answer {{user}} \\{{date}} for Kim."
    assert await preview(office, messages=[]) == {"messages": [], "variables": [], "missing": []}
    empty = [{"role": "user", "content": ""}]
    assert (await preview(office, messages=empty))["messages"] == empty


@pytest.mark.req("GATE-28")
async def test_a_preview_shows_what_the_model_would_see(office: Office):
    body = {"name": "Projects", "pattern": "project-[0-9]+", "replacement": "[PROJECT]"}
    assert (await (await office.owner()).post(f"{API}/redactions", json=body)).is_success
    seen = await preview(
        office,
        messages=[{"role": "system", "content": "You know project-12 and {{secret}}."}],
        imprint=[{"role": "user", "content": "Pay DE89370400440532013000."}],
        values={"secret": "project-34"},
    )
    said = [message["content"] for message in seen["messages"]]
    assert said[0] == "You know [PROJECT] and [PROJECT]."
    assert "DE89" not in said[1]


async def test_a_preview_cannot_be_blown_up(office: Office):
    messages = [{"role": "user", "content": "{{a}}" * 10_000}] * 50
    body = {"messages": messages, "values": {"a": "x" * 50_000}}
    answer = await (await office.owner()).post(f"{API}/prompts/preview", json=body)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["messages.0.content"])
    for values in ({"A": "x"}, {"a b": "x"}, {"a": 1}, {f"a{n}": "x" for n in range(101)}):
        body = {"messages": [SYSTEM], "values": values}
        answer = await (await office.owner()).post(f"{API}/prompts/preview", json=body)
        assert answer.status_code == 400, values


async def test_the_built_in_variables_are_told(office: Office):
    listed = (await (await office.owner()).get(f"{API}/prompts/variables")).json()["items"]
    known = (*BUILT_IN, *MAIL_VARIABLES)
    assert [item["name"] for item in listed] == [each.name for each in known]


async def test_the_model_reads_the_prompt_with_its_values_and_then_the_imprint(
    any_office: Office,
):
    shop, prompt = await workshop_in(any_office), await made(any_office, imprint=EXAMPLE)
    body = {"content": "Answer it.", "variables": {"email": "{{user}} writes"}}
    with scripted(says("Done.")) as server:
        agent = await shop.agent(modelId=await shop.model(server), promptId=prompt["id"])
        path = f"{API}/agents/{agent['id']}/sessions"
        assert (await shop.owner.post(path, json=body)).status_code == 201
        await shop.drive()
    _, *read = server.requests[0].messages
    assert [(each["role"], each["content"]) for each in read] == [
        ("system", "You answer {{user}} writes for Olive Owner."),
        ("user", "Hello"),
        ("assistant", "Good day, this is Olive Owner's office."),
        ("user", "Answer it."),
    ]


async def test_a_session_that_leaves_a_variable_out_does_not_begin(office: Office):
    shop, prompt = await workshop_in(office), await made(office)
    agent = await shop.agent(promptId=prompt["id"])
    path = f"{API}/agents/{agent['id']}/sessions"
    refused = await shop.owner.post(path, json={"content": "Answer it."})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["prompt.0.content"])
    assert (await shop.owner.get(path)).json()["items"] == []


async def test_a_prompt_that_an_agent_uses_stays_and_a_private_agent_is_not_named(
    any_office: Office,
):
    shop, prompt = await workshop_in(any_office), await made(any_office)
    owner, writer = shop.owner, await joined(any_office, "wu", "write")
    await shop.agent(name="Open", promptId=prompt["id"], shared=True)
    await shop.agent(name="Secret", promptId=prompt["id"])
    old = await shop.agent(name="Old", promptId=prompt["id"], shared=True)
    await owner.delete(f"{API}/agents/{old['id']}")
    mine = f"{API}/prompts/{prompt['id']}"
    for person, named in ((owner, ["Open", "Secret"]), (writer, ["Open", "1 of other members"])):
        answer = await person.delete(mine)
        assert (answer.status_code, answer.json()["errors"]) == (409, {"agents": named})
    assert (await owner.get(mine)).status_code == 200
