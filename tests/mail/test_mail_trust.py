"""Whose words a mail is: known people are those the owner knows, when the server proved them."""

import pytest

from bailiwick.mail import trust
from bailiwick.mail.parsing import parse

OURS = "mx.olive.example"
TOP = f"Received: from x by {OURS} (Postfix) with ESMTPS id 1; Mon, 6 Jul 2026 10:00:00 +0000"
PASS = f"Authentication-Results: {OURS}; spf=pass; dmarc=pass (p=reject) header.from=example.org"
FROM = "From: Anna <anna@example.org>"
KNOWN = ("contact", "pass")


def judged(*lines: str, authserv_id: str | None = OURS, known: bool = True) -> trust.SenderTrust:
    raw = "\r\n".join([*lines, "Subject: Hi", "", "Hello"]).encode()
    parsed = parse(raw)
    verdict = trust.verdict(parsed, authserv_id)
    return trust.judge(parsed, authserv_id=authserv_id, is_contact=known, dmarc=verdict)


@pytest.mark.req("GATE-16")
def test_a_contact_whom_the_server_proved_is_known_and_the_reason_says_so():
    found = judged(TOP, PASS, FROM)
    assert found[::2] == KNOWN
    assert found.why == (
        "You have listed anna@example.org or write to it often, and the receiving server proved "
        "that the mail is theirs (DMARC pass)."
    )
    assert trust.SENT == ("contact", "From your own Sent folder.", "unknown")


@pytest.mark.req("GATE-16")
@pytest.mark.parametrize(
    "lines",
    [
        (PASS, TOP, FROM),
        (TOP, "Authentication-Results: relay.example; dmarc=fail header.from=x", PASS, FROM),
        (TOP, PASS.replace(OURS, "MX.Olive.Example."), FROM),
        (TOP, PASS.replace(f"{OURS};", f"{OURS} 1;"), FROM),
        (TOP, PASS.replace("header.from=example.org", "header.from=EXAMPLE.org."), FROM),
        (TOP, "Received: from a by 10.0.0.7; x", "Received: by in2.olive.example; x", PASS, FROM),
        ("Received: by 2002:a05:1::1 with SMTP id 2; x", TOP, PASS, FROM),
        ("Received: from a by store.other-name.example; x", TOP, PASS, FROM),
        (TOP, PASS.replace("example.org", "xn--bcher-kva.example"), "From: a@bücher.example"),
    ],
)
def test_the_verdict_is_found_where_servers_put_it(lines: tuple[str, ...]):
    assert judged(*lines)[::2] == KNOWN


FORGED = f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org"
FAIL = f"Authentication-Results: {OURS}; dmarc=fail header.from=example.org"


@pytest.mark.req("GATE-16")
@pytest.mark.parametrize(
    ("lines", "dmarc"),
    [
        # The server's own stands above whatever came with the mail.
        ((TOP, FAIL, FORGED, FROM), "fail"),
        ((TOP, f"Authentication-Results: {OURS}; none", FORGED, FROM), "unknown"),
        ((TOP, f"Authentication-Results: {OURS}; dmarc=none", FORGED, FROM), "none"),
        ((TOP, f"Authentication-Results: {OURS}; dmarc=temperror", FROM), "fail"),
        # What another house wrote, or what lies below its mark.
        ((TOP, FORGED.replace(OURS, "mx.evil.example"), FROM), "unknown"),
        ((TOP, FORGED.replace(OURS, f"{OURS}.evil.example"), FROM), "unknown"),
        ((TOP, "Received: from a by mx.evil.example; x", FORGED, FROM), "unknown"),
        ((TOP, FROM), "unknown"),
        # Another domain than From's.
        ((TOP, FORGED, "From: anna@evil.example"), "fail"),
        ((TOP, FORGED.replace("=example.org", "=sub.example.org"), FROM), "fail"),
        ((TOP, FORGED.replace(" header.from=example.org", ""), FROM), "fail"),
        ((TOP, FORGED + " header.from=evil.example", FROM), "fail"),
        # Words of the sender's that a server repeats.
        ((TOP, f"{FAIL} (dmarc=pass header.from=example.org)", FROM), "fail"),
        ((TOP, f"Authentication-Results: {OURS}; spf=pass (; dmarc=pass header.from=example.org)",
          FROM), "unknown"),
        ((TOP, f'Authentication-Results: {OURS}; spf=pass smtp.mailfrom="; dmarc=pass '
          'header.from=example.org"@evil.example', FROM), "unknown"),
        ((TOP, f"{FAIL}; dmarc=pass header.from=example.org", FROM), "fail"),
        ((TOP, f"{FORGED}; dmarc=fail header.from=example.org", FROM), "fail"),
        ((TOP, f"Authentication-Results: {OURS}; spf=fail (; dmarc=pass header.from=example.org",
          FROM), "unknown"),
        ((TOP, f'Authentication-Results: {OURS}; x="; dmarc=pass header.from=example.org', FROM),
         "unknown"),
        ((TOP, f"Authentication-Results: {OURS}; x-dmarc=pass header.from=example.org", FROM),
         "unknown"),
        ((TOP, f"Authentication-Results: {OURS}; dmarc=passed header.from=x.org", FROM), "fail"),
        # Words of the sender's that make the server's own unreadable lead to no forged one below.
        ((TOP, f'{FAIL} smtp.mailfrom="a@evil.example', FORGED, FROM), "unknown"),
        ((TOP, f"{FAIL} smtp.mailfrom=a(b@evil.example", FORGED, FROM), "unknown"),
        ((TOP, f"{FAIL} smtp.mailfrom=a)b@evil.example", FORGED, FROM), "unknown"),
        ((TOP, f"{FAIL} smtp.mailfrom=a\\b@evil.example", FORGED, FROM), "unknown"),
        ((TOP, FAIL.replace(f"{OURS};", f"{OURS}/1;"), FORGED, FROM), "fail"),
        # More than one sender, or none.
        ((TOP, PASS, FROM, "From: mallory@evil.example"), "unknown"),
        ((TOP, PASS, "From: mallory@evil.example", FROM), "unknown"),
        ((TOP, PASS, "From: anna@example.org, mallory@evil.example"), "unknown"),
        ((TOP, PASS, "From: Anna"), "unknown"),
    ],
)  # fmt: skip
def test_nothing_that_a_sender_writes_makes_a_stranger_known(lines: tuple[str, ...], dmarc: str):
    found = judged(*lines)
    assert found[::2] == ("stranger", dmarc)


@pytest.mark.req("GATE-16")
def test_the_reason_says_what_is_missing():
    assert judged(TOP, PASS, FROM, known=False) == (
        "stranger",
        "Nobody here has written to anna@example.org.",
        "pass",
    )
    assert judged(TOP, PASS, FROM, authserv_id=None).why == (
        "You know anna@example.org, but this account's server does not say who checked the sender."
    )
    assert judged(TOP, FROM).why == (
        "You know anna@example.org, but nothing proves that this mail is really theirs."
    )
    assert judged(TOP, FAIL, FROM).why == (
        "You know anna@example.org, but the receiving server found that this mail may be forged "
        "(DMARC fail)."
    )
    assert judged(TOP, PASS).why == "The mail does not say who sent it."
    assert judged(TOP, PASS, FROM, "From: mallory@evil.example").why == (
        "The mail names more than one sender, so nobody can be sure."
    )
