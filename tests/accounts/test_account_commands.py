"""`bailiwick account`: the same verbs, and no secret on a command line."""

import subprocess
from pathlib import Path

import pytest

from support.server import cli

pytestmark = pytest.mark.req("ACC-01", "OPS-02")


def run(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return cli("account", *arguments, data=data)


def test_an_account_is_connected_listed_and_disconnected_from_a_terminal(tmp_path: Path):
    data = tmp_path / "data"
    assert cli("user", "add", "kim@example.com", "--name", "Kim", data=data).returncode == 0
    fields = ("--set", "address=kim@example.com")
    made = run(data, "connect", "local", *fields, "--label", "Try")
    assert made.returncode == 0, made.stderr
    assert "Try" in run(data, "list").stdout
    assert "It works" in run(data, "probe", "try").stdout
    refused = run(data, "connect", "imap", "--set", "password=canary")
    assert refused.returncode == 2
    assert "canary" not in refused.stderr
    wrong = run(data, "connect", "local", "--set", "address=nobody")
    assert wrong.stderr.count("address") == 1, "what is wrong is said once"
    (folder,) = (data / "accounts").iterdir()
    assert run(data, "disconnect", "Try", "--remove-files").returncode == 0
    assert not folder.exists()
