"""The manifest: what the seeds name is here under the name that the manifest gives."""

import tomllib
from pathlib import Path

import pytest

import bailiwick
from bailiwick.agents import callers
from bailiwick.mcp.http import PATH
from support.office import Office

MANIFEST = tomllib.loads((Path(__file__).parents[1] / "docs" / "manifest.toml").read_text())
SOURCE = Path(bailiwick.__file__).parent


def is_built(feature: str) -> bool:
    """Whether the folder of a feature holds code."""
    return (SOURCE / feature / "__init__.py").exists()


def claimed(kind: str) -> list[dict[str, object]]:
    """The lines whose feature exists and that are not put off."""
    return [
        line
        for line in MANIFEST[kind]
        if line["here"] and is_built(str(line["feature"])) and not line.get("later")
    ]


def routes(office: Office) -> set[str]:
    """Everything the app serves, as `METHOD /path`."""
    described = {
        f"{method.upper()} {path}"
        for path, operations in office.app.openapi()["paths"].items()
        for method in operations
    }
    # Another protocol, which has a description of its own.
    return described | ({f"POST {PATH}"} if office.app.state.mcp else set())


@pytest.mark.req("API-06")
async def test_every_claimed_endpoint_is_served(office: Office):
    served = routes(office)
    assert claimed("endpoints"), "the manifest claims nothing"
    missing = [line for line in claimed("endpoints") if line["here"] not in served]
    assert not missing


@pytest.mark.req("API-06")
async def test_nothing_that_is_served_is_put_off(office: Office):
    served = routes(office)
    built = [line for line in MANIFEST["endpoints"] if line.get("later") and line["here"] in served]
    assert not built, "take `later` away: these are built"


@pytest.mark.req("API-06")
def test_every_line_is_complete_and_named_once():
    for kind in ("endpoints", "tools", "events"):
        lines = MANIFEST[kind]
        names = [(line["seed"], line["named"]) for line in lines]
        assert len(set(names)) == len(names)
        for line in lines:
            assert line["here"] or line.get("why"), line
            assert {"seed", "named", "here", "feature", "req"} <= set(line), line


@pytest.mark.req("API-06")
async def test_every_claimed_tool_is_there_and_none_that_is_put_off(office: Office):
    offered = {tool.name for tool in office.gate.services.registry}
    # Each agent that may be asked is a tool of whoever may ask it.
    offered.add(f"{callers.PREFIX}<slug>")
    assert [line for line in claimed("tools") if line["here"] not in offered] == []
    put_off = [line for line in MANIFEST["tools"] if line.get("later")]
    assert [line for line in put_off if line["here"] in offered] == []
