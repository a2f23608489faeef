"""What is kept is what the hash covers, in one form that another program could check."""

import hashlib
import hmac
import json

import pytest
from chains import Shelf, body
from structlog.testing import capture_logs

from bailiwick.kit.ledger import LedgerUnwritable, keys
from bailiwick.kit.ledger.rows import LAST_NUMBER, row_id

pytestmark = pytest.mark.req("GATE-14")


async def secret(shelf: Shelf) -> bytes:
    """The ledger's key, as one who has the vault's gets it."""
    ((id, sealed),) = await shelf.sql("SELECT id, key FROM ledger_keys")
    assert id.startswith("lky-")
    opened = shelf.product.vault.drawer("ledger_keys").open(bytes(sealed), column="key", row=id)
    return bytes.fromhex(opened.get_secret_value())


def digest(key: bytes, *parts: bytes | str) -> bytes:
    message = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    return hmac.new(key, message, hashlib.sha256).digest()


async def test_rows_and_checkpoints_are_hashed_as_another_program_would(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2)
    key, previous = await secret(sqlite_shelf), bytes(32)
    assert len(key) == 32
    for number, at, key_id, text, before, hash in await sqlite_shelf.sql(
        "SELECT number, at, key_id, body, previous, hash FROM ledger ORDER BY id"
    ):
        assert before == previous
        said = f"slot-1\0{number}\0{at}\0{key_id}\0{text}"
        assert hash == digest(key, b"row\0", previous, said)
        previous = hash
    head, previous = previous, bytes(32)
    for number, at, key_id, text, before, signature in await sqlite_shelf.sql(
        "SELECT number, at, key_id, content, previous, signature FROM ledger_checkpoints"
    ):
        assert before == previous
        said = f"{number}\0{at}\0{key_id}\0{text}"
        assert signature == digest(key, b"checkpoint\0", previous, said)
        previous = signature
    assert json.loads(text) == {
        "heads": {"slot-1": [2, head.hex()]},
        "floor": {},
        "first": 1,
        "since": None,
        "accepts": None,
        "by": None,
        "marked": True,
        "records": False,
    }
    assert " " not in text
    assert json.loads(sqlite_shelf.file.read_text().splitlines()[-1]) == {
        "number": 2,
        "at": at,
        "key": key_id,
        "content": text,
        "previous": before.hex(),
        "signature": signature.hex(),
    }


async def kept(shelf: Shelf, given: dict[str, object]) -> tuple[str, dict[str, object]]:
    """The body and the columns of what was appended."""
    async with shelf.ledger() as ledger:
        await ledger.append(given)
    names = ("workspace_id", "caller_id", "tool", "decision", "status", "call_id")
    (row,) = await shelf.sql(f"SELECT body, {', '.join(names)} FROM ledger")
    assert (await shelf.verify()).is_clean
    return row[0], dict(zip(names, row[1:], strict=True))


async def test_the_columns_are_what_the_body_says(sqlite_shelf: Shelf):
    text, columns = await kept(sqlite_shelf, body(7))
    assert json.loads(text) == body(7)
    assert columns == {
        "workspace_id": "wsp-1",
        "caller_id": "agt-1",
        "tool": "mail.search",
        "decision": "ALLOW",
        "status": "done",
        "call_id": "cal-7",
    }


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("x" * 128, "x" * 128),
        ("x" * 129, "x" * 128),
        ("Zürich 東京", "Zürich 東京"),
        ("a\x00b", "'a\\x00b'"),
        (7, None),
        (["mail.search"], None),
        (None, None),
    ],
)
async def test_a_column_keeps_only_text_that_any_database_takes(
    sqlite_shelf: Shelf, given: object, shown: str | None
):
    text, columns = await kept(sqlite_shelf, {"tool": given, "caller": "Ada"})
    assert json.loads(text)["tool"] == given
    assert (columns["tool"], columns["caller_id"]) == (shown, None)


@pytest.mark.parametrize("long", ["", "x" * 9_000])
async def test_numbers_that_are_none_are_kept_by_name(sqlite_shelf: Shelf, long: str):
    given = {"tool": "t", "arguments": [float("nan"), float("inf")], "long": long}
    text, columns = await kept(sqlite_shelf, given)
    assert json.loads(text)["arguments"] == ["NaN", "Infinity"]
    assert columns["tool"] == "t"


async def test_half_a_character_is_kept_without_a_space_more(sqlite_shelf: Shelf):
    text, columns = await kept(sqlite_shelf, {"tool": "a\ud800", "status": "done"})
    assert text == '{"tool":"a\\ud800","status":"done"}'
    assert (columns["tool"], columns["status"]) == ("'a\\ud800'", "done")


async def test_the_last_number_of_a_chain_is_used_and_none_after_it(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(1)
    await sqlite_shelf.sql(
        "UPDATE ledger SET id = :id, number = :number",
        id=row_id(1, LAST_NUMBER - 1),
        number=LAST_NUMBER - 1,
    )
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(1))
        with pytest.raises(LedgerUnwritable, match="no number left"):
            await ledger.append(body(2))
    rows = await sqlite_shelf.sql("SELECT id, number FROM ledger ORDER BY id")
    assert rows[-1] == (row_id(1, LAST_NUMBER), LAST_NUMBER)


async def test_of_several_keys_the_newest_is_in_use_and_the_older_still_check(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(1)
    old = await sqlite_shelf.sql("SELECT id, key, created_at FROM ledger_keys")
    await sqlite_shelf.sql("DELETE FROM ledger_keys")
    await sqlite_shelf.fill(1)
    ((new,),) = await sqlite_shelf.sql("SELECT id FROM ledger_keys")
    await sqlite_shelf.sql(
        "INSERT INTO ledger_keys (id, key, created_at) VALUES (:id, :key, :at)",
        id=old[0][0],
        key=old[0][1],
        at=old[0][2],
    )
    await sqlite_shelf.fill(1)
    used = [row[0] for row in await sqlite_shelf.sql("SELECT key_id FROM ledger ORDER BY id")]
    assert used == [old[0][0], new, new]
    assert await sqlite_shelf.kinds() == set()


async def test_keys_follow_the_vault_whenever_a_ledger_opens(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(1)
    vault = sqlite_shelf.product.vault
    vault.add_key()
    await sqlite_shelf.fill(1)
    vault.drop_keys(vault.key_ids[1:])
    await sqlite_shelf.fill(1)
    assert len(await sqlite_shelf.sql("SELECT id FROM ledger_keys")) == 1
    assert await sqlite_shelf.kinds() == set()


async def test_a_key_that_does_not_open_is_logged_and_stops_no_other(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(1)
    vault = sqlite_shelf.product.vault
    ((id,),) = await sqlite_shelf.sql("SELECT id FROM ledger_keys")
    await sqlite_shelf.sql(
        "INSERT INTO ledger_keys SELECT 'lky-0', key, created_at FROM ledger_keys"
    )
    vault.add_key()
    with capture_logs() as logged:
        assert await keys.reseal(sqlite_shelf.product.storage, vault) == 1
    said = "a key of the ledger does not open"
    assert [(line["event"], line["key"]) for line in logged] == [(said, "lky-0")]
    with capture_logs() as logged:
        assert (await sqlite_shelf.verify()).is_clean
    assert [(line["event"], line["key"]) for line in logged] == [(said, "lky-0")]
    assert id != "lky-0"
