"""Masking: no log line holds a secret or says who someone is, whoever wrote it."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest
import structlog
from pydantic import SecretBytes, SecretStr

from bailiwick.kit import logs

pytestmark = pytest.mark.req("OBS-01", "ACC-05")
CANARY = "canary-hunter2-canary"


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
    subprocess.run([sys.executable, "-c", code], timeout=120, check=True)


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
