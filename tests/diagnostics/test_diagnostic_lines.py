"""Every line of a director's work: its fields, its order, and what was asked when it failed."""

import json
from datetime import datetime

import pytest
import structlog

from support.mailroom import Mailroom
from support.office import every
from support.traced import CYCLE, MISSING, answer, read, traced_desk
from support.workshop import scripted

FIELDS = {
    *("timestamp", "director", "directorName", "agent", "agentName", "emailSummary", "phase"),
    *("fetchCycleId", "dirThreadId", "agentThreadId", "detail", "result", "error"),
}


@pytest.mark.req("DIAG-01", "DIAG-02")
async def test_the_lines_of_a_director_and_its_agent_are_interleaved_and_whole(room: Mailroom):
    with scripted(answer) as server:
        desk = await traced_desk(room, server)
    (cycle,) = (await read(room.owner, "/unified"))["items"]
    (director,) = cycle["children"]
    (agent,) = director["children"]
    assert (cycle["id"], cycle["states"]) == (CYCLE, {"completed": 1})
    assert (cycle["directors"], cycle["agents"]) == (1, 1)
    assert (director["kind"], director["state"]) == ("director", "completed")
    assert (agent["kind"], agent["agentName"]) == ("agent", "Mood")
    assert (agent["toolCalls"], agent["failedCalls"], agent["modelCalls"]) == (1, 1, 2)
    assert director["model"] == "scripted-1"
    assert director["inputTokens"] == 60
    found = await read(room.owner, f"/unified/{director['id']}")
    lines = found["lines"]
    assert all(line.keys() >= FIELDS for line in lines)
    times = [datetime.fromisoformat(line["timestamp"]) for line in lines]
    assert times == sorted(times)
    for line in lines:
        assert line["fetchCycleId"] == CYCLE
        assert line["dirThreadId"] == director["id"]
        assert line["directorName"] == "Support"
        assert line["emailSummary"] == "The lamp is broken · Cleo Client <cleo@client.example>"
        assert (line["agentName"] == "Mood") == (line["agentThreadId"] == agent["id"])
        assert line["detail"]["action"]
    actions = [
        (line["phase"], line["detail"]["tool"] or line["detail"]["action"]) for line in lines
    ]
    steps = [each for each in actions if not each[1].startswith("model_")]
    assert steps == [
        ("director", "director_start"),
        ("tool", "agent__mood"),
        ("agent", "agent_start"),
        ("tool", "workspace_get_item"),
        ("agent", "agent_output"),
        ("agent", "agent_complete"),
        ("tool", "workspace_add_item"),
        ("director", "director_output"),
        ("result", "workspace_result"),
        ("director", "director_complete"),
    ]
    by_step = dict(zip(actions, lines, strict=True))
    asked = by_step["tool", "agent__mood"]
    assert asked["detail"]["sessionId"] == agent["id"], "where the agent's lines belong"
    assert asked["detail"]["request"] == {"input": "What is the mood of this mail?"}
    assert "The mood is bad." in json.dumps(asked["result"])
    assert by_step["agent", "agent_output"]["result"] == "The mood is bad."
    (item,) = by_step["result", "workspace_result"]["result"]["items"]
    assert item["label"] == "Summary"
    assert "data" not in item, "the results are on their own page"
    model = next(line for line in lines if line["detail"]["action"] == "model_response")
    assert model["detail"]["model"] == "scripted-1"
    assert model["detail"]["inputTokens"] == 20
    assert model["detail"]["latencyMs"] is not None
    assert model["result"]["calls"][0]["name"] == "agent__mood"
    assert desk.room is room


@pytest.mark.req("DIAG-02")
async def test_a_failed_call_keeps_what_was_asked(room: Mailroom):
    with scripted(answer) as server:
        await traced_desk(room, server)
    lines = await every(room.owner, "/diagnostics/unified", view="flat", PageSize=5)
    (failed,) = (node for node in lines if node["line"]["error"])
    alone = await read(room.owner, f"/unified/{failed['id']}")
    line = alone["node"]["line"]
    assert line["error"]
    assert line["detail"]["tool"] == "workspace_get_item"
    assert line["detail"]["request"] == MISSING
    assert line["phase"] == "tool"
    assert alone["email"]["subject"] == "The lamp is broken"
    assert alone["email"]["sender"] == "Cleo Client <cleo@client.example>"
    assert "does not work" in alone["email"]["snippet"]


async def test_the_flat_view_has_the_same_lines_newest_first(room: Mailroom):
    with scripted(answer) as server:
        await traced_desk(room, server)
    (cycle,) = (await read(room.owner, "/unified"))["items"]
    detail = await read(room.owner, f"/unified/{cycle['children'][0]['id']}")
    flat = await every(room.owner, "/diagnostics/unified", view="flat", PageSize=4)
    assert [node["id"] for node in flat] == [line["id"] for line in reversed(detail["lines"])]
    assert {node["kind"] for node in flat} == {"line"}


@pytest.mark.req("DIAG-02")
async def test_the_application_log_says_where_a_line_belongs_and_no_content(room: Mailroom):
    with (
        structlog.testing.capture_logs(
            processors=[structlog.contextvars.merge_contextvars]
        ) as logged,
        scripted(answer) as server,
    ):
        await traced_desk(room, server)
    works = [line for line in logged if line.get("dirThreadId")]
    ids = {"fetchCycleId", "dirThreadId", "agentThreadId", "phase", "director", "agent"}
    assert all(line.keys() >= ids and line["fetchCycleId"] == CYCLE for line in works)
    assert {line["phase"] for line in works} == {"director", "agent", "tool"}
    actions = {line.get("action") for line in works}
    assert actions >= {"director_start", "agent_start", "tool_call", "director_complete"}
    told = json.dumps(logged, default=str)
    assert "lamp" not in told
    assert "mood of this mail" not in told
