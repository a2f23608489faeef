"""Days and spans of days as people write them."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.offline import days

pytestmark = pytest.mark.req("MODEL-02")
WEDNESDAY = date(2026, 11, 11)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by 2026-12-03", "2026-12-03"),
        ("on 3.12.2026", "2026-12-03"),
        ("12 March", "2027-03-12"),
        ("the 12th of March 2028", "2028-03-12"),
        ("March 12, 2028", "2028-03-12"),
        ("on 1 November", "2026-11-01"),
        ("today", "2026-11-11"),
        ("tomorrow", "2026-11-12"),
        ("the day after tomorrow", "2026-11-13"),
        ("yesterday", "2026-11-10"),
        ("on Friday", "2026-11-13"),
        ("this Friday", "2026-11-13"),
        ("next Friday", "2026-11-20"),
        ("next Monday", "2026-11-16"),
        ("on Wednesday", "2026-11-18"),
        ("in 3 days", "2026-11-14"),
        ("in two weeks", "2026-11-25"),
        ("next week", "2026-11-16"),
        ("by the end of the month", "2026-11-30"),
        ("by the end of the week", "2026-11-13"),
    ],
)
def test_a_day_is_understood(text: str, expected: str):
    assert days.first(f"Call Bo {text}, please", WEDNESDAY) == date.fromisoformat(expected)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("last week", "2026-11-02", "2026-11-08"),
        ("this week", "2026-11-09", "2026-11-15"),
        ("next week", "2026-11-16", "2026-11-22"),
        ("the past month", "2026-10-01", "2026-10-31"),
        ("the last 3 days", "2026-11-08", "2026-11-11"),
        ("since Monday", "2026-11-09", "2026-11-11"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("from December", "2025-12-01", "2025-12-31"),
        ("yesterday", "2026-11-10", "2026-11-10"),
        ("this year", "2026-01-01", "2026-12-31"),
    ],
)
def test_a_span_of_days_is_understood(text: str, first: str, last: str):
    found = days.period(f"Sum up the notes {text}", WEDNESDAY)

    assert found
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)


@pytest.mark.parametrize("text", ["2026-13-40", "31 February 2026", "99th of May", "v1.2.3", ""])
def test_what_is_no_day_is_none(text: str):
    assert days.first(text, WEDNESDAY) is None


@given(st.text(max_size=60), st.dates())
@settings(max_examples=100)
def test_any_text_on_any_day_is_read(text: str, today: date):
    for words in (text, f"last month {text} next week {text} in 999 months"):
        days.mentioned(words, today)
        days.period(words, today)
        days.without(words, today)
