"""What redaction takes out of text and JSON, and what it leaves alone."""

import json
import random
from datetime import UTC, datetime
from typing import Any

import pytest

from bailiwick.gate.models import RedactionPattern
from bailiwick.gate.redactions.kinds import KINDS
from bailiwick.gate.redactions.redactor import DEEPEST, TOO_DEEP, Redactor

pytestmark = pytest.mark.req("GATE-07")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
CARD = "4111 1111 1111 1111"


def builtin(id: str, *, enabled: bool = True) -> RedactionPattern:
    kind = next(kind for kind in KINDS if kind.id == id)
    return RedactionPattern(
        id=f"red-{id}", name=kind.name, builtin=id, replacement=f"<{id}>", enabled=enabled
    )


def own(pattern: str, replacement: str = "<own>", **given: Any) -> RedactionPattern:
    values = {"id": "red-1", "name": "Own", "enabled": True, **given}
    return RedactionPattern(pattern=pattern, replacement=replacement, **values)


ALL = Redactor.compile([builtin(kind.id) for kind in KINDS])
OUT_OF_THE_BOX = Redactor.compile([builtin(kind.id, enabled=kind.enabled) for kind in KINDS])


def only(id: str) -> Redactor:
    return Redactor.compile([builtin(id)])


def redacted(id: str, text: str) -> str:
    return only(id).text(text)[0]


