"""Models over REST: who may do what, and where keys go."""

import os
import subprocess
import sys
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from bailiwick.instance.models import Change
from bailiwick.llm import discovery
from bailiwick.llm.adapter import Models
from bailiwick.llm.errors import ModelFailed
from bailiwick.llm.models import Model
from llm.conftest import KEY, ask
from support.model_server import MODEL, ModelServer, Turn, fails, says
from support.office import API, Office

pytestmark = pytest.mark.req("MODEL-01")
MODELS = f"{API}/models"
OPENAI = {"name": "Main", "provider": "openai", "model": "gpt-5.4-mini", "key": KEY}


def local(server: ModelServer, **more: Any) -> dict[str, Any]:
    body = {"name": "Local", "provider": "compatible", "model": MODEL, "key": KEY}
    return {**body, "baseUrl": server.base_url, **more}


async def added(owner: httpx.AsyncClient, body: dict[str, Any]) -> dict[str, Any]:
    made = await owner.post(MODELS, json=body)
    assert made.status_code == 201, made.text
    return made.json()


async def refused(answer: httpx.Response, status: int, field: str | None = None) -> str:
    assert answer.status_code == status, answer.text
    assert KEY not in answer.text
    if field:
        assert list(answer.json()["errors"]) == [field]
    return answer.json()["detail"]


async def test_an_office_begins_with_the_offline_model_as_its_default(any_office: Office):
    owner = await any_office.owner()
    (only,) = (await owner.get(MODELS)).json()["items"]
    assert (only["provider"], only["label"]) == ("offline", "Rules, not AI")
    assert only["isDefault"]
    assert (only["origin"], only["hasKey"]) == ("builtin", False)
    assert (only["effectiveInputPrice"], only["priceSource"]) == (0, "known")
    assert (await any_office.product[Models].get()).id == only["id"]
    one = f"{MODELS}/{only['id']}"
    tested = (await owner.post(f"{one}/test")).json()
    assert (tested["ok"], tested["money"], tested["error"]) == (True, 0, None)
    assert tested["said"]
    await refused(await owner.delete(one), 409)
    await refused(await owner.put(one, json=OPENAI), 409)
    async with any_office.product.storage.app.read() as session:
        seeded = await session.scalars(select(Change).where(Change.action.startswith("model.")))
        assert seeded.all() == []


async def test_a_model_is_added_changed_made_the_default_and_removed(any_office: Office):
    owner = await any_office.owner()
    made = await added(owner, OPENAI)
    one = f"{MODELS}/{made['id']}"
    assert made["hasKey"]
    assert (made["effectiveWindow"], made["priceSource"]) == (400_000, "known")
    body = {"name": "Main", "provider": "openai", "model": "gpt-5.4", "inputPrice": 7}
    changed = (await owner.put(one, json=body | {"outputPrice": 9, "parallel": 2})).json()
    assert (changed["model"], changed["parallel"], changed["hasKey"]) == ("gpt-5.4", 2, True)
    assert (changed["effectiveInputPrice"], changed["priceSource"]) == (7, "yours")
    assert (await owner.get(one)).json() == changed
    assert (await owner.post(f"{one}/default")).json()["isDefault"]
    assert (await any_office.product[Models].get()).id == made["id"]
    defaults = [item for item in (await owner.get(MODELS)).json()["items"] if item["isDefault"]]
    assert [item["id"] for item in defaults] == [made["id"]]
    assert "another one the default" in await refused(await owner.delete(one), 409)
    off = {**body, "enabled": False}
    assert "another one the default" in await refused(await owner.put(one, json=off), 409)
    (offline,) = [i for i in (await owner.get(MODELS)).json()["items"] if i["origin"] == "builtin"]
    assert (await owner.post(f"{MODELS}/{offline['id']}/default")).status_code == 200
    assert (await owner.delete(one)).status_code == 204
    await refused(await owner.get(one), 404)
    with pytest.raises(ModelFailed, match="no longer there"):
        await any_office.product[Models].get(made["id"])


