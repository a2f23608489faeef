"""Which directors get a mail: Python's `re` in a loop, a bare RE2 set, and ours, in one run.

Filters as people write them, over mails of about 3 KB. All of it is work of one thread, so it is
the processor's time that is given. The answers of all three are compared first.
"""

import random
import re
import statistics
import string
import time
from collections.abc import Callable
from typing import Any

import re2

from bailiwick.mail.filters.compiled import CompiledFilters, FilterEntry
from bailiwick.mail.filters.fields import ATTRIBUTES, FieldName, Fields, data_of

ROUNDS = 7
CHANCE = random.Random(5)
WORDS = [
    "".join(CHANCE.choices(string.ascii_lowercase, k=CHANCE.randint(2, 9))) for _ in range(800)
]


def made(number: int) -> FilterEntry:
    """What people write: most look at the sender or the subject, some at the body."""
    word, other = WORDS[number % len(WORDS)], WORDS[(number * 7 + 3) % len(WORDS)]
    field, pattern = [
        ("From", rf"client{number}[0-9]*@{word}\.com"),
        ("Subject", rf"\b({word}|{other})\b.*urgent"),
        ("Subject", rf"^(re|fwd): .*{word}{number}"),
        ("To", rf"{word}\+{other}@example\.com"),
        ("Body", rf"invoice (no\.? )?{number}[0-9]{{2,6}}"),
        ("From", rf"@({word}|{other})\.(com|org|net)>?$"),
        ("Body", rf"{word} {other} {word}"),
        ("CC", rf"team-{word}@"),
        ("Date", "Tuesday 14" if number % 80 == 8 else rf"2031-{number % 12 + 1:02}-0[1-7]"),
        ("Subject", rf"{word}"),
    ][number % 10]
    return FilterEntry(field, pattern, f"agt-{number % 25}", id=f"flt-{number}")


def mail(number: int) -> Fields:
    body = " ".join(CHANCE.choices(WORDS, k=500))
    return Fields(
        sender=f"Ann Other <client{number}7@{CHANCE.choice(WORDS)}.com>",
        to="Me <me@example.com>, Someone Else <someone.else@example.com>",
        cc="",
        subject=" ".join(CHANCE.choices(WORDS, k=7)) + (" urgent" if number % 3 == 0 else ""),
        body=f"{body} invoice no. {number}123 {body[:300]}",
        date="2026-03-31 Tuesday 14:05",
        account_id="acc-1",
    )


MAILS = [mail(number) for number in range(40)]
Route = Callable[[Fields], list[str]]


def by_loop(filters: list[FilterEntry]) -> Route:
    compiled = [
        (ATTRIBUTES[each.field], re.compile(each.pattern, re.IGNORECASE), each.director_id)  # pyright: ignore[reportArgumentType]
        for each in filters
    ]

    def route(fields: Fields) -> list[str]:
        found = [
            director for name, each, director in compiled if each.search(getattr(fields, name))
        ]
        return list(dict.fromkeys(found))

    return route


def by_set(filters: list[FilterEntry]) -> Route:
    """The floor: sets and nothing around them."""
    sets: list[tuple[FieldName, Any, list[int]]] = []
    for field in ATTRIBUTES:
        options = re2.Options()
        options.max_mem, options.case_sensitive = 64 << 20, False
        numbers = [n for n, each in enumerate(filters) if each.field == field]
        bare = re2.Set.SearchSet(options)
        for number in numbers:
            bare.Add(filters[number].pattern)
        bare.Compile()
        sets.append((field, bare, numbers))

    def route(fields: Fields) -> list[str]:
        found: list[int] = []
        for field, bare, numbers in sets:
            found += [numbers[place] for place in bare.Match(data_of(fields, field)) or ()]
        return list(dict.fromkeys(filters[number].director_id for number in sorted(found)))

    return route


def by_book(filters: list[FilterEntry]) -> Route:
    book = CompiledFilters(filters)
    return lambda fields: [match.director_id for match in book.route(fields)]


def microseconds(route: Route, repeat: int) -> float:
    """The median of several rounds, for one mail."""
    found = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for number in range(repeat):
            route(MAILS[number % len(MAILS)])
        found.append((time.process_time() - started) / repeat * 1e6)
    return statistics.median(found)


def measured(count: int) -> tuple[float, float]:
    filters = [made(number) for number in range(count)]
    started = time.process_time()
    ours = by_book(filters)
    ours(MAILS[0])
    compiled = time.process_time() - started
    loop, bare = by_loop(filters), by_set(filters)
    answers = [ours(each) for each in MAILS]
    assert answers == [loop(each) for each in MAILS] == [bare(each) for each in MAILS]
    hits = sum(map(len, answers)) / len(answers)
    looped, floor = microseconds(loop, max(4000 // count, 4)), microseconds(bare, 400)
    spent = microseconds(ours, 400)
    print(
        f"{count:>6,} filters, {hits:.1f} directors a mail   re loop {looped:9.1f} µs   "
        f"RE2 set {floor:6.1f} µs   ours {spent:6.1f} µs   {looped / spent:.0f} times the loop   "
        f"compiled in {compiled * 1e3:.0f} ms"
    )
    return spent, looped / spent


def main() -> None:
    hundred, _ = measured(100)
    _, times = measured(1000)
    print(f"100 filters {hundred:.1f} µs (to reach 60); 1,000: {times:.0f} times (to reach 50)")


if __name__ == "__main__":
    main()
