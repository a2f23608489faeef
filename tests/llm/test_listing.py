"""The list of a key's models: what each provider is asked, and where the key goes."""

from typing import Any

import httpx
import pytest

from bailiwick.llm.adapter import Models
from bailiwick.llm.list_figures import ListFigures
from support import model_lists
from support.model_lists import KEY, Documents, serving_list
from support.model_server import says, serving_model
from support.office import API, Office

pytestmark = pytest.mark.req("MODEL-06")
LIST = f"{API}/models/list"


async def listed(client: httpx.AsyncClient, **body: Any) -> list[dict[str, Any]]:
    answer = await client.post(LIST, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["models"]


async def refused(client: httpx.AsyncClient, status: int, **body: Any) -> dict[str, Any]:
    answer = await client.post(LIST, json=body)
    assert answer.status_code == status, answer.text
    assert KEY not in answer.text
    return answer.json().get("errors") or {}


BEARER = ("authorization", f"Bearer {KEY}")
CASES = [
    ("openai", "/v1", model_lists.OPENAI, BEARER, {"gpt-5.4-mini": None, "gpt-nobody-knows": None}),
    (
        "anthropic",
        "",
        model_lists.ANTHROPIC,
        ("x-api-key", KEY),
        {"claude-haiku-4-5": None, "claude-next": (300_000, 64_000, None, None)},
    ),
    (
        "google",
        "",
        model_lists.GOOGLE,
        ("x-goog-api-key", KEY),
        {"gemini-next": (1_048_576, 65_536, None, None), "gemma-next": (None, None, None, None)},
    ),
    ("mistral", "", model_lists.MISTRAL, BEARER, {"mistral-next": (131_072, None, None, None)}),
    ("ollama", "", model_lists.OLLAMA, BEARER, {"smollm2:360m": (8192, None, 0, 0)}),
    ("compatible", "/v1", model_lists.VLLM, BEARER, {"Qwen/Qwen3-8B": (40_960, None, None, None)}),
    (
        "compatible",
        "/v1",
        model_lists.LLAMA_CPP,
        BEARER,
        {"SmolLM2-1.7B-Instruct-Q4_K_M.gguf": (4096, None, None, None)},
    ),
    (
        "compatible",
        "/v1",
        model_lists.LM_STUDIO,
        BEARER,
        {"qwen2.5-7b-instruct": (4096, None, None, None)},
    ),
    (
        "compatible",
        "/v1",
        model_lists.OPENROUTER,
        BEARER,
        {
            "acme/next-1": (262_144, 32_768, 500_000, 2_000_000),
            "openrouter/auto": (2_000_000, None, None, None),
        },
    ),
    (
        "compatible",
        "/v1",
        model_lists.LITELLM,
        BEARER,
        {"house-model": (100_000, 8000, 1_000_000, 3_000_000)},
    ),
    (
        "azure",
        "/openai/v1",
        model_lists.AZURE,
        ("api-key", KEY),
        {"gpt-5.4-mini-2026-03-17": None},
    ),
    ("azure", "", model_lists.AZURE_OLD, ("api-key", KEY), {"our-deployment": None}),
]


@pytest.mark.parametrize(("provider", "path", "documents", "header", "expected"), CASES)
async def test_each_server_is_asked_for_its_list_in_its_own_way(
    office: Office,
    provider: str,
    path: str,
    documents: Documents,
    header: tuple[str, str],
    expected: dict[str, Any],
):
    owner = await office.owner()
    with serving_list(documents) as server:
        found = await listed(owner, provider=provider, key=KEY, baseUrl=server.url + path)
    assert [each["model"] for each in found] == [*expected]
    for each in found:
        told = (each["window"], each["maxOutput"], each["inputPrice"], each["outputPrice"])
        if expected[each["model"]] is not None:
            assert told == expected[each["model"]]
    assert {*documents} <= {*server.asked}
    assert all(headers[header[0]] == header[1] for headers in server.headers)
    if provider == "anthropic":
        assert server.headers[0]["anthropic-version"] == "2023-06-01"


async def test_what_the_provider_does_not_say_comes_from_the_public_table(office: Office):
    owner = await office.owner()
    with serving_list(model_lists.OPENAI) as server:
        known, unknown = await listed(owner, provider="openai", key=KEY, baseUrl=f"{server.url}/v1")
    assert known["priceSource"] == "known"
    assert known["inputPrice"] > 0
    assert (unknown["priceSource"], unknown["inputPrice"]) == ("none", None)
    amazon = await listed(owner, provider="bedrock")
    assert any(each["model"].startswith("amazon.nova") for each in amazon)


async def test_a_stored_key_goes_to_its_own_address_alone(office: Office):
    owner = await office.owner()
    with serving_list(model_lists.VLLM) as own, serving_list(model_lists.VLLM) as other:
        body = {"provider": "compatible", "baseUrl": f"{own.url}/v1"}
        made = await owner.post(
            f"{API}/models", json={**body, "name": "Mine", "model": "x", "key": KEY}
        )
        id = made.json()["id"]
        assert await listed(owner, modelId=id, **body)
        moved = {**body, "baseUrl": f"{other.url}/v1"}
        assert [*await refused(owner, 400, modelId=id, **moved)] == ["key"]
        assert [*await refused(owner, 400, modelId=id, **{**body, "provider": "openai"})] == ["key"]
        # With a key of its own it may be asked; the stored one is not sent.
        await listed(owner, modelId=id, key="another-key", **moved)
    assert {headers["authorization"] for headers in own.headers} == {f"Bearer {KEY}"}
    assert {headers["authorization"] for headers in other.headers} == {"Bearer another-key"}


@pytest.mark.parametrize(
    ("documents", "status", "field"),
    [
        ({"GET /v1/models": 401}, 400, "key"),
        ({"GET /v1/models": 403}, 400, "key"),
        ({}, 400, "baseUrl"),
        ({"GET /v1/models": 302}, 400, "baseUrl"),
        ({"GET /v1/models": 307}, 400, "baseUrl"),
        ({"GET /v1/models": b"<html>"}, 400, "baseUrl"),
        ({"GET /v1/models": b"[" * 200_000}, 400, "baseUrl"),
        ({"GET /v1/models": 429}, 503, None),
        ({"GET /v1/models": 500}, 503, None),
    ],
)
async def test_what_stands_in_the_way_is_said_by_field(
    office: Office, documents: Documents, status: int, field: str | None
):
    owner = await office.owner()
    with serving_list(documents) as server:
        body = {"provider": "compatible", "key": KEY, "baseUrl": f"{server.url}/v1"}
        errors = await refused(owner, status, **body)
        assert "GET /elsewhere" not in server.asked
    assert [*errors] == ([field] if field else [])


async def test_the_list_is_asked_for_where_models_may_be_and_by_admins_in_person(office: Office):
    owner = await office.owner()
    assert [*await refused(owner, 400)] == ["provider"]
    assert [*await refused(owner, 400, provider="compatible", key=KEY)] == ["baseUrl"]
    metadata = "http://169.254.169.254/v1"
    assert [*await refused(owner, 400, provider="compatible", baseUrl=metadata)] == ["baseUrl"]
    nobody = "http://127.0.0.1:9/v1"
    assert [*await refused(owner, 400, provider="compatible", baseUrl=nobody)] == ["baseUrl"]
    assert [*await refused(owner, 400, found="openai")] == ["found"]
    lines = "sk-\u00fc\r\nx: y"
    assert [*await refused(owner, 400, provider="openai", key=lines)] == ["key"]


async def test_a_hostile_list_is_read_as_far_as_it_makes_sense(office: Office):
    owner = await office.owner()
    many = [{"id": f"model-{number:05}", "context_length": -1} for number in range(3_000)]
    odd = [
        *(7, None, {"id": "../../etc"}, {"id": "a b"}, {"id": {"x": 1}}, {"name": "models/" * 99}),
        {"id": "good", "context_length": "many", "pricing": {"prompt": "NaN", "completion": "1e9"}},
    ]
    with serving_list({"GET /v1/models": {"data": odd + many}}) as server:
        body = {"provider": "compatible", "baseUrl": f"{server.url}/v1"}
        found = await listed(owner, **body)
    assert len(found) == 1_000
    good = next(each for each in found if each["model"] == "good")
    assert (good["window"], good["inputPrice"], good["priceSource"]) == (None, None, "none")
    assert all("authorization" not in headers for headers in server.headers)


async def test_a_list_without_end_is_left(office: Office):
    owner = await office.owner()
    again = {"data": [{"id": "same"}], "has_more": True, "last_id": "same"}
    pages = {f"GET /v1/models?limit=100{more}": again for more in ("", "&after_id=same")}
    with serving_list(pages) as server:
        found = await listed(owner, provider="anthropic", key=KEY, baseUrl=server.url)
    assert [each["model"] for each in found] == ["same"]
    assert len(server.asked) == 10


async def added(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    made = await client.post(f"{API}/models", json={"name": "Mine", **body})
    assert made.status_code == 201, made.text
    return made.json()


async def read(client: httpx.AsyncClient, id: str) -> dict[str, Any]:
    return (await client.get(f"{API}/models/{id}")).json()


def figures(model: dict[str, Any]) -> tuple[Any, ...]:
    window = (model["effectiveWindow"], model["windowSource"])
    return *window, model["effectiveInputPrice"], model["effectiveOutputPrice"]


async def test_what_the_list_says_of_a_model_is_kept_with_it(any_office: Office):
    owner = await any_office.owner()
    with serving_list(model_lists.OPENROUTER) as server:
        place = {"provider": "compatible", "baseUrl": f"{server.url}/v1", "key": KEY}
        await listed(owner, **place)
        made = await added(owner, model="acme/next-1", **place)
    assert figures(made) == (262_144, "listed", 500_000, 2_000_000)
    assert made["priceSource"] == "listed"
    # It is in the row, not in the memory of a process.
    any_office.product[Models].listed = ListFigures()
    assert figures(await read(owner, made["id"])) == figures(made)
    body = {**place, "name": "Mine", "model": "acme/next-1"}
    mine = {**body, "window": 9_000, "inputPrice": 1, "outputPrice": 2}
    own = await owner.put(f"{API}/models/{made['id']}", json=mine)
    assert (figures(own.json()), own.json()["priceSource"]) == ((9_000, "yours", 1, 2), "yours")
    back = await owner.put(f"{API}/models/{made['id']}", json=body)
    assert figures(back.json()) == figures(made)
    other = await owner.put(f"{API}/models/{made['id']}", json={**body, "model": "acme/other"})
    assert figures(other.json()) == (128_000, "guess", None, None)


async def test_a_list_that_is_fetched_again_renews_what_was_kept(office: Office):
    owner = await office.owner()
    entry = {"id": "house", "max_model_len": 4096}
    documents = {"GET /v1/models": {"data": [entry]}}
    with serving_list(documents) as server, serving_list(documents) as elsewhere:
        place = {"provider": "compatible", "baseUrl": f"{server.url}/v1"}
        made = await added(owner, model="house", **place)
        assert made["windowSource"] == "guess"
        await listed(owner, **{**place, "baseUrl": f"{elsewhere.url}/v1"})
        assert (await read(owner, made["id"]))["windowSource"] == "guess"
        for window in (4096, 8192):
            entry["max_model_len"] = window
            await listed(owner, modelId=made["id"], **place)
            assert figures(await read(owner, made["id"]))[:2] == (window, "listed")


async def test_an_ollama_is_asked_for_the_window_of_the_model_that_is_added(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    owner = await office.owner()
    show = {"model_info": {"general.architecture": "x", "x.context_length": 6_000}}
    documents = {**model_lists.OLLAMA, "POST /api/show": show}
    with serving_list(documents) as server:
        made = await added(owner, provider="ollama", baseUrl=server.url, model="own:1b")
        assert figures(made) == (6_000, "listed", 0, 0)
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        found = await added(owner, name="Found", found="ollama")
        assert (found["model"], figures(found)) == ("smollm2:360m", (6_000, "listed", 0, 0))


async def test_calls_cost_what_the_list_said(office: Office):
    owner = await office.owner()
    with serving_model(says("ready", usage=(1_000, 100))) as server:
        server.about = {"pricing": {"prompt": "0.000002", "completion": "0.00001"}}
        place = {"provider": "compatible", "baseUrl": server.base_url}
        await listed(owner, **place)
        made = await added(owner, model="scripted-1", **place)
        tried = await owner.post(f"{API}/models/{made['id']}/test")
    assert tried.json()["money"] == 2_000 + 1_000