FOUND = {
    "card": [
        *("4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "378282246310005"),
        *("3782 822463 10005", "5555555555554444", "2223003122003222", "30569309025904"),
        *("6011111111111117", "3530111333300000", "4222222222222", "6212345678901232"),
        "4111\u00a01111\u00a01111\u00a01111",
    ],
    "iban": [
        *("DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "GB82 WEST 1234 5698 7654 32"),
        *("fr1420041010050500013m02606", "NO9386011117947", "MT84MALT011000012345MTLCAST001S"),
        *("AT61-1904-3002-3457-3201", "HN88 CABF 0000 0000 0002 5000 5469"),
    ],
    "us-ssn": ["123-45-6789", "078 05 1120"],
    "uk-nino": ["AB123456C", "AB 12 34 56 C", "jg103759a"],
    "german-tax-id": ["86095742719", "86 095 742 719", "65929970489"],
    "french-nir": ["255081416802538", "2 55 08 14 168 025 38", "1 85 05 2A 123 456 33"],
    "spanish-dni": ["12345678Z", "12345678-Z", "X1234567L", "y-7654321-g"],
    "italian-cf": ["RSSMRA85T10A562S", "rssmra85t10a562s"],
    "swiss-ahv": ["756.9217.0769.85", "7569217076985"],
    "phone": [
        *("+49 30 1234567", "+1 (415) 555-2671", "+44 20 7946 0958", "0049 171 1234567"),
        *("(415) 555-2671", "415-555-2671", "415.555.2671", "030 1234567", "0171/1234567"),
        *("020 7946 0958", "01 23 45 67 89", "(030) 123 45 67", "+4915123456789"),
    ],
    "key": [
        *("AKIAIOSFODNN7EXAMPLE", "ghp_" + "a1" * 18, "github_pat_" + "A1b2" * 8),
        *("glpat-" + "a1" * 10, "xoxb-123456789012-abcdef", "xapp-1-A012-abcdef"),
        *("sk-" + "a1" * 12, "sk-ant-api03-" + "a1" * 20, "sk-proj-" + "b2" * 20),
        *("sk_live_" + "a1" * 10, "AIza" + "a" * 35, "ya29." + "a1" * 12, "hf_" + "a1" * 16),
        *("npm_" + "a1" * 18, "bwt_" + "x" * 43, "bwc_" + "x" * 43, "bwo_" + "x-_" * 14),
        *("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "whsec_" + "a1" * 16),
        *("SG." + "a1" * 11 + "." + "b2" * 20, "dop_v1_" + "a1" * 32, "12345678:AA" + "b" * 33),
    ],
    "private-key": [
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n\nMII=\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n" + "b3BlbnNzaC1rZXktdjE" * 3,
        "AGE-SECRET-KEY-1" + "Q" * 58,
    ],
}
CASES = [(id, text) for id, texts in FOUND.items() for text in texts]


def test_every_kind_has_examples():
    assert FOUND.keys() == {kind.id for kind in KINDS}


@pytest.mark.parametrize(
    ("id", "text"), CASES, ids=[f"{id}-{n}" for n, (id, _) in enumerate(CASES)]
)
def test_what_is_meant_is_taken_out(id: str, text: str):
    for before, after in (("", ""), ("It is ", "."), ("(", ")"), ('"', '", '), ("é:\n", "\nthen")):
        if (id, before) == ("phone", "("):
            continue
        assert redacted(id, f"{before}{text}{after}") == f"{before}<{id}>{after}"
    assert redacted(id, f"{text}, {text}") == f"<{id}>, <{id}>"


@pytest.mark.parametrize(
    ("id", "text", "expected"),
    [
        ("key", "aws_secret_access_key = " + "a1/+" * 10, "aws_secret_access_key = <key>"),
        ("key", "Authorization: Bearer " + "a1.b" * 6, "Authorization: Bearer <key>"),
        ("key", "postgres://me:hunter2@db/x", "postgres://me:<key>@db/x"),
        ("key", "AccountKey=" + "a1" * 43 + "==;x", "AccountKey=<key>;x"),
        (
            "key",
            "https://hooks.slack.com/services/T0/B0/" + "a1" * 12,
            "https://hooks.slack.com/services/<key>",
        ),
        ("card", "12 4111 1111 1111 1111 99", "12 <card> 99"),
        ("iban", "DE89 3704 0044 0532 0130 00 and so on", "<iban> and so on"),
        ("phone", "Tel. +49 30 1234567, fax 030 7654321.", "Tel. <phone>, fax <phone>."),
    ],
)
def test_only_what_is_meant_is_taken_out(id: str, text: str, expected: str):
    assert redacted(id, text) == expected


LEFT_ALONE = {
    "card": [
        *("4111111111111112", "1234567890123", "1700000000000", "9999999999999999"),
        *("41111111111111111111111", "x4111111111111111", "4111111111111111abc"),
        *("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "2026-11-15 09:30:00.123456", "0000000000000000"),
    ],
    "iban": [
        "DE89370400440532013001",
        "XX89370400440532013000",
        "DE89 3704",
        "ABDE89370400440532013000",
    ],
    "us-ssn": [
        *("000-12-3456", "666-12-3456", "900-12-3456", "123-00-4567", "123-45-0000"),
        *("123-45-6789-1", "1-123-45-6789"),
    ],
    "uk-nino": ["BG123456C", "AB123456E", "QQ123456C", "XAB123456C"],
    "german-tax-id": [
        *("86095742718", "12345678901", "11111111111", "01234567890", "86095742719-1"),
        "1/86095742719",
    ],
    "french-nir": ["255081416802539", "355081416802538", "2 55 08 2C 168 025 38"],
    "spanish-dni": ["12345678A", "1234567Z", "X1234567A"],
    "italian-cf": ["RSSMRA85T10A562T", "RSSMRA85Z10A562S"],
    "swiss-ahv": ["756.9217.0769.86", "755.9217.0769.85"],
    "phone": [
        *("2026-11-15", "15.11.2026", "01.02.2026 10:30", "2026-11-15T09:07:58+01:00"),
        *("2026-11-15T09:07:58.123456+0100", "1,234,567.89", "+1.234.567.890", "+10 000 000 €"),
        *("0.123456789", "1234567890", "0123456789", "INV-030-1234567", "10.0.12.255"),
        *("#415-555-2671", "order 415-555-26719", "030 1234567 EUR", "12:34:56", "3.14159265"),
        *("a1b2c3d4-0123-4567-8901-abcdefabcdef", "+1 2", "02/03/2026", "(415 555-2671"),
        *("(030 1234567", "01-02-2026 03-04-2026", "192.168.001.001", "50 000 000"),
    ],
    "key": [
        *("sk-learn-and-other-such-libraries", "task-force-of-the-long-evening", "AKIAIOSFODNN7"),
        *("ghp_short", "bwt_short", "https://example.com/a:b@c", "bearer of very long bad news"),
        *("eyJhbGciOiJIUzI1NiJ9.something", "xoxb-abcdefghijklmnop"),
    ],
    "private-key": ["-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----"],
}
NOT = [(id, text) for id, texts in LEFT_ALONE.items() for text in texts]


@pytest.mark.parametrize(("id", "text"), NOT, ids=[f"{id}-{n}" for n, (id, _) in enumerate(NOT)])
def test_what_only_looks_like_it_is_left_alone(id: str, text: str):
    for around in (text, f"It was {text} then", f"[{text}]"):
        assert redacted(id, around) == around


def test_out_of_the_box_all_but_phone_numbers_are_on():
    assert [kind.id for kind in KINDS if not kind.enabled] == ["phone"]
    text = f"{CARD} and +49 30 1234567"
    assert OUT_OF_THE_BOX.text(text)[0] == "<card> and +49 30 1234567"


def test_ordinary_words_stay_as_they_are():
    words = (
        "Dear Ms Gray, the meeting of 15 November 2026 at 9:30 is in room 4.12. The offer "
        "(no. 2026-004711) comes to 12,345.60 EUR; see https://example.com/o/8c1f2b9e-1 "
        "or version 10.4.17. Commit 9f86d081884c7d659a2feaa0c55ad015 is fine, uuid "
        "123e4567-e89b-12d3-a456-426614174000 too. Ids: thr-4fk29dm1x0aa, 1731661678123."
    )
    assert ALL.text(words) == (words, {})
    assert ALL.value({"words": [words]})[0] == {"words": [words]}


def test_nested_json_is_redacted_with_its_keys_and_numbers():
    value = {
        "a": [{"note": f"card {CARD}", "fine": 1}, "x"],
        "DE89370400440532013000": {"balance": 5},
        "number": 4111111111111111,
        "count": 12345678901,
        "flag": True,
        "none": None,
        "rate": 0.5,
    }
    before = json.dumps(value)
    made, changed = ALL.value(value)
    assert made == {
        "a": [{"note": "card <card>", "fine": 1}, "x"],
        "<iban>": {"balance": 5},
        "number": "<card>",
        "count": 12345678901,
        "flag": True,
        "none": None,
        "rate": 0.5,
    }
    assert changed == ["a.0.note", "<iban>", "number"]
    assert json.dumps(value) == before


def test_a_plain_text_is_a_value_too():
    assert ALL.value(CARD) == ("<card>", [""])
    assert ALL.value("clean") == ("clean", [])
    assert ALL.value(None) == (None, [])
    assert ALL.value((CARD,)) == (["<card>"], ["0"])


def test_clean_data_comes_back_as_it_is():
    value = {"a": ["b", {"c": 1}]}
    assert ALL.value(value)[0] is value
    assert Redactor.compile([]).value(CARD) == (CARD, [])
    assert Redactor.compile([]).text(CARD)[0] == CARD


def test_keys_that_become_the_same_do_not_swallow_each_other():
    value = {CARD: 1, "5555555555554444": 2, "378282246310005": 3}
    made, changed = ALL.value(value)
    assert made == {"<card>": 1, "<card> (2)": 2, "<card> (3)": 3}
    assert changed == list(made)


def test_what_is_nested_too_deep_is_taken_out_whole():
    value: Any = CARD
    for _ in range(DEEPEST + 1):
        value = [value]
    made, changed = ALL.value(value)
    assert CARD not in str(made)
    assert TOO_DEEP in str(made)
    assert changed == [".".join("0" * DEEPEST)]
    fine: Any = "x"
    for _ in range(DEEPEST):
        fine = {"a": fine}
    assert ALL.value(fine) == (fine, [])
    endless = json.loads('{"a":' * 900 + "1" + "}" * 900)
    assert TOO_DEEP in str(ALL.value(endless)[0])


def test_own_patterns_are_taken_out_as_written():
    redactor = Redactor.compile([own(r"PRJ-[0-9]+", r"\0 \1 <p>")])
    assert redactor.text("é PRJ-17 and PRJ-4") == (r"é \0 \1 <p> and \0 \1 <p>", {"Own": 2})
    assert Redactor.compile([own("x", enabled=False)]).text("x")[0] == "x"
    assert Redactor.compile([own("pass: ([a-z]+)")]).text("pass: abc")[0] == "pass: <own>"


@pytest.mark.parametrize("pattern", ["^secret", "secret$", r"\Asecret\z", "(?m)^secret$"])
def test_a_pattern_that_asks_for_the_ends_of_a_text_works_within_json(pattern: str):
    redactor = Redactor.compile([own(pattern)])
    value = {"a": "first", "b": ["secret", "no secret here"], "z": "last"}
    assert redactor.value(value) == (
        {"a": "first", "b": ["<own>", "no secret here"], "z": "last"},
        ["b.0"],
    )
    assert redactor.value({}) == ({}, [])


def test_where_two_patterns_overlap_both_are_covered():
    rows = [own("abcd", "<1>", name="One"), own("cdef", "<2>", name="Two")]
    assert Redactor.compile(rows).text("xabcdefx abcd cdef") == (
        "x<1>x <1> <2>",
        {"One": 2, "Two": 1},
    )
    inside = [own("b", "<1>", name="One"), own("abc", "<2>", name="Two")]
    assert Redactor.compile(inside).text("abc") == ("<2>", {"Two": 1})


def test_text_that_is_no_valid_unicode_survives():
    text = f"\ud800 {CARD} \udfff"
    assert ALL.text(text)[0] == "\ud800 <card> \udfff"
    assert ALL.value([text, "\x00"]) == (["\ud800 <card> \udfff", "\x00"], ["0"])


def test_a_kind_that_this_version_does_not_know_is_passed_over():
    row = RedactionPattern(id="red-1", name="New", builtin="new", replacement="", enabled=True)
    assert Redactor.compile([row]).finders == []


def test_a_single_pattern_can_be_tried():
    pattern = Redactor.compile([own("a+")]).finders[0].pattern
    assert Redactor.of_one(pattern).text("baab")[0] == "b[REDACTED]b"


@pytest.mark.parametrize(
    "piece",
    [
        *("4", "4 ", "4444 ", "4111 1111 1111 1111 ", "-----BEGIN PRIVATE KEY-----", "DE89 "),
        *("+49 30 ", "a", "eyJ", "0 1 ", "://a:", "sk-", "AB12", "030 1"),
    ],
)
def test_long_and_nasty_text_is_still_read(piece: str):
    size = 200_000
    text = (piece * (size // len(piece)))[:size]
    ALL.value({"text": text})


def test_a_number_hidden_in_much_text_is_found():
    words = random.Random(7).choices(["alpha", "beta", "12", "gamma-3", "x.y"], k=200_000)
    words[150_000] = "5555555555554444"
    text, counts = ALL.text(" ".join(words))
    assert counts == {"Payment cards": 1}
    assert "5555555555554444" not in text
