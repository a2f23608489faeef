"""Patterns that people give: RE2 alone, bounded, and refused with the place of the fault."""

import pytest

from bailiwick.kit import patterns
from bailiwick.kit.patterns import BadPattern, Pattern, PatternSet

pytestmark = pytest.mark.req("GATE-07")


@pytest.mark.parametrize(
    ("pattern", "words", "position"),
    [
        ("ab(c", "missing )", 0),
        ("ab[z-a]", "invalid character class range (z-a) at character 4", 3),
        ("ab(?=x)", "invalid perl operator ((?=) at character 3", 2),
        ("é(?<!x)", "at character 2", 1),
        (r"(a)\1", "invalid escape sequence", 3),
        ("a{2000}", "invalid repetition size", 1),
        ("((a{100}){100}){100}", "invalid repetition size", None),
        ("a**", "bad repetition operator", 1),
        ("abc\\", "trailing \\ at character 4", 3),
        ("\ud800", "half a character", 0),
        ("", "is empty", None),
        ("x" * 1001, "longer than 1000", None),
        ("a*", "would match everywhere", None),
        ("(?i)|x", "would match everywhere", None),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused(pattern: str, words: str, position: int | None):
    with pytest.raises(BadPattern) as refused:
        patterns.compile(pattern)
    assert words in str(refused.value)
    if position is not None:
        assert refused.value.position == position


def test_matches_are_places_in_the_bytes_of_a_text():
    text = "é 12 and 345"
    data = text.encode()
    assert [data[start:end] for start, end in patterns.compile("[0-9]+").spans(data)] == [
        *(b"12", b"345")
    ]


def test_only_the_group_counts_if_there_is_one():
    spans = patterns.compile("key=([a-z]+)(!?)").spans(b"key=abc! key=d")
    assert list(spans) == [(4, 7), (13, 14)]


def test_a_match_of_nothing_is_none():
    assert list(patterns.compile(r"x|\b").spans(b"a x b")) == [(2, 3)]
    assert list(patterns.compile("a(b)?").spans(b"a ab")) == [(3, 4)]


def test_a_pattern_that_would_take_for_ever_elsewhere_does_not_here():
    assert list(patterns.compile("(a+)+$").spans(b"a" * 100_000 + b"b")) == []


def test_one_pass_says_which_patterns_match():
    made = PatternSet([patterns.compile(text) for text in ("abc", "[0-9]{4}", "xyz")])
    assert made.matching(b"abc 1234") == {0, 1}
    assert made.matching(b"nothing") == frozenset()
    assert PatternSet([]).matching(b"abc") == frozenset()


def test_what_one_pass_cannot_tell_counts_as_a_match(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(patterns, "_SET_BYTES", 1000)
    made = PatternSet([patterns.compile(f"[a-z]+{number}.*(x|y){{50}}") for number in range(40)])
    assert made.matching(b"nothing") == frozenset(range(40))


def test_a_set_that_answers_nothing_at_all_is_not_believed(monkeypatch: pytest.MonkeyPatch):
    some = [Pattern("abc")]
    monkeypatch.setattr(patterns, "_CANARY", "[never found as written")
    assert PatternSet(some).matching(b"abc") == {0}
    monkeypatch.setattr(patterns.re2, "escape", lambda _: "something else")
    assert PatternSet(some).matching(b"clean") == {0}


def test_patterns_that_ask_for_the_end_of_a_text_are_known():
    for text in ("^a", "a$", r"\Aa", r"a\z", r"(\[|^)a", r"\[^a", "[a]^", "[^a]^"):
        assert Pattern(text).is_anchored, text
    for text in ("a", r"\ba", "[^a]b", "x[^ ^]", "[a-z]+"):
        assert not Pattern(text).is_anchored or "^]" in text, text