async def test_a_key_is_sealed_and_never_shown_recorded_or_logged(
    office: Office, server: ModelServer, capfd: pytest.CaptureFixture[str]
):
    owner = await office.owner()
    shown = [await owner.post(MODELS, json=local(server))]
    one = f"{MODELS}/{shown[0].json()['id']}"
    server.turns = [fails(401, text=f"Wrong key: Bearer {KEY}")]
    shown += [
        await owner.get(MODELS),
        await owner.get(one),
        await owner.put(one, json=local(server, name="Renamed")),
        await owner.post(f"{one}/test"),
        await owner.post(f"{one}/test"),
        await owner.post(MODELS, json=local(server, key=[KEY])),
        await owner.post(MODELS, json=local(server, key=KEY, model="a b")),
    ]
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    for answer in shown:
        assert KEY not in answer.text
    async with office.product.storage.app.read() as session:
        row = (await session.scalars(select(Model).where(Model.origin == "made"))).one()
        lines = (await session.scalars(select(Change).where(Change.subject_id == row.id))).all()
    assert row.key is not None
    assert KEY.encode() not in row.key
    assert [line.action for line in lines] == ["model.created", "model.changed"]
    assert lines[1].after["new_key"] is True
    assert KEY not in repr([(line.before, line.after) for line in lines])
    out = capfd.readouterr()
    assert KEY not in out.out + out.err
    for file in office.product.settings.data.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file


async def test_a_new_address_does_not_get_the_old_key(office: Office, server: ModelServer):
    owner = await office.owner()
    made = await added(owner, local(server))
    one = f"{MODELS}/{made['id']}"
    body = local(server)
    del body["key"]
    for moved in ({"baseUrl": "https://thief.example.com/v1"}, {"provider": "openai"}):
        assert "give it again" in await refused(await owner.put(one, json=body | moved), 400, "key")
    assert (await owner.get(one)).json() == made, "and nothing was changed"
    moved = {"baseUrl": f"{server.url}/other/v1", "key": None}
    assert (await owner.put(one, json=body | moved)).json()["hasKey"] is False
    assert (await owner.post(f"{one}/test")).json()["ok"]
    assert KEY not in repr(server.requests[-1].headers)


async def test_a_key_that_is_left_out_stays(office: Office, server: ModelServer):
    owner = await office.owner()
    one = f"{MODELS}/{(await added(owner, local(server)))['id']}"
    body = local(server, name="Other", baseUrl=f"{server.base_url}/")
    del body["key"]
    assert (await owner.put(one, json=body)).json()["hasKey"]
    assert (await owner.post(f"{one}/test")).json()["ok"]
    assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"


async def test_where_no_model_may_be(office: Office):
    owner = await office.owner()
    for address in (
        "http://169.254.169.254/latest/meta-data",
        "http://[fe80::1]/v1",
        "http://[fd00:ec2::254]/v1",
        "http://[::ffff:169.254.169.254]/v1",
        "http://100.100.100.200/v1",
        "http://2852039166/v1",
        "http://0xa9fea9fe/v1",
        "http://0.0.0.0:8000/v1",
        "http://user:password@models.example.com/v1",
        "https://models.example.com/v1?key=x",
        "https://models.example.com/v1#x",
        "file:///etc/passwd",
        "http://127.0.0.1:25/v1",
        "nonsense",
    ):
        body = {"name": "X", "provider": "compatible", "model": "x", "baseUrl": address}
        await refused(await owner.post(MODELS, json=body), 400, "baseUrl")


async def test_what_cannot_be_is_refused_by_field(office: Office):
    owner = await office.owner()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"model": None}, "model"),
        ({"provider": None}, "provider"),
        ({"provider": "offline"}, "provider"),
        ({"model": "../../admin"}, "model"),
        ({"model": "a/../b"}, "model"),
        ({"model": "a?b=c"}, "model"),
        ({"key": None}, "key"),
        ({"key": ""}, "key"),
        ({"key": "kéy"}, "key"),
        ({"key": "a\r\nX-Evil: 1"}, "key"),
        ({"provider": "azure"}, "baseUrl"),
        ({"provider": "compatible"}, "baseUrl"),
        ({"provider": "bedrock"}, "region"),
        ({"provider": "bedrock", "region": "eu.evil.com/"}, "region"),
        ({"provider": "bedrock", "region": "eu-west-1", "baseUrl": "https://x.com"}, "baseUrl"),
        ({"apiVersion": "2024?x=y"}, "apiVersion"),
        ({"inputPrice": -1}, "inputPrice"),
        ({"parallel": 0}, "parallel"),
        ({"fallbackId": "mdl-000000000000"}, "fallbackId"),
    ]
    for change, field in wrong:
        await refused(await owner.post(MODELS, json=OPENAI | change), 400, field)


