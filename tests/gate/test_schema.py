"""Arguments are checked before anything else, and the error names the field."""

import pytest

from gate.conftest import Desk

pytestmark = pytest.mark.req("GATE-02")
SECRET = "canary-value"


@pytest.mark.parametrize(
    ("tool", "arguments", "faults"),
    [
        ("read_file", {"path": 7}, {"path": "must be a text"}),
        ("read_file", {}, {"path": "is missing. The file: notebook/folder/name, or its id."}),
        (
            "create_task",
            {"titel": SECRET},
            {"title": "is missing", "titel": "did you mean 'title'"},
        ),
        ("read_file", {"path": "a", "colour": SECRET}, {"colour": "there is path, offset, limit"}),
        ("read_file", {"path": "a", "limit": "5"}, {"limit": "must be a whole number"}),
        ("read_file", {"path": "a", "limit": True}, {"limit": "must be a whole number"}),
        ("read_file", {"path": "a", "limit": 0}, {"limit": "must be at least 1"}),
        ("read_file", {"path": None}, {"path": "must be a text"}),
        ("list_files", {"recursive": "yes"}, {"recursive": "must be true or false"}),
        ("list_tasks", {"status": SECRET}, {"status": "must be 'open', 'done' or 'all'"}),
        ("create_task", {"title": SECRET, "due": SECRET}, {"due": "write it like 2026-03-31"}),
        ("create_task", {"title": SECRET, "due": None}, {"due": "must be a day"}),
        ("create_task", {"title": f"{SECRET}\n"}, {"title": "must be one line"}),
        ("create_task", {"title": SECRET * 50}, {"title": "is longer than 500 characters"}),
        ("memory_add", {"content": "x", "tags": SECRET}, {"tags": "must be a list"}),
        ("memory_add", {"content": "x", "tags": ["a", 5]}, {"tags.1": "must be a text"}),
        ("memory_add", {"content": ""}, {"content": "must not be empty"}),
        ("list_accounts", {"x": SECRET}, {"x": "there is nothing to give"}),
    ],
)
async def test_each_bad_field_is_named_as_the_caller_wrote_it_in_plain_words(
    desk: Desk, tool: str, arguments: dict, faults: dict
):
    refused = await desk.denied(desk.agent(), tool, **arguments)
    assert refused.code == "invalid_arguments"
    assert list(refused.fields or {}) == list(faults)
    for name, words in faults.items():
        assert words in (refused.fields or {})[name][0]
        assert f"{name}: " in refused.reason
    assert SECRET not in refused.reason
    assert not any(word in refused.reason for word in ("http", "pydantic", "Input should"))


async def test_over_rest_a_missing_field_has_its_own_name(desk: Desk):
    answer = await desk.use("create_task", notes="x")
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == ["title"]


async def test_a_whole_number_may_be_written_with_a_point(desk: Desk):
    await desk.use("create_file", path="Files/a.txt", content="abc")
    read = await desk.done(desk.agent(), "read_file", path="Files/a.txt", limit=2.0)
    assert read["content"] == "ab"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"path": "x" * 2_000_000}, "arguments: larger than 1,000,000 characters"),
        ({"path": "half \ud83d emoji"}, "arguments: contain something that is not JSON text"),
        ({"path": float("nan")}, "arguments: contain something that is not JSON text"),
        ({"path": {"a": [1] * 200_000}}, "arguments: larger than 1,000,000 characters"),
    ],
)
async def test_what_does_not_fit_is_refused_by_name(desk: Desk, arguments: dict, fault: str):
    refused = await desk.denied(desk.agent(), "read_file", **arguments)
    assert refused.code == "invalid_arguments"
    assert refused.reason.startswith(fault)
    assert len(refused.reason) < 2000


async def test_an_unknown_tool_is_named_with_the_nearest(desk: Desk):
    near = await desk.denied(desk.agent(), "read_fil")
    assert near.code == "unknown_tool"
    assert near.reason == "There is no tool 'read_fil'. Did you mean 'read_file'?"
    far = await desk.denied(desk.agent(), "zzzzzzzzzzzzzzzz" * 50)
    assert far.code == "unknown_tool"
    assert far.reason == f"There is no tool {'z' * 100!r}."


async def test_ten_megabytes_over_rest_are_refused_with_a_clear_error(desk: Desk):
    answer = await desk.use("create_file", path="Files/a.txt", content="x" * 9_000_000)
    assert answer.status_code == 400
    assert "larger than" in answer.text
