"""Generated requests against the whole API: no 5xx, and nothing that the document does not say."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.server import PATIENCE, Server, running

ROOT = Path(__file__).parents[1]
EXAMPLES = os.environ.get("SCHEMATHESIS_EXAMPLES", "2")
SEED = os.environ.get("SCHEMATHESIS_SEED", "1")
# Every edge of every schema; chance is for longer runs: SCHEMATHESIS_PHASES=examples,fuzzing
PHASES = os.environ.get("SCHEMATHESIS_PHASES", "coverage")
SOME = {"SCHEMATHESIS_HOOKS": "support.some_cases", "PYTHONPATH": str(ROOT / "tests")}
ALL = bool(os.environ.get("EVERYTHING"))


def generated(server: Server, *options: str, headers: dict[str, str]) -> None:
    """Run schemathesis as anyone would from outside, and expect nothing."""
    given = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    done = subprocess.run(
        [
            str(Path(sys.executable).parent / "schemathesis"),
            f"--config-file={ROOT / 'schemathesis.toml'}",
            "run",
            f"{server.origin}/api/v1/openapi.json",
            f"--seed={SEED}",
            f"--max-examples={EXAMPLES}",
            f"--phases={PHASES}",
            "--generation-database=none",
            f"--request-timeout={PATIENCE}",
            "--no-color",
            *options,
            *given,
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=server.data,
        env={**os.environ, **({} if ALL else SOME)},
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout[-15000:] + done.stderr[-3000:]
    assert "Traceback" not in server.output()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(tmp_path / "data", BAILIWICK_LOG_LEVEL="warning") as server:
        operator = server.operator()
        operator.patch("/api/v1/settings", json={"rate_limit_percent": 100_000})
        # Made when it is first asked for, and schemathesis does not wait long.
        assert operator.get("/api/v1/openapi.json", timeout=120).is_success
        yield server


@pytest.mark.req("API-01", "API-02")
def test_no_generated_request_of_a_program_breaks_the_server_or_its_document(server: Server):
    body = {"name": "test", "scopes": ["read", "write", "admin"]}
    secret = server.owner().post("/api/v1/tokens", json=body).json()["secret"]
    generated(
        server,
        # Left to the next test: changing the settings changes the limits of this one.
        "--exclude-path=/api/v1/settings",
        # Taking the token away is left to tests/test_routes.py, which does it on every route.
        *([] if ALL else ["--exclude-checks=ignored_auth"]),
        # A stream has no end to wait for; tests/notify/test_streams.py drives it.
        "--exclude-path-regex=/stream$",
        headers={"Authorization": f"Bearer {secret}"},
    )


@pytest.mark.req("API-01", "API-02")
def test_no_generated_request_of_a_person_breaks_the_server_or_its_document(server: Server):
    owner = server.owner()
    cookie = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())
    generated(
        server,
        "--include-path-regex=^/api/v1/(settings|tokens|auth/(sessions|password))",
        # The cookie is given by hand: the checks that take credentials away do not see it.
        "--checks=not_a_server_error,status_code_conformance,content_type_conformance,"
        "response_headers_conformance,response_schema_conformance",
        headers={"Cookie": cookie, "Origin": server.origin},
    )
