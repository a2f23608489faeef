"""The OpenAPI document: what is common stands once, and names are those a client would choose."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bailiwick.kit.http.problems import MEDIA_TYPE
from support.office import API, Office

pytestmark = pytest.mark.req("API-01")
MOST_LINES = 38_000
# Under these, "title" is a field or a value.
NAMES = ("properties", "default", "enum", "example", "examples")
PAGE = {"items", "continuationToken", "totalItems", "hasMore", "pageSize"}
PAGE_PARAMETERS = {f"#/components/parameters/{name}" for name in ("PageSize", "ContinuationToken")}
# One thing each, made of parts, and the log, which is followed by position: see docs/api.md.
PARTS = {"readMailThread", "readClientConfiguration", "listEvents"}
REFUSED = {"$ref": "#/components/responses/Refused"}
FAILED = {"$ref": "#/components/responses/Failed"}


@pytest.fixture
async def document(office: Office) -> dict[str, Any]:
    return (await office.browser().get(f"{API}/openapi.json")).json()


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in document["paths"].values() for operation in path.values()]


def parts(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of the document."""
    if isinstance(node, dict):
        yield node
    for inner in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from parts(inner)


def titled(node: Any, *, named: bool = False) -> Iterator[str]:
    """Titles of schemas, not fields that are called so."""
    if isinstance(node, dict):
        if "title" in node and not named:
            yield str(node["title"])
        for key, inner in node.items():
            yield from titled(inner, named=key in NAMES and not named)
    elif isinstance(node, list):
        for inner in node:
            yield from titled(inner)


def test_every_operation_has_an_id_of_its_own_made_of_its_verb_and_noun(document: dict[str, Any]):
    ids = [operation["operationId"] for operation in operations(document)]
    assert len(ids) == len(set(ids))
    assert [id for id in ids if not re.fullmatch(r"[a-z]+([A-Z][a-z]*)+", id)] == []
    assert document["paths"][f"{API}/agents"]["get"]["operationId"] == "listAgents"


@pytest.mark.req("API-02")
def test_problems_stand_once_and_every_operation_refers_to_them(document: dict[str, Any]):
    for operation in operations(document):
        responses = operation["responses"]
        assert (responses["4XX"], responses["5XX"]) == (REFUSED, FAILED), operation["operationId"]
    assert [part for part in parts(document["paths"]) if MEDIA_TYPE in part] == []
    for response in document["components"]["responses"].values():
        assert list(response["content"]) == [MEDIA_TYPE]


def test_no_schema_has_a_title_that_repeats_its_name(document: dict[str, Any]):
    assert list(titled(document["paths"])) == []
    assert list(titled(list(document["components"]["schemas"].values()))) == []
    assert "title" in document["components"]["schemas"]["TaskOut"]["properties"]


def test_what_every_list_and_every_change_takes_stands_once(document: dict[str, Any]):
    given = [one for each in operations(document) for one in each.get("parameters", [])]
    for name in ("ContinuationToken", "Idempotency-Key"):
        assert document["components"]["parameters"][name]["name"] == name
        assert {"$ref": f"#/components/parameters/{name}"} in given
        assert name not in [one.get("name") for one in given]


@pytest.mark.req("API-03")
def test_every_list_takes_and_gives_pages(document: dict[str, Any]):
    schemas, lists = document["components"]["schemas"], set[str]()
    for path in document["paths"].values():
        content = path.get("get", {"responses": {}})["responses"].get("200", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {})
        fields = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema).get(
            "properties", {}
        )
        assert schema.get("type") != "array", f"{path['get']['operationId']} answers a bare list"
        if fields.get("items", {}).get("type") == "array":
            id, taken = path["get"]["operationId"], path["get"].get("parameters", [])
            lists.add(id)
            if id not in PARTS:
                assert fields.keys() >= PAGE, id
                assert {one.get("$ref") for one in taken} >= PAGE_PARAMETERS, id
    assert lists > PARTS


def test_every_reference_leads_somewhere(document: dict[str, Any]):
    for target in {part["$ref"] for part in parts(document) if "$ref" in part}:
        found = document
        for step in target.removeprefix("#/").split("/"):
            found = found[step]


def test_what_may_be_null_says_so_and_an_address_never_is(document: dict[str, Any]):
    schemas = document["components"]["schemas"]
    assert schemas["Page_AgentScheduleOut_"]["properties"]["continuationToken"]["type"] == [
        "string",
        "null",
    ]
    for each in [
        *operations(document),
        {"parameters": document["components"]["parameters"].values()},
    ]:
        for one in each.get("parameters", []):
            assert "null" not in json.dumps(one), one


def test_the_document_stays_short_enough_to_read(document: dict[str, Any]):
    assert len(json.dumps(document, indent=2).splitlines()) < MOST_LINES
