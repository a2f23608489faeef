"""Logs: one JSON line a request, tied together by an id, with secrets and people masked."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from pydantic import SecretBytes, SecretStr

from bailiwick.kit import logs
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("OBS-01")
LIBRARIES = ("httpx", "httpcore", "aiosqlite", "alembic", "asyncio", "uvicorn.access")
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
def logging_restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in LIBRARIES}
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers, root.level = handlers, level
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)
    structlog.reset_defaults()


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


@pytest.mark.parametrize(
    "text",
    [
        f"password={CANARY}",
        f"https://office.example.com/oauth/login/callback?code={CANARY}&state={CANARY}",
        f"grant_type=refresh_token&refresh_token={CANARY}&client_secret={CANARY}",
        f"https://provider.example/userinfo?access_token={CANARY}",
        f"id_token={CANARY}",
        f"Authorization: Bearer {CANARY}",
        f"authorization: basic {CANARY}",
        f"bearer {CANARY}",
        f"the token bwt_{CANARY} is not valid",
        f"Cookie: bailiwick_abc_session=bws_{CANARY}; other=1",
        f"http://127.0.0.1:8787/setup#bwl_{CANARY}",
        f"eyJhbGciOiJIUzI1NiJ9.{CANARY}.{CANARY}",
        f"connecting to postgresql://bw:{CANARY}@db.example.com:5432/bw failed",
        f"connecting to redis://:{CANARY}@cache/0 failed",
        f'{{"password": "{CANARY}", "name": "x"}}',
        f"{{'client_secret': '{CANARY}'}}",
        f'{{"newPassword": "four {CANARY} words"}}',
        f"client_secret: {CANARY}",
    ],
)
def test_a_secret_in_any_text_is_masked(text: str):
    assert CANARY in text
    assert CANARY not in logs.mask(text)
    assert CANARY not in json.dumps(logs.mask({"why": [{"deep": (text, {text})}]}))
    assert CANARY not in logs.mask(ValueError(text))


@pytest.mark.parametrize(
    "text",
    [
        "marguerite@example.com is not a user",
        "Olive <x.marguerite@mail.example.co.uk>, others",
        "_marguerite@example.com",
        "o'marguerite@example.com",
        "marguerite+tag!x@example.com",
        "jürgen.marguerite@example.com",
        "mailto:marguerite@example.com?subject=x",
        "marguerite@localhost",
        "email='marguerite@example.com'",
    ],
)
def test_an_e_mail_address_in_any_text_does_not_tell_who_it_is(text: str):
    assert "marguerite" not in logs.mask(text)
    assert "marguerite" not in logs.mask({"to": [text]})["to"][0]
    assert "@" in logs.mask(text)


def test_a_256_bit_key_in_a_text_is_masked():
    for key in ("ab" * 32, "AB" * 32):
        for text in (key, f"PRAGMA key = \"x'{key}'\"", f"{key},{key}", f"key: {key}."):
            assert key not in logs.mask(text)


@pytest.mark.parametrize(
    "name",
    [
        "password", "newPassword", "passwd", "client_secret", "clientSecret", "secret", "token",
        "access_token", "Authorization", "cookie", "Set-Cookie", "api_key", "apiKey", "data_key",
        "vaultKey", "hash_key", "credentials",
    ],
)  # fmt: skip
def test_a_value_with_a_secret_name_is_masked_however_deep(name: str):
    event = {name: CANARY, "nested": {"list": [{name: {"inner": CANARY}}, {name: [CANARY]}]}}
    assert CANARY not in json.dumps(logs.mask(event))


def test_secret_types_and_bytes_are_masked_under_any_name():
    event = {"a": SecretStr(CANARY), "b": [SecretBytes(CANARY.encode())], "c": CANARY.encode()}
    assert logs.mask(event) == {"a": logs.MASK, "b": [logs.MASK], "c": logs.MASK}


def test_what_is_no_secret_is_left_as_it_is():
    event = {
        "path": "/api/v1/users/usr-1234abcd",
        "status": 200,
        "ok": True,
        "nothing": None,
        "token_id": "tok-123456789012",
        "token_days": 365,
        "digest": "ab" * 16,
        "text": "3 tokens were revoked at 12:30 in the basic plan",
    }
    assert logs.mask(event) == event


def test_no_line_however_made_up_can_stall_the_log():
    hostile = ["a.", "a-", "eyJ-", "token-", "://a:"]
    code = f"from bailiwick.kit.logs import mask; [mask(part * 60_000) for part in {hostile!r}]"
    # In a process of its own, because nothing can interrupt a regular expression.
    subprocess.run([sys.executable, "-c", code], timeout=30, check=True)


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("format", ["json", "console"])
def test_exceptions_and_libraries_lines_are_masked(
    format, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    logs.configure(level="debug", format=format, file=tmp_path / "office.log")
    token = f"bwt_{CANARY}"
    try:
        try:
            raise ValueError(f"Bearer {CANARY}")
        except ValueError as error:
            raise RuntimeError(f"while using {token}") from error
    except RuntimeError:
        structlog.stdlib.get_logger("ours").exception("failed", secret=CANARY, given=[token])
        logging.getLogger("library").exception("failed with %s", token, extra={"password": CANARY})
    logging.getLogger("library").warning("sent %s to %s@example.com", {"token": CANARY}, CANARY)
    logging.getLogger("sqlalchemy").error(f"postgresql://bw:{CANARY}@db")
    for output in (capsys.readouterr().err, (tmp_path / "office.log").read_text()):
        assert CANARY not in output
        assert output.count("RuntimeError: while using") == 2
        assert output.count("ValueError: Bearer") == 2
        assert "bwt_[hidden]" in output


async def test_the_level_changes_while_the_server_runs(written: Written, office: Office):
    async def is_written(method) -> bool:
        before = len(written.text())
        method("a line of the test")
        return len(written.text()) > before

    log = structlog.stdlib.get_logger("test")
    assert await is_written(log.info)
    assert not await is_written(log.debug)
    for level, debug, info, warning in (
        ("debug", True, True, True),
        ("warning", False, False, True),
        ("error", False, False, False),
        (None, False, True, True),
    ):
        await office.set(log_level=level)
        await office.operator.get(f"{API}/status")
        found = [await is_written(method) for method in (log.debug, log.info, log.warning)]
        assert found == [debug, info, warning], level
        assert await is_written(log.error)
