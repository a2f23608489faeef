"""Redaction on the way in and on the way out, and what the audit says of it."""

import threading
from typing import Any

import pytest

from bailiwick.gate.call import Result
from gate.conftest import Desk
from support.office import API

CARD = "4111 1111 1111 1111"


@pytest.mark.req("GATE-07")
async def test_patterns_leave_results_and_the_audit_and_say_where(desk: Desk):
    agent = desk.agent()
    await desk.done(agent, "create_file", path="Files/a.txt", content=f"pay with {CARD} please")
    read = await desk.done(agent, "read_file", path="Files/a.txt")
    assert CARD not in str(read)
    lines = await desk.audit()
    assert CARD not in str(lines)
    assert "result.content" in lines[-1]["redacted"]
    assert "arguments.content" in lines[0]["redacted"]
    shown = (await desk.owner.get(f"{API}/actions")).text
    assert CARD not in shown
    stored = (await desk.owner.get(f"{API}/actions")).json()["items"]
    assert stored[0]["arguments"]["path"] == "Files/a.txt"


@pytest.mark.req("GATE-24")
async def test_a_rule_takes_fields_out_of_arguments_before_they_are_executed(desk: Desk):
    rule = {
        "name": "No notes",
        "action": "REDACT",
        "priority": 10_000,
        "condition": {"==": [{"var": "tool"}, "create_task"]},
        "fields": ["args.notes"],
    }
    assert (await desk.owner.post(f"{API}/rules", json=rule)).status_code == 201
    outcome = await desk.call(desk.agent(), "create_task", title="Call", notes="SECRET")
    assert isinstance(outcome, Result), outcome
    assert "arguments.notes" in outcome.redacted
    (task,) = (await desk.done(desk.agent(), "list_tasks"))["tasks"]
    assert "SECRET" not in str(task)
    line = [line for line in await desk.audit() if line["tool"] == "create_task"][-1]
    assert line["decision"] == "REDACT"
    assert "arguments.notes" in line["redacted"]
    assert "SECRET" not in str(line)


@pytest.mark.req("GATE-24")
async def test_a_rule_that_takes_out_what_the_tool_needs_refuses_by_name(desk: Desk):
    rule = {
        "name": "No titles",
        "action": "REDACT",
        "priority": 10_000,
        "condition": {"==": [{"var": "tool"}, "create_task"]},
        "fields": ["args.title"],
    }
    made = (await desk.owner.post(f"{API}/rules", json=rule)).json()
    refused = await desk.denied(desk.agent(), "create_task", title="Call")
    assert (refused.code, refused.rule_id) == ("blocked", made["id"])
    assert "No titles" in refused.reason
    assert await desk.actions() == []


@pytest.mark.req("GATE-07")
async def test_a_rule_takes_fields_out_of_results(desk: Desk):
    rule = {
        "name": "Titles only",
        "action": "REDACT",
        "priority": 10_000,
        "condition": {"==": [{"var": "tool"}, "list_tasks"]},
        "fields": ["result.tasks.*.notes"],
    }
    await desk.owner.post(f"{API}/rules", json=rule)
    await desk.done(desk.agent(), "create_task", title="Call", notes="SECRET")
    (task,) = (await desk.done(desk.agent(), "list_tasks"))["tasks"]
    assert "notes" not in task


@pytest.mark.req("GATE-07")
async def test_patterns_leave_a_large_result_too(desk: Desk):
    agent, content = desk.agent(), f"pay with {CARD} please " + "and thank you " * 5_000
    await desk.done(agent, "create_file", path="Files/a.txt", content=content)
    read = await desk.done(agent, "read_file", path="Files/a.txt")
    assert "thank you" in read["content"]
    assert CARD not in str(read)


async def test_a_call_that_fails_on_its_way_is_answered_as_it_failed(desk: Desk):
    refused = await desk.denied(desk.agent(), "read_file", path="Files/none.txt")
    assert refused.code == "not_found"


class WatchedRedactor:
    """The office's own, with whether it kept the event loop busy."""

    def __init__(self, real: Any) -> None:
        self.real, self.held_up = real, list[bool]()

    async def current(self) -> "WatchedRedactor":
        self.redactor = await self.real.current()
        return self

    def value(self, value: Any) -> Any:
        self.held_up.append(threading.current_thread() is threading.main_thread())
        return self.redactor.value(value)


async def test_while_a_large_result_is_searched_others_are_served(desk: Desk):
    await desk.done(desk.agent(), "create_file", path="Files/a.txt", content="thank you " * 5_000)
    watched = WatchedRedactor(desk.gate._dependencies.redactors)
    object.__setattr__(desk.gate._dependencies, "redactors", watched)
    await desk.done(desk.agent(), "list_tasks")
    assert all(watched.held_up)
    await desk.done(desk.agent(), "read_file", path="Files/a.txt")
    assert not all(watched.held_up)
