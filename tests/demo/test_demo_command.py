"""`bailiwick demo`: the sample office in a terminal, without a server."""

import json
from pathlib import Path

import pytest

from support.server import cli

pytestmark = pytest.mark.req("OPS-02", "UI-03")


def test_the_command_brings_the_sample_in_waits_for_the_gate_and_takes_it_away(tmp_path: Path):
    data = tmp_path / "data"
    nobody = cli("demo", data=data)
    assert (nobody.returncode, "Nobody has moved in yet" in nobody.stderr) == (2, True)
    cli("user", "add", "kim@example.com", "--name", "Kim", "--role", "admin", data=data)
    played = cli("demo", "--json", data=data)
    assert played.returncode == 0, played.stderr
    found = json.loads(played.stdout)
    assert (found["state"], found["mails"]) == ("ready", found["expected"])
    assert [each["kind"] for each in found["findings"]] == ["reply", "reply", "stopped"]
    told = cli("demo", data=data).stdout
    assert "STOPPED: a mail wanted this" in told
    assert "You did not name 'intake@freight-recheck.example'" in told
    assert cli("demo", "--remove", data=data).returncode == 0
    assert cli("demo", "--remove", data=data).returncode == 2
