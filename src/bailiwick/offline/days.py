"""Days as people write them: 2026-03-12, 12 March, tomorrow, next Friday, last week."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from bailiwick.offline.text import listed

_MONTHS = listed(
    "january february march april may june july august september october november december"
)
_WEEKDAYS = listed("monday tuesday wednesday thursday friday saturday sunday")
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?"
_NUMBERS = {
    name: number
    for number, name in enumerate(
        listed("zero one two three four five six seven eight nine ten eleven twelve")
    )
}
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}|a|an)"
_ISO = re.compile(r"(?<!\d)(?P<year>\d{4})[-/_.](?P<month>\d{1,2})[-/_.](?P<day>\d{1,2})(?!\d)")
_LOCAL = re.compile(r"(?<![\d.])(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>\d{4})(?!\d)")
_NAMED = (
    re.compile(rf"\b{_DAY}(?:\s+of)?\s+{_MONTH}\b(?:,?\s+(?P<year>\d{{4}}))?", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}\s+{_DAY}(?!\d)(?:,?\s+(?P<year>\d{{4}}))?", re.IGNORECASE),
)
_RELATIVE = re.compile(
    r"\b(?:(?P<fixed>day after tomorrow|today|tonight|tomorrow|yesterday)"
    rf"|in\s+{_COUNT}\s+(?P<unit>day|week|month)s?"
    rf"|(?P<which>this|next|coming|on|by|until|till|before|due)\s+(?:the\s+)?"
    rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
    rf"|(?P<bare>{'|'.join(_WEEKDAYS)})"
    r"|(?P<end>(?:by\s+)?(?:the\s+)?end\s+of\s+(?:the\s+|this\s+)?(?P<of>week|month|year))"
    r"|(?P<next>next\s+(?P<span>week|month)))\b",
    re.IGNORECASE,
)
_FIXED = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2}
_PERIOD = re.compile(
    rf"\b(?:(?P<which>last|past|previous|this|current|next|coming)\s+(?P<span>week|month|year)"
    rf"|(?:the\s+)?(?:last|past)\s+(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})\s+(?P<unit>day|week|"
    rf"month)s?"
    rf"|since\s+(?P<since>{'|'.join(_WEEKDAYS)})"
    rf"|(?P<fixed>today|yesterday|tomorrow)"
    rf"|(?:in|from|of|during)\s+(?P<month>{'|'.join(_MONTHS)})(?:\s+(?P<year>\d{{4}}))?)\b",
    re.IGNORECASE,
)
_DAYS_OF = {"day": 1, "week": 7, "month": 30}


@dataclass(frozen=True, slots=True)
class Period:
    """From a day to a day, both of them in it; and the words that named it."""

    first: date
    last: date
    said: str

    def holds(self, day: date) -> bool:
        """Whether a day is in it."""
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A day, and the words that named it."""

    day: date
    said: str


def mentioned(text: str, today: date | None = None) -> list[Mentioned]:
    """Every day that a text names, in its order; those that depend on today only if it is known."""
    found = [*_written(text, today)]
    if today:
        found += _meant(text, today)
    kept: list[tuple[int, Mentioned]] = []
    for start, each in sorted(found, key=lambda pair: (pair[0], -len(pair[1].said))):
        if not kept or start >= kept[-1][0] + len(kept[-1][1].said):
            kept.append((start, each))
    return [each for _, each in kept]


def first(text: str, today: date | None = None) -> date | None:
    """The first day that a text names."""
    return next((each.day for each in mentioned(text, today)), None)


def period(text: str, today: date | None) -> Period | None:
    """The span of days that a text speaks of."""
    match = _PERIOD.search(text) if today else None
    if not match or not today:
        return None
    try:
        start, end = _span(match, today)
    except (ValueError, OverflowError):
        return None  # before the first year, or after the last
    return Period(start, end, " ".join(match.group().split()))


def without(text: str, today: date | None = None) -> str:
    """A text without the days and spans that it names."""
    for each in mentioned(text, today):
        text = text.replace(each.said, " ", 1)
    return " ".join(_PERIOD.sub(" ", text).split())