async def test_names_are_given_once(office: Office):
    owner = await office.owner()
    await added(owner, OPENAI)
    assert "already" in await refused(await owner.post(MODELS, json=OPENAI), 409)


async def test_fallbacks_do_not_lead_in_circles_and_are_not_removed_from_under_others(
    office: Office,
):
    owner = await office.owner()
    c = await added(owner, {**OPENAI, "name": "C"})
    b = await added(owner, {**OPENAI, "name": "B", "fallbackId": c["id"]})
    a = await added(owner, {**OPENAI, "name": "A", "fallbackId": b["id"]})
    for target in (a["id"], c["id"]):
        body = {**OPENAI, "name": "C", "fallbackId": target}
        answer = await owner.put(f"{MODELS}/{c['id']}", json=body)
        assert "lead back" in await refused(answer, 400, "fallbackId")
    assert "“B”" in await refused(await owner.delete(f"{MODELS}/{c['id']}"), 409)
    for id in (a["id"], b["id"], c["id"]):
        assert (await owner.delete(f"{MODELS}/{id}")).status_code == 204


async def test_everyone_sees_models_and_only_admins_in_person_change_them(office: Office):
    owner, sam = await office.owner(), await office.member("sam")
    made = await added(owner, OPENAI)
    listed = (await sam.get(MODELS)).json()["items"]
    assert made["id"] in {item["id"] for item in listed}
    one = f"{MODELS}/{made['id']}"
    program = await office.token(owner, "read", "write", "admin")
    for who in (sam, program):
        for method, path in (
            ("POST", MODELS),
            ("PUT", one),
            ("DELETE", one),
            ("POST", f"{one}/default"),
            ("POST", f"{one}/test"),
        ):
            answer = await who.request(method, path, json={} if method != "DELETE" else None)
            await refused(answer, 403)
    await refused(await sam.get(f"{MODELS}/found"), 403)
    assert (await program.get(f"{MODELS}/found")).status_code == 200


async def test_the_test_button_says_how_it_went(office: Office, server: ModelServer):
    owner = await office.owner()
    prices = {"inputPrice": 2_000_000, "outputPrice": 8_000_000}
    one = f"{MODELS}/{(await added(owner, local(server, **prices)))['id']}/test"
    server.turns = [says("ready", usage=(10, 2))]
    well = (await owner.post(one)).json()
    assert well.pop("latencyMs") >= 0
    assert well == {
        "ok": True,
        "said": "ready",
        "inputTokens": 10,
        "outputTokens": 2,
        "money": 36,
        "error": None,
        "notes": [],
    }
    server.turns = [fails(500, text="Out of order.")]
    badly = (await owner.post(one)).json()
    assert (badly["ok"], badly["said"]) == (False, "")
    assert "Out of order." in badly["error"]
    assert len(server.requests) == 2, "a test is one try"


async def test_a_model_that_is_switched_off_can_be_tested_but_not_used(
    office: Office, server: ModelServer
):
    owner = await office.owner()
    made = await added(owner, local(server, enabled=False))
    assert (await owner.post(f"{MODELS}/{made['id']}/test")).json()["ok"]
    with pytest.raises(ModelFailed, match="switched off"):
        await office.product[Models].get(made["id"])
    await refused(await owner.post(f"{MODELS}/{made['id']}/default"), 409)


async def test_a_change_takes_effect_with_the_next_call(office: Office, server: ModelServer):
    owner, models = await office.owner(), office.product[Models]
    id = (await added(owner, local(server)))["id"]
    await models.reply(await models.get(id), ask())
    body = local(server, model="scripted-2", key="another")
    assert (await owner.put(f"{MODELS}/{id}", json=body)).status_code == 200
    await models.reply(await models.get(id), ask())
    before, after = server.requests
    assert (before.body["model"], after.body["model"]) == (MODEL, "scripted-2")
    assert after.headers["authorization"] == "Bearer another"


