"""Sets of UIDs behave as sets do, however they are cut into ranges."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bailiwick.connectors import utf7
from bailiwick.connectors.imap import names
from bailiwick.connectors.imap.uids import Uids

pytestmark = pytest.mark.req("MAIL-01")
numbers = st.sets(st.integers(1, 60))


@given(numbers, numbers)
def test_ranges_are_sets(one: set[int], two: set[int]) -> None:
    first, second = Uids.of(one), Uids.of(two)
    assert list(first) == sorted(one)
    assert list(reversed(first)) == sorted(one, reverse=True)
    assert set(first | second) == one | two
    assert set(first & second) == one & two
    assert set(first - second) == one - two
    assert len(first) == len(one)
    assert all((number in first) == (number in one) for number in range(70))
    assert Uids.parse(str(first)) == first
    assert (first | second) == Uids.of(one | two), "one set has one form"


@pytest.mark.parametrize("text", ["1:", "a", "1,,2", "*", "1:*", "12345678901", " 1"])
def test_what_is_no_set_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="set of UIDs"):
        Uids.parse(text)


@example('a "b" \\c')
@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_names_go_to_the_wire_and_back(text: str) -> None:
    raw = text.encode()
    kept = names.wire(raw)
    assert kept.isprintable()
    assert kept.isascii()
    sent = names.on_wire(kept)
    if isinstance(sent, names.Literal):
        assert sent.data == raw
    else:
        assert not set(raw) & set(b"\r\n\0")
        assert re.fullmatch(rb'"(?:[^"\\]|\\.)*"', sent), "one string, and nothing behind it"
        assert re.sub(rb"\\(.)", rb"\1", sent[1:-1]) == raw


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
def test_labels_become_keywords_that_cannot_be_anything_else(text: str) -> None:
    keyword = names.keyword(text)
    assert keyword.isascii()
    assert not set(keyword) & set(' (){%*"\\]\r\n\0')
    shown = " ".join(text.replace("_", " ").split())
    assert " ".join(utf7.decoded(keyword).replace("_", " ").split()) == shown