def _written(text: str, today: date | None) -> Iterator[tuple[int, Mentioned]]:
    for pattern in (_ISO, _LOCAL, *_NAMED):
        for match in pattern.finditer(text):
            if day := _date(match.groupdict(), today):
                yield match.start(), Mentioned(day, match.group())


def _date(parts: dict[str, str | None], today: date | None) -> date | None:
    name = (parts["month"] or "").lower()
    month = int(name) if name.isdigit() else _month(name)
    year = parts.get("year")
    if not year and not today:
        return None
    try:
        made = date(int(year) if year else today.year, month, int(parts["day"] or 0))  # pyright: ignore[reportOptionalMemberAccess]
        # A day without a year is the next one, unless it was only just now.
        if not year and today and made < today - timedelta(days=90):
            made = made.replace(year=made.year + 1)
    except ValueError:
        return None
    return made


def _month(name: str) -> int:
    return next((n for n, each in enumerate(_MONTHS, 1) if each.startswith(name[:3])), 0)


def _meant(text: str, today: date) -> Iterator[tuple[int, Mentioned]]:
    for match in _RELATIVE.finditer(text):
        try:
            yield match.start(), Mentioned(_counted(match, today), match.group())
        except (ValueError, OverflowError):
            continue


def _counted(match: re.Match[str], today: date) -> date:
    if fixed := match["fixed"]:
        return today + timedelta(days=_FIXED[" ".join(fixed.lower().split())])
    if match["unit"]:
        return today + timedelta(days=_number(match["count"]) * _DAYS_OF[match["unit"].lower()])
    if name := match["weekday"] or match["bare"]:
        ahead = (_WEEKDAYS.index(name.lower()) - today.weekday() - 1) % 7 + 1
        # "Next Friday" is not the Friday of this week.
        is_next = (match["which"] or "").lower() == "next" and today.weekday() + ahead < 7
        return today + timedelta(days=ahead + 7 * is_next)
    if match["end"]:
        return _end_of(match["of"].lower(), today)
    span = match["span"].lower()
    return today + timedelta(days=7 - today.weekday()) if span == "week" else _next_month(today)


def _end_of(span: str, today: date) -> date:
    if span == "week":
        return today + timedelta(days=(4 - today.weekday()) % 7)
    if span == "month":
        return _next_month(today) - timedelta(days=1)
    return date(today.year, 12, 31)


def _next_month(today: date) -> date:
    return (today.replace(day=1) + timedelta(days=32)).replace(day=1)


def _span(match: re.Match[str], today: date) -> tuple[date, date]:
    if fixed := match["fixed"]:
        day = today + timedelta(days=_FIXED[fixed.lower()])
        return day, day
    if match["unit"]:
        back = _number(match["count"]) * _DAYS_OF[match["unit"].lower()]
        return today - timedelta(days=back), today
    if match["since"]:
        back = (today.weekday() - _WEEKDAYS.index(match["since"].lower()) - 1) % 7 + 1
        return today - timedelta(days=back), today
    if match["month"]:
        return _whole_month(_month(match["month"].lower()), match["year"], today)
    return _around(match["which"].lower(), match["span"].lower(), today)


def _whole_month(month: int, year: str | None, today: date) -> tuple[date, date]:
    start = date(int(year) if year else today.year, month, 1)
    if not year and start > today:
        start = start.replace(year=start.year - 1)
    return start, _next_month(start) - timedelta(days=1)


def _around(which: str, span: str, today: date) -> tuple[date, date]:
    step = -1 if which in ("last", "past", "previous") else 1 if which in ("next", "coming") else 0
    if span == "week":
        start = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        return start, start + timedelta(days=6)
    if span == "year":
        return date(today.year + step, 1, 1), date(today.year + step, 12, 31)
    months = today.year * 12 + today.month - 1 + step
    start = date(months // 12, months % 12 + 1, 1)
    return start, _next_month(start) - timedelta(days=1)


def _number(text: str) -> int:
    return _NUMBERS.get(text.lower(), 1) if not text.isdigit() else int(text)