async def test_keys_of_the_environment_are_offered_and_used_but_not_stored(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    owner = await office.owner()
    assert (await owner.get(f"{MODELS}/found")).json()["items"] == []
    await refused(await owner.post(MODELS, json={"found": "openai"}), 400, "found")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", KEY)  # of no use without its endpoint
    (offer,) = (await owner.get(f"{MODELS}/found")).json()["items"]
    assert (offer["found"], offer["source"]) == ("openai", "OPENAI_API_KEY")
    made = await added(owner, {"found": "openai"})
    assert (made["origin"], made["provider"], made["hasKey"]) == ("found", "openai", True)
    assert made["model"] == offer["models"][0]
    assert made["priceSource"] == "known"
    async with office.product.storage.app.read() as session:
        assert (await session.get_one(Model, made["id"])).key is None
    for key in (KEY, "another"):
        monkeypatch.setenv("OPENAI_API_KEY", key)
        config = await office.product[Models].get(made["id"])
        assert config.key is not None
        assert config.key.get_secret_value() == key


@pytest.mark.parametrize("key", [{}, {"key": None}])
async def test_a_key_of_the_environment_cannot_be_sent_elsewhere(
    office: Office, server: ModelServer, monkeypatch: pytest.MonkeyPatch, key: dict[str, None]
):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    owner = await office.owner()
    there = {"baseUrl": server.base_url}
    answer = await owner.post(MODELS, json={"found": "openai", **there})
    await refused(answer, 400, "baseUrl")
    one = f"{MODELS}/{(await added(owner, {'found': 'openai', 'name': 'Main'}))['id']}"
    body = {"name": "Main", "provider": "openai", "model": MODEL, **there, **key}
    await refused(await owner.put(one, json=body), 400, "key")
    changed = (await owner.put(one, json={**body, "provider": "compatible"})).json()
    assert (changed["origin"], changed["hasKey"]) == ("made", False)
    assert (await owner.post(f"{one}/test")).json()["ok"]
    assert KEY not in repr(server.requests[-1].headers)


async def test_a_model_without_a_key_is_not_given_one_of_the_environment(
    office: Office, server: ModelServer, monkeypatch: pytest.MonkeyPatch
):
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OLLAMA_API_KEY"):
        monkeypatch.setenv(name, KEY)
    owner = await office.owner()
    for provider in ("compatible", "ollama"):
        body = local(server, provider=provider, name=provider)
        del body["key"]
        one = f"{MODELS}/{(await added(owner, body))['id']}"
        assert (await owner.post(f"{one}/test")).json()["ok"]
        assert KEY not in repr(server.requests[-1].headers)


async def test_a_running_ollama_is_offered_with_its_models(
    office: Office, server: ModelServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OLLAMA_HOST", server.url.removeprefix("http://"))
    owner = await office.owner()
    (offer,) = (await owner.get(f"{MODELS}/found")).json()["items"]
    assert (offer["found"], offer["models"]) == ("ollama", [MODEL])
    made = await added(owner, {"found": "ollama"})
    server.turns = [says("ready")]
    tested = (await owner.post(f"{MODELS}/{made['id']}/test")).json()
    assert (tested["said"], tested["money"]) == ("ready", 0)
    assert server.requests[-1].path == "/api/chat"


@pytest.mark.parametrize(
    ("given", "provider", "source"),
    [
        ({"ANTHROPIC_API_KEY": "x"}, "anthropic", "ANTHROPIC_API_KEY"),
        ({"GEMINI_API_KEY": "x"}, "google", "GEMINI_API_KEY"),
        ({"GOOGLE_API_KEY": "x"}, "google", "GOOGLE_API_KEY"),
        ({"MISTRAL_API_KEY": "x"}, "mistral", "MISTRAL_API_KEY"),
        (
            {"AZURE_OPENAI_API_KEY": "x", "AZURE_OPENAI_ENDPOINT": "https://x.openai.azure.com/"},
            "azure",
            "AZURE_OPENAI_API_KEY",
        ),
        (
            {"AZURE_OPENAI_API_KEY": "x", "AZURE_OPENAI_ENDPOINT": "http://169.254.169.254"},
            "azure",
            None,
        ),
        (
            {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y", "AWS_REGION": "eu-west-1"},
            "bedrock",
            "AWS_ACCESS_KEY_ID",
        ),
        ({"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y"}, "bedrock", None),
        ({"OPENAI_API_KEY": ""}, "openai", None),
    ],
)
def test_what_counts_as_found(given: dict[str, str], provider: Any, source: str | None):
    assert discovery.environment(provider, given).source == source


async def test_a_found_ollama_that_talks_nonsense_is_not_offered(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    from support.receiver import Reply, receiving

    owner = await office.owner()
    for body in (b"nonsense", b"[]", b'{"models": [{"name": "../x"}, {"name": 5}, {}]}'):
        with receiving("127.0.0.1", Reply(body=body)) as other:
            monkeypatch.setenv("OLLAMA_HOST", other.url)
            assert (await owner.get(f"{MODELS}/found")).json()["items"] == []


@pytest.mark.req("MODEL-03")
async def test_known_prices_can_be_looked_up(office: Office):
    sam = await office.member("sam")
    asked = {"provider": "anthropic", "model": "Sonnet-5-5"}
    (line,) = (await sam.get(f"{MODELS}/prices", params=asked)).json()["items"]
    assert (line["model"], line["inputPrice"], line["outputPrice"]) == (
        "claude-sonnet-5-5",
        2_000_000,
        10_000_000,
    )
    everything = (await sam.get(f"{MODELS}/prices")).json()
    assert (len(everything["items"]), everything["hasMore"]) == (25, True)
    assert everything["totalItems"] > 200
    assert (await sam.get(f"{MODELS}/prices", params={"provider": "x"})).status_code == 400


def test_no_library_of_a_provider_is_read_before_a_model_is_used():
    large = "pydantic_ai openai anthropic google.genai mistralai genai_prices"
    code = (
        "import sys, bailiwick.llm.adapter, bailiwick.llm.endpoints\n"
        f"print(*[name for name in {large.split()!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.strip() == ""


async def test_an_empty_answer_in_a_test_is_a_failure(office: Office, server: ModelServer):
    server.turns = [Turn()]
    owner = await office.owner()
    one = f"{MODELS}/{(await added(owner, local(server)))['id']}"
    assert "empty" in (await owner.post(f"{one}/test")).json()["error"]


async def test_how_a_model_shall_think_and_write_is_kept_and_checked(
    any_office: Office, server: ModelServer
):
    owner = await any_office.owner()
    tuned = {"effort": "low", "verbosity": "high", "temperature": 0.5}
    made = await added(owner, local(server, api="responses", **tuned))
    shown = (await owner.get(f"{MODELS}/{made['id']}")).json()
    assert {name: shown[name] for name in tuned} == tuned
    assert (shown["api"], shown["effectiveApi"]) == ("responses", "responses")
    plain = await added(owner, local(server, name="Plain"))
    assert (plain["api"], plain["effectiveApi"], plain["effort"]) == (None, "chat", None)
    assert (await added(owner, {**OPENAI, "name": "Theirs"}))["effectiveApi"] == "responses"
    claude = {"name": "C", "provider": "anthropic", "model": "claude-sonnet-5-5", "key": KEY}
    await refused(await owner.post(MODELS, json={**claude, "api": "responses"}), 400, "api")
    await refused(await owner.post(MODELS, json={**claude, "temperature": 1.5}), 400, "temperature")
    azure = {**OPENAI, "provider": "azure", "baseUrl": "https://x.openai.azure.com"}
    await refused(await owner.post(MODELS, json={**azure, "api": "responses"}), 400, "api")
    await refused(await owner.post(MODELS, json=local(server, effort="huge")), 400, "effort")


async def test_a_test_says_which_settings_were_left_out(office: Office, server: ModelServer):
    owner = await office.owner()
    server.turns = [fails(400, text="Unsupported parameter: 'temperature'."), says("ready")]
    made = await added(owner, local(server, temperature=0.5))
    tested = (await owner.post(f"{MODELS}/{made['id']}/test")).json()
    assert (tested["ok"], tested["said"]) == (True, "ready")
    assert tested["notes"] == ["It refuses a temperature: it is not sent."]
