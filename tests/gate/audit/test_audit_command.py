"""`bailiwick audit`: on the data itself, and through a server."""

import asyncio
import json
from pathlib import Path

import pytest
from sqlalchemy import text

from bailiwick.config import Settings
from bailiwick.kit.folder import DataFolder
from bailiwick.kit.ledger import Ledger
from bailiwick.office import opened
from support.server import cli, running

pytestmark = pytest.mark.req("GATE-14")


async def filled(data: Path, *statements: str) -> None:
    """Five entries, and what someone did to them."""
    DataFolder(data).prepare()
    async with opened(Settings(data=data)) as runtime:
        async with Ledger.opened(runtime.storage, runtime.vault) as ledger:
            await asyncio.gather(*(ledger.append({"call_id": f"cal-{i}"}) for i in range(5)))
        async with runtime.storage.audit.write() as session:
            for statement in statements:
                await session.execute(text(statement))


def test_verify_says_that_the_audit_is_whole_and_export_writes_it(tmp_path: Path):
    asyncio.run(filled(tmp_path / "data"))
    verified = cli("audit", "verify", data=tmp_path / "data")
    assert verified.returncode == 0, verified.stderr
    assert "The audit is whole: 5 entries" in verified.stdout
    target = tmp_path / "audit.jsonl"
    assert cli("audit", "export", "--output", str(target), data=tmp_path / "data").returncode == 0
    *lines, trailer = target.read_text().splitlines()
    assert len(lines) == json.loads(trailer)["rows"] == 5


def test_verify_exits_with_1_and_names_the_place(tmp_path: Path):
    data = tmp_path / "data"
    asyncio.run(filled(data, "UPDATE ledger SET body = '{}' WHERE number = 3"))
    (data / "audit-checkpoints.jsonl").unlink()
    verified = cli("audit", "verify", data=data)
    assert verified.returncode == 1
    assert "slot-1 number 3 at 20" in verified.stdout
    assert "The checkpoint file is gone" in verified.stdout
    as_json = cli("audit", "verify", "--json", data=data)
    assert as_json.returncode == 1
    assert json.loads(as_json.stdout)["count"] == 2


def test_verify_compares_with_a_copy_that_is_named_and_says_what_it_cannot_prove(tmp_path: Path):
    data, copy = tmp_path / "data", tmp_path / "copy"
    asyncio.run(filled(data))
    copy.write_text((data / "audit-checkpoints.jsonl").read_text())
    verified = cli("audit", "verify", "--anchor", str(copy), data=data)
    assert verified.returncode == 0, verified.stderr
    assert "its place after 20" in verified.stdout
    signature = json.loads(copy.read_text().splitlines()[-1])["signature"]
    copy.write_text(copy.read_text().replace(signature, signature[::-1]))
    verified = cli("audit", "verify", "--anchor", str(copy), data=data)
    assert verified.returncode == 1
    assert "which the office has otherwise" in verified.stdout


def test_a_running_server_is_asked_and_a_restore_can_be_accepted(tmp_path: Path):
    data = tmp_path / "data"
    asyncio.run(filled(data))
    lines = (data / "audit-checkpoints.jsonl").read_text()
    asyncio.run(
        filled(
            data,
            "DELETE FROM ledger WHERE number > 5",
            "DELETE FROM ledger_checkpoints WHERE number > 2",
        )
    )
    assert (data / "audit-checkpoints.jsonl").read_text().startswith(lines)
    with running(data):
        verified = cli("audit", "verify", data=data)
        assert verified.returncode == 1, verified.stderr
        assert "--accept-restore" in verified.stdout
        accepted = cli("audit", "verify", "--accept-restore", data=data)
        assert accepted.returncode == 0, accepted.stdout + accepted.stderr
        assert "as Operator (command line) said" in accepted.stdout
        exported = cli("audit", "export", data=data)
        assert json.loads(exported.stdout.splitlines()[-1])["rows"] == 5
