"""The map is complete: each package, layer, check and feature is on it, and nothing else."""

import re
import tomllib
from pathlib import Path

import pytest

import bailiwick
from bailiwick.features import FEATURES, installed
from bailiwick.gate.pipeline import CHECKS

ROOT = Path(__file__).parents[1]
SOURCES = Path(bailiwick.__file__).parent
MAP = (ROOT / "docs" / "architecture.md").read_text()


def part(title: str) -> str:
    return MAP.partition(f"## {title}")[2].partition("\n## ")[0]


def test_every_package_has_its_line_and_no_line_is_about_nothing():
    rows = re.findall(r"^\| (`.*?) \|", part("Packages"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}
    packages = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    packages |= {f"kit.{path.parent.name}" for path in SOURCES.glob("kit/*/__init__.py")}
    modules = {path.name for path in SOURCES.glob("*.py") if not path.name.startswith("__")}
    assert named == packages | modules


def test_the_layers_are_those_that_are_enforced():
    drawn = re.search(r"```\n(.*?)```", part("Layers"), re.DOTALL)
    assert drawn
    shown = [
        {name.strip() for name in layer.split(",")}
        for layer in " ".join(drawn[1].split()).split("→")
    ]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    enforced = [
        {name.strip() for name in layer.split("|") if not name.strip().startswith("(")}
        for layer in contracts["contracts"][0]["layers"]
        if layer not in ("__main__", "web")
    ]
    assert shown == [layer for layer in enforced if layer]


def test_the_checks_of_the_flow_are_those_of_the_pipeline():
    names = [check.__module__.rpartition(".")[2] for check in CHECKS]
    assert f"each calling the next: {', '.join(names)}." in MAP
    files = {path.stem for path in (SOURCES / "gate" / "checks").glob("*.py")}
    assert files - {"__init__"} == {*names}


@pytest.mark.parametrize("name", FEATURES)
def test_every_name_of_the_list_is_a_folder_with_its_feature(name: str):
    assert (SOURCES / name / "feature.py").exists()
    assert name in {feature.name for feature in installed()}


def test_every_module_that_the_flows_name_exists():
    flows = part("The four flows")
    for name in re.findall(r"`((?:mail|runs|gate|mcp|operations|tools)\.[a-z_.]+)`", flows):
        path = SOURCES / name.replace(".", "/")
        is_job = f'"{name}"' in "".join(p.read_text() for p in SOURCES.rglob("jobs.py"))
        known = path.is_dir() or path.with_suffix(".py").exists()
        known |= path.parent.with_suffix(".py").exists() and path.name in (
            path.parent.with_suffix(".py").read_text()
        )
        assert known or is_job, name


def test_each_name_of_a_class_or_type_has_one_meaning_in_the_whole_tree():
    found: dict[str, list[str]] = {}
    for path in SOURCES.rglob("*.py"):
        # Type aliases are named as classes are: Literal, Callable, Annotated, NewType and the rest.
        names = re.findall(r"^(?:class ([A-Z]\w+)|([A-Z]\w*[a-z]\w*) = )", path.read_text(), re.M)
        for name in {defined or alias for defined, alias in names}:
            found.setdefault(name, []).append(str(path.relative_to(SOURCES)))
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


@pytest.mark.req("GATE-28")
def test_a_model_is_asked_in_one_place_with_what_only_the_redaction_makes():
    texts = {str(path.relative_to(SOURCES)): path.read_text() for path in SOURCES.rglob("*.py")}

    def having(pattern: str) -> set[str]:
        return {name for name, text in texts.items() if re.search(pattern, text)}

    assert having(r"\bRedactedRequest\(") - {"llm/outgoing.py"} == {"gate/redactions/outgoing.py"}
    assert having(
        r"model_request(_stream)?\(|(?<!super\(\))\.request_stream\(|pydantic_ai\.direct"
    ) == {"llm/stream.py"}
    assert having(r"llm import .*\bstream\b|llm\.stream import") == {"llm/adapter.py"}
    assert having(r"from pydantic_ai import .*Agent|pydantic_ai\.embeddings") == set()
    assert "ask: RedactedRequest" in texts["llm/stream.py"]
    assert texts["llm/adapter.py"].count("stream.answer(") == 1
