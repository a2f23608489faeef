"""JSON that is nested too deep is refused wherever it comes in, and the field is named."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bailiwick.kit import json_depth
from bailiwick.kit.json_depth import DEEPEST
from support.office import API, Office
from support.server import cli

JSON = {"Content-Type": "application/json"}
TRUNKS = st.recursive(
    st.text() | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return int(isinstance(value, dict | list)) + max(map(depth, inner), default=0)


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


@given(value=TRUNKS, more=st.integers(DEEPEST - 6, DEEPEST + 3), braces=st.booleans())
def test_levels_are_counted_as_a_parser_counts_them(value: Any, more: int, *, braces: bool):
    for _ in range(more):
        value = {'a "} [': value} if braces else [value]
    text = json.dumps(value).encode()
    assert json_depth.is_too_deep(text) == (depth(value) > DEEPEST)


@pytest.mark.req("API-02")
@pytest.mark.parametrize("levels", [DEEPEST, 900, 20_000, 1_000_000])
async def test_rest_refuses_deep_arguments_and_names_the_field(office: Office, levels: int):
    owner = await office.owner()
    home = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    for path in (f"/workspaces/{home}/tools/create_task", "/rules", "/tokens"):
        body = f'{{"arguments": {{"title": "{{[", "tree": {deep(levels)}}}}}'
        refused = await owner.post(API + path, content=body, headers=JSON)
        assert refused.status_code == 400, refused.text
        assert refused.json()["errors"] == {"arguments.tree": [json_depth.message()]}
    endless = await owner.post(f"{API}/tokens", content="[" * levels * 2, headers=JSON)
    assert endless.status_code == 400


async def test_brackets_in_texts_are_no_levels(office: Office):
    owner = await office.owner()
    home = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    body = {"arguments": {"title": "[{" * 40, "notes": '\\"' + "[" * 5_000}}
    made = await owner.post(f"{API}/workspaces/{home}/tools/create_task", json=body)
    assert made.status_code != 400, made.text


def test_the_command_line_refuses_deep_arguments_too(tmp_path):
    for arguments in (deep(900), f'{{"title": {deep(50_000)}}}'):
        ended = cli("tool", "call", "create_task", arguments, data=tmp_path / "data")
        assert (ended.returncode, "levels deep" in ended.stderr) == (2, True), ended.stderr
        ended = cli("settings", "set", "login_domains", arguments, data=tmp_path / "data")
        assert (ended.returncode, "levels deep" in ended.stderr) == (2, True), ended.stderr
