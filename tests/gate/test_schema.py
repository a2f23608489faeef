"""Arguments are checked before anything else, and the error names the field."""

import pytest

from gate.conftest import Desk

pytestmark = pytest.mark.req("GATE-02")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"path": 7}, "path"),
        ({}, "arguments"),
        ({"path": "Files/a", "colour": "red"}, "arguments"),
        ({"path": "x" * 2_000_000}, "arguments"),
        ({"path": "half \ud83d emoji"}, "arguments"),
        ({"path": float("nan")}, "arguments"),
        ({"path": {"a": [1] * 200_000}}, "arguments"),
    ],
)
async def test_what_does_not_fit_is_refused_by_name(desk: Desk, arguments: dict, field: str):
    refused = await desk.denied(desk.agent(), "read_file", **arguments)
    assert refused.code == "invalid_arguments"
    assert field in refused.reason
    assert len(refused.reason) < 2000


async def test_an_unknown_tool_is_named_with_the_nearest(desk: Desk):
    near = await desk.denied(desk.agent(), "read_fil")
    assert near.code == "unknown_tool"
    assert "'read_file'" in near.reason
    far = await desk.denied(desk.agent(), "zzzzzzzzzzzzzzzz" * 50)
    assert far.code == "unknown_tool"
    assert len(far.reason) < 300


async def test_ten_megabytes_over_rest_are_refused_with_a_clear_error(desk: Desk):
    answer = await desk.use("create_file", path="Files/a.txt", content="x" * 9_000_000)
    assert answer.status_code == 400
    assert "larger than" in answer.text
