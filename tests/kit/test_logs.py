"""Logs: one JSON line a request, tied together by an id, at a level that can change."""

import json
from pathlib import Path

import pytest
import structlog

from bailiwick.kit import logs
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("OBS-01")
CANARY = "canary-hunter2-canary"


class Written:
    """What was written to the log file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def text(self) -> str:
        return self.path.read_text()

    def lines(self, event: str) -> list[dict]:
        lines = (json.loads(line) for line in self.text().splitlines())
        return [line for line in lines if line["event"] == event]


@pytest.fixture
def written(logging_restored: None, tmp_path: Path) -> Written:
    path = tmp_path / "office.log"
    logs.configure(level="info", format="json", file=path)
    return Written(path)


async def test_each_request_is_one_json_line_that_says_who_what_and_how_long(
    written: Written, office: Office
):
    owner = await office.owner()
    answer = await owner.get(f"{API}/users/me", params={"secret": CANARY})
    line = written.lines("request")[-1]
    assert line["correlationId"] == answer.headers["x-correlation-id"]
    assert line["userId"] == await user_id(owner)
    assert line["sessionId"].startswith("ses-")
    assert (line["method"], line["path"], line["status"]) == ("GET", f"{API}/users/me", 200)
    assert line["bytes"] == len(answer.content)
    assert line["milliseconds"] > 0
    assert (line["severity"], line["source"]) == ("info", "backend")
    assert line["timestamp"].endswith("Z")
    assert CANARY not in written.text()
    assert len(written.lines("request")) == 3


async def test_refused_and_failed_requests_have_their_line_too(written: Written, office: Office):
    await office.browser().get(f"{API}/users/me")
    await office.operator.get("/", headers={"Host": "evil.example"})
    await office.operator.get("/healthz")
    lines = written.lines("request")
    assert [line["status"] for line in lines] == [401, 421, 200]
    assert lines[0]["userId"] is None


async def test_lines_written_while_a_request_is_served_carry_its_id(
    written: Written, office: Office
):
    id = "browser-made.id_0001"
    body = {"email": "nobody@example.com", "password": CANARY}
    headers = {"X-Correlation-Id": id}
    answer = await office.browser().post(f"{API}/auth/login", json=body, headers=headers)
    assert answer.headers["x-correlation-id"] == id
    assert answer.json()["trace_id"] == id
    assert [line["correlationId"] for line in written.lines("sign-in")] == [id]
    assert [line["correlationId"] for line in written.lines("request")] == [id]
    other = await office.browser().get(f"{API}/auth/options")
    assert other.headers["x-correlation-id"] != id


async def test_a_trace_of_the_caller_is_taken_over(office: Office):
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    headers = {"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    answer = await office.operator.get(f"{API}/status", headers=headers)
    assert answer.headers["x-correlation-id"] == trace
    both = {**headers, "X-Correlation-Id": "the-browsers-own"}
    answer = await office.operator.get(f"{API}/status", headers=both)
    assert answer.headers["x-correlation-id"] == "the-browsers-own"


TRACE = b"4bf92f3577b34da6a3ce929d0e0e4736"
HOSTILE = [
    ("X-Correlation-Id", b'12345678\n{"event": "forged"}'),
    ("X-Correlation-Id", b"12345678\r\nSet-Cookie: x=1"),
    ("X-Correlation-Id", b"12345678\n"),
    ("X-Correlation-Id", b"x" * 65),
    ("X-Correlation-Id", b"x" * 50_000),
    ("X-Correlation-Id", b"short"),
    ("X-Correlation-Id", b""),
    ("X-Correlation-Id", b"<script>alert(1)</script>"),
    ("X-Correlation-Id", "ünïcödé-id".encode()),
    ("X-Correlation-Id", b"olive@example.com"),
    ("traceparent", b"00-xyz-00f067aa0ba902b7-01"),
    ("traceparent", b"00-" + TRACE + b"-00f067aa0ba902b7-01\nforged"),
    ("traceparent", b"00-" + b"0" * 32 + b"-00f067aa0ba902b7-01"),
    ("traceparent", b"ff-" + TRACE + b"-00f067aa0ba902b7-01"),
]


async def test_a_hostile_id_is_replaced(written: Written, office: Office):
    for name, value in HOSTILE:
        answer = await office.operator.get("/healthz", headers={name: value})
        made = answer.headers["x-correlation-id"]
        assert len(made) == 32, value
        assert set(made) <= set("0123456789abcdef"), value
        assert made not in value.decode("latin-1"), value
        assert written.lines("request")[-1]["correlationId"] == made, value
    assert len(written.lines("request")) == len(HOSTILE)
    assert len(written.text()) < 1000 * len(HOSTILE)


async def test_the_level_changes_while_the_server_runs(written: Written, office: Office):
    def is_written(method) -> bool:
        before = len(written.text())
        method("a line of the test")
        return len(written.text()) > before

    log = structlog.stdlib.get_logger("test")
    assert is_written(log.info)
    assert not is_written(log.debug)
    for level, debug, info, warning in (
        ("debug", True, True, True),
        ("warning", False, False, True),
        ("error", False, False, False),
        (None, False, True, True),
    ):
        await office.set(log_level=level)
        await office.operator.get(f"{API}/status")
        found = [is_written(method) for method in (log.debug, log.info, log.warning)]
        assert found == [debug, info, warning], level
        assert is_written(log.error)
