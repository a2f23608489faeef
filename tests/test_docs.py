"""The documents are true: every setting, command and problem is in them, and nothing else."""

import re
from pathlib import Path

import pytest

from bailiwick.cli import app
from bailiwick.config import PREFIX, Settings
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.operations.limits import LIMITS
from support import coverage

ROOT = Path(__file__).parents[1]
DOCS = {path.name: path.read_text() for path in (ROOT / "docs").glob("*.md")}
EVERYTHING = "\n".join([*DOCS.values(), (ROOT / "README.md").read_text()])


@pytest.mark.req("OPS-06")
def test_every_start_up_setting_is_documented_and_no_other():
    named = set(re.findall(rf"^\| `({PREFIX}\w+)`", DOCS["configuration.md"], re.MULTILINE))
    assert named == {PREFIX + name.upper() for name in Settings.model_fields}


@pytest.mark.req("OPS-06")
def test_every_run_time_setting_is_documented_with_its_default():
    section = DOCS["configuration.md"].partition("## Run-time settings")[2]
    lines = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", section, re.MULTILINE))
    assert set(lines) == set(RuntimeSettings.model_fields)
    for name, value in RuntimeSettings().model_dump().items():
        if isinstance(value, int | str):
            assert lines[name].strip("`").lower() == str(value).lower()


def test_every_rate_limit_is_documented():
    rows = re.findall(r"^\| `([\w-]+)`.*?\| (\d+) \| (\d+) \|", DOCS["api.md"], re.MULTILINE)
    assert {name: (int(a), int(b)) for name, a, b in rows} == {
        name: (limit.per_minute, limit.burst) for name, limit in LIMITS.items()
    }


@pytest.mark.req("OPS-02")
def test_every_command_that_documents_name_exists():
    known = {info.name or info.callback.__name__ for info in app.registered_commands}
    known |= {group.name for group in app.registered_groups}
    named = set(re.findall(r"`bailiwick (\w+)", EVERYTHING))
    assert named <= known
    assert named


def test_every_link_leads_somewhere():
    for name in ("README.md", "CONTRIBUTING.md", "AGENTS.md", *(f"docs/{doc}" for doc in DOCS)):
        path = ROOT / name
        for target in re.findall(r"\]\((?!http)([^)#]+)", path.read_text()):
            assert (path.parent / target).exists(), f"{name} links to {target}"


def test_the_web_apps_tests_name_requirements_that_are_listed():
    unknown = [(id, test) for id, test in coverage.titled() if id not in coverage.listed()]
    assert unknown == []
