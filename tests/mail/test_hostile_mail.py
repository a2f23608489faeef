"""One mail made to stop the office stops nothing: not Stop, and not the mail beside it."""

import asyncio
import os
import signal

import pytest

from bailiwick.mail.parsing import message
from support.mailbag import letter, mailbag_in
from support.office import API, Office

HEAD = b"From: eve@evil.example\r\n"
SHAPES = {
    "letters without an address": HEAD + b"To: " + b"a" * 50_000 + b"\r\n\r\nx",
    "addresses without an end": HEAD + b"To: " + b"a@" * 25_000 + b"\r\n\r\nx",
    "spaces in a list": HEAD + b"To: x" + b" " * 50_000 + b"y\r\n\r\nx",
    "comments in comments": HEAD + b"To: " + b"(" * 50_000 + b"\r\n\r\nx",
    "encoded words": HEAD + b"To: " + b"=?utf-8?q?a?= " * 4_000 + b"<a@b.example>\r\n\r\nx",
    "boundaries": HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"\r--b" * 50_000,
    "open elements": HEAD
    + b"Content-Type: text/html\r\n\r\n<p>"
    + b"".join(b"<b a=%d>" % number for number in range(400))
    + b"</p>"
    + b"<p>x" * 4_000,
    "choices": HEAD + b"Content-Type: text/html\r\n\r\n<select>" + b"<option>" * 49_000,
}


@pytest.mark.req("MAIL-07")
@pytest.mark.parametrize("shape", SHAPES)
async def test_stop_answers_while_a_hostile_mail_is_being_read(office: Office, shape: str):
    bag = await mailbag_in(office)
    account = await bag.account()
    await bag.got(account, letter(subject="Before"))
    [reading] = office.product.extractor.processes
    os.kill(reading, signal.SIGSTOP)  # whatever it reads now, it does not come to an end
    try:
        hostile = bag.arrived(SHAPES[shape])
        taking = asyncio.create_task(
            bag.take(account, hostile, bag.arrived(letter(subject="Behind")))
        )
        owner = await office.owner()
        assert (await owner.post(f"{API}/halt", json={"reason": "Stop"})).status_code == 200
        assert not taking.done()
    finally:
        os.kill(reading, signal.SIGCONT)
    assert len((await taking).new) == 2
    assert "Behind" in await bag.listed()
    assert [row.fault for row in await bag.rows() if row.fault == message.UNREADABLE] == []


@pytest.mark.req("MAIL-07")
async def test_a_mail_that_ends_whoever_reads_it_is_kept_as_it_came(office: Office):
    bag = await mailbag_in(office)
    account = await bag.account()
    await bag.got(account, letter(subject="Before"))
    [reading] = office.product.extractor.processes
    os.kill(reading, signal.SIGSTOP)
    taking = asyncio.create_task(bag.take(account, bag.arrived(letter(subject="Odd"))))
    await (await office.owner()).get(f"{API}/halt")
    # As the system does when the time for it is over.
    os.kill(reading, signal.SIGPROF)
    os.kill(reading, signal.SIGCONT)
    [id] = (await taking).new
    row = await bag.row(id)
    assert (row.fault, row.text) == (message.UNREADABLE, "")
    owner = await office.owner()
    whole = await owner.get(f"{API}/mail/{id}/raw")
    assert whole.content == letter(subject="Odd")
