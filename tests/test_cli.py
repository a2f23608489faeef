"""The command line: through the running server, or in process when there is none."""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from support.server import cli, free_port, program, running

pytestmark = pytest.mark.req("OPS-02")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.mark.req("DIAG-01")
def test_diagnostics_says_how_the_office_stands(data: Path):
    told = cli("diagnostics", data=data)
    assert told.returncode == 0, told.stderr
    assert f"Data folder: {data}" in told.stdout
    assert "Encryption:  off" in told.stdout


def test_commands_work_without_a_server(data: Path):
    invited = cli("user", "add", "kim@example.com", "--name", "Kim", data=data)
    assert invited.returncode == 0, invited.stderr
    assert re.search(r"/welcome#bwl_\S+", invited.stdout)
    listed = program("user", "list", "--json", data=data)
    assert listed.returncode == 0, listed.stderr
    assert [user["email"] for user in json.loads(listed.stdout)] == ["kim@example.com"]


def test_commands_go_through_the_server_that_holds_the_folder(data: Path):
    with running(data) as server:
        assert cli("settings", "set", "instance_name", "Ours", data=data).returncode == 0
        options = server.browser().get("/api/v1/auth/options").json()
        assert options["instanceName"] == "Ours"
        made = cli("backup", "--json", data=data)
        assert Path(json.loads(made.stdout)["path"]).is_file()
        assert cli("key", "rotate", data=data).returncode == 0
        assert len(cli("key", "show", data=data).stdout.splitlines()) == 2
        assert cli("doctor", data=data).returncode == 0


def test_the_last_admin_stays_from_the_command_line_too(data: Path):
    cli("user", "add", "kim@example.com", "--name", "Kim", "--role", "admin", data=data)
    refused = cli("user", "disable", "kim@example.com", data=data)
    assert refused.returncode == 2
    assert "last admin" in refused.stderr


def test_bad_input_names_the_field_and_exits_with_2(data: Path):
    refused = cli("user", "add", "not-an-address", "--name", "Kim", data=data)
    assert refused.returncode == 2
    assert "email" in refused.stderr
    assert "Traceback" not in refused.stderr
    refused = cli("settings", "set", "session_hours", "0", data=data)
    assert refused.returncode == 2
    assert "session_hours" in refused.stderr


def test_a_second_server_prints_the_address_of_the_first_and_exits_0(data: Path):
    with running(data) as first:
        second = program("serve", data=data, BAILIWICK_PORT=str(free_port()))
        assert second.returncode == 0, second.stderr
        assert first.origin in second.stdout


def test_a_taken_port_is_named(data: Path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        refused = cli("serve", data=data, env={"BAILIWICK_PORT": port})
    assert refused.returncode == 2
    assert port in refused.stderr
    assert "--port" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("command", [("serve",), ("doctor",), ("backup",), ("user", "list")])
def test_an_unusable_data_folder_is_named(tmp_path: Path, command: tuple[str, ...]):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    refused = cli(*command, data=blocked / "data")
    assert refused.returncode == 2
    assert str(blocked) in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_unknown_setting_names_the_nearest(data: Path):
    refused = cli("serve", data=data, env={"BAILIWICK_PROT": "80"})
    assert refused.returncode == 2
    assert "BAILIWICK_PORT" in refused.stderr


@pytest.mark.req("ACC-06")
def test_a_wrong_data_key_is_refused_and_changes_nothing(data: Path):
    right, wrong = {"BAILIWICK_DATA_KEY": "a" * 64}, {"BAILIWICK_DATA_KEY": "b" * 64}
    cli("user", "add", "kim@example.com", "--name", "Kim", data=data, env=right)
    before = (data / "app.db").read_bytes()
    for env in (wrong, {}):
        refused = cli("serve", data=data, env=env)
        assert refused.returncode == 2
        assert "BAILIWICK_DATA_KEY" in refused.stderr
        assert "b" * 64 not in refused.stderr
    assert (data / "app.db").read_bytes() == before
    assert "kim@example.com" in cli("user", "list", data=data, env=right).stdout


def test_a_newer_schema_is_refused(data: Path):
    cli("user", "list", data=data)
    engine = create_engine(f"sqlite:///{data / 'app.db'}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999_app'"))
    engine.dispose()
    refused = cli("serve", data=data)
    assert refused.returncode == 2
    assert "9999_app" in refused.stderr
    assert "Upgrade" in refused.stderr


@pytest.mark.req("OPS-03")
def test_the_schema_goes_down_and_up_by_command(data: Path):
    cli("user", "list", data=data)
    assert "empty" in cli("db", "migrate", "audit", "--to", "base", data=data).stdout
    assert cli("db", "migrate", "audit", data=data).returncode == 0
    assert "newest" in cli("db", "status", data=data).stdout
    refused = cli("db", "migrate", "app", "--to", "nowhere", data=data)
    assert refused.returncode == 2
    assert "nowhere" in refused.stderr


def test_a_corrupt_database_is_refused_with_what_to_do(data: Path):
    cli("user", "list", data=data)
    content = bytearray((data / "app.db").read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    (data / "app.db").write_bytes(content)
    refused = cli("serve", data=data)
    assert refused.returncode == 2
    assert "damaged" in refused.stderr
    assert "restore" in refused.stderr
    assert bytes(content) == (data / "app.db").read_bytes()


def test_a_clock_that_went_back_is_refused_until_accepted(data: Path):
    cli("user", "list", data=data)
    engine = create_engine(f"sqlite:///{data / 'app.db'}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE instance SET last_seen_at = '2099-01-01 00:00:00.000000'"))
    engine.dispose()
    refused = cli("user", "list", data=data)
    assert refused.returncode == 2
    assert "clock" in refused.stderr
    assert cli("user", "list", data=data, env={"BAILIWICK_ACCEPT_CLOCK": "1"}).returncode == 0
    assert cli("user", "list", data=data).returncode == 0


@pytest.mark.req("ACC-05")
def test_a_lost_vault_key_is_never_replaced_silently(data: Path):
    cli("user", "add", "kim@example.com", "--name", "Kim", data=data)
    (data / "vault.key").unlink()
    refused = cli("serve", data=data)
    assert refused.returncode == 2
    assert "vault.key" in refused.stderr
    assert not (data / "vault.key").exists()
    assert cli("key", "reset", "--yes", data=data).returncode == 0
    assert "kim@example.com" in cli("user", "list", data=data).stdout


@pytest.mark.req("OPS-03")
def test_backup_and_restore_by_command(data: Path, tmp_path: Path):
    cli("user", "add", "kim@example.com", "--name", "Kim", data=data)
    file = tmp_path / "office.backup"
    made = cli("backup", str(file), data=data)
    assert made.returncode == 0, made.stderr
    assert "key" in made.stdout
    there = tmp_path / "there"
    done = cli("restore", str(file), "--vault-key-file", str(data / "vault.key"), data=there)
    assert done.returncode == 0, done.stderr
    assert "kim@example.com" in cli("user", "list", data=there).stdout
    with running(data):
        refused = cli("restore", str(file), "--replace", data=data)
        assert refused.returncode == 2
        assert "running" in refused.stderr


def test_files_are_private(data: Path):
    with running(data):
        modes = {path.name: path.stat().st_mode & 0o077 for path in data.iterdir()}
    assert not any(modes.values()), modes
    assert data.stat().st_mode & 0o077 == 0


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from bailiwick.cli import app; "
        "heavy = {'fastapi', 'sqlalchemy', 'pydantic', 'httpx', 'uvicorn'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
