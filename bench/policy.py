"""What a decision of the rules costs, beside datalogic-py asked rule by rule, in one run.

Then what redaction costs: a clean text of 2 KB, one with a card in it, and 10 MB. All of it is work
of one thread, so it is the processor's time that is given.
"""

import random
import statistics
import string
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from datalogic_py import DataHandle, Engine

from bailiwick.gate.models import RedactionPattern, Rule
from bailiwick.gate.redactions.kinds import KINDS
from bailiwick.gate.redactions.redactor import Redactor
from bailiwick.gate.rules.book import RuleBook
from bailiwick.tools.effects import EFFECTS

ROUNDS = 7
NOW = datetime(2026, 1, 1, tzinfo=UTC)
CHANCE = random.Random(11)


def var(path: str) -> dict[str, str]:
    return {"var": path}


def condition(number: int) -> Any:
    """What people write: most rules name a tool or an effect, and some more."""
    more = [
        {"in": [f"rival{number}.example", var("args.to")]},
        {">": [var("run.steps"), 50 + number]},
        {"==": [var("caller.name"), f"agent {number}"]},
        {"some": [var("recipients.new"), {"==": [var(""), f"x{number}@example.com"]}]},
    ][number % 4]
    if number % 10 < 7:
        return {"and": [{"==": [var("tool"), f"tool_{number // 10}"]}, more]}
    effect = {"in": [var("effect"), [EFFECTS[number % len(EFFECTS)]]]}
    # One in ten is bound to nothing, up to a hundred of them.
    return more if number % 10 == 9 and number < 1000 else {"and": [effect, more]}


def rules(count: int) -> list[Rule]:
    """So many rules, and a last one that allows the rest."""
    made = [
        Rule(id=f"rul-{n}", name=f"Rule {n}", action="BLOCK", condition=condition(n), fields=[])
        for n in range(count - 1)
    ]
    made.append(Rule(id="rul-z", name="Rest", action="ALLOW", condition=True, fields=[]))
    for number, rule in enumerate(made):
        rule.priority, rule.enabled, rule.created_at = count - number, True, NOW
        if number % 10 == 8 and count > 1000:
            rule.workspace_id = f"wsp-{number % 500}"
    return made


def call(number: int) -> dict[str, Any]:
    return {
        "tool": f"tool_{number}",
        "effect": EFFECTS[number % len(EFFECTS)],
        "args": {"to": "someone@example.com", "subject": "Hello", "body": "Some words. " * 20},
        "connector": "mail",
        "account": {"id": "acc-1", "address": "me@example.com", "primary": True},
        "caller": {"kind": "agent", "name": "Ada", "version": "1"},
        "user": {"id": "usr-1", "roles": ["user"]},
        "agent": {"id": "agt-1", "name": "Ada", "kind": "assistant"},
        "workspace": "wsp-8",
        "run": {"id": "run-1", "tainted": False, "steps": 3, "sources": []},
        "recipients": {"all": ["someone@example.com"], "new": ["someone@example.com"]},
        "time": {"hour": 9, "weekday": 1, "iso": "2026-01-01T09:00:00Z"},
        "cost": {"tokens": 1000, "money": 0.01},
    }


CALLS = [call(number) for number in range(10)]


def microseconds(ask: Callable[[dict[str, Any]], Any], repeat: int) -> float:
    """The median of several rounds, for one call."""
    found = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for number in range(repeat):
            ask(CALLS[number % len(CALLS)])
        found.append((time.process_time() - started) / repeat * 1e6)
    return statistics.median(found)


def one_by_one(given: list[Rule]) -> Callable[[dict[str, Any]], str]:
    """datalogic-py with a shared data handle, first match wins."""
    engine = Engine()
    compiled = [
        (rule.id, rule.workspace_id, engine.compile({"!!": [rule.condition]})) for rule in given
    ]

    def ask(facts: dict[str, Any]) -> str:
        handle = DataHandle(facts)
        for id, workspace_id, rule in compiled:
            if workspace_id in (None, facts["workspace"]) and rule.evaluate_data(handle):
                return id
        raise AssertionError

    return ask


def decisions(count: int, repeat: int) -> float:
    given = rules(count)
    started = time.process_time()
    book = RuleBook.compile(given, 1)
    compiled = time.process_time() - started
    started = time.process_time()
    ask = one_by_one(given)
    assert [book.decide(facts).rule_id for facts in CALLS] == [ask(facts) for facts in CALLS]
    cold = (time.process_time() - started) / len(CALLS)
    ours = microseconds(book.decide, repeat)
    theirs = microseconds(ask, max(repeat * 20 // count, 20))
    print(
        f"{count:>6,} rules   a decision {ours:6.1f} µs   one by one {theirs:8.1f} µs   "
        f"ratio {ours / theirs:.3f}   compiled in {compiled * 1e3:.0f} ms, "
        f"first calls at most {cold * 1e3:.0f} ms each"
    )
    return ours


def redactor() -> Redactor:
    return Redactor.compile(
        RedactionPattern(name=kind.name, builtin=kind.id, replacement="[X]", enabled=True)
        for kind in KINDS
    )


def words(length: int) -> str:
    made = (
        "".join(CHANCE.choices(string.ascii_lowercase, k=CHANCE.randint(2, 9)))
        for _ in range(length)
    )
    return " ".join(made)[:length]


def redactions() -> None:
    made = redactor()
    clean = words(2048)
    dirty = f"{clean[:1000]} 4111 1111 1111 1111 {clean[1000:]}"
    nested = {"items": [{"subject": clean[n : n + 60], "n": n} for n in range(0, 1900, 60)]}
    for name, value in (("clean", clean), ("with a card", dirty), ("clean, nested", nested)):
        spent = microseconds(lambda _, value=value: made.value(value), 300)
        print(f"redaction of 2 KB, {name:<14} {spent:6.1f} µs")
    large = words(1_000_000) * 10
    started = time.process_time()
    made.value({"text": large})
    print(f"redaction of 10 MB, clean          {(time.process_time() - started) * 1e3:.0f} ms")


def main() -> None:
    hundred = decisions(100, 5000)
    many = decisions(10_000, 2000)
    print(
        f"a decision of 100 rules {hundred:.1f} µs (to reach 30); "
        f"of 10,000 rules {many / hundred:.1f} times that (to reach 4)"
    )
    redactions()


if __name__ == "__main__":
    main()
