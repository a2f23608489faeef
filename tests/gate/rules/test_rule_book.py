"""The rule book: order, bounds, the index, and what happens when a rule cannot be evaluated."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.gate.models import Rule
from bailiwick.gate.rules import book as books
from bailiwick.gate.rules.book import RuleBook, Verdict
from bailiwick.gate.rules.facts import FACTS, unseen
from bailiwick.kit import jsonlogic

pytestmark = pytest.mark.req("GATE-05")
START = datetime(2026, 1, 1, tzinfo=UTC)
NUMBERS = count()


def var(path: str) -> dict[str, str]:
    return {"var": path}


def is_tool(*names: str) -> dict[str, Any]:
    return {"in": [var("tool"), list(names)]}


def rule(action: str = "ALLOW", condition: Any = True, **given: Any) -> Rule:
    number = next(NUMBERS)
    values = {
        "id": f"rul-{number}",
        "name": f"Rule {number}",
        "fields": [],
        "priority": 100,
        "enabled": True,
        "created_at": START + timedelta(seconds=number),
    }
    return Rule(action=action, condition=condition, **{**values, **given})


def facts(**given: Any) -> dict[str, Any]:
    return {
        "tool": "send_email",
        "effect": "send",
        "args": {"to": "a@example.com"},
        "connector": "mail",
        "workspace": "wsp-1",
        "user": {"id": "usr-1", "roles": ["user"]},
        "caller": {"kind": "agent", "name": "Ada", "version": "1"},
        "run": {"id": "run-1", "tainted": False, "steps": 1, "sources": []},
        **given,
    }


def decided(*rules: Rule, **given: Any) -> Verdict:
    return RuleBook.compile(rules, 1).decide(facts(**given))


def test_without_a_matching_rule_nothing_is_allowed():
    for rules in ([], [rule(condition=False)], [rule(enabled=False)]):
        verdict = decided(*rules)
        assert verdict.action is None
        assert verdict.rule_id is None
        assert "No rule allows this" in verdict.reason


def test_the_highest_priority_decides_and_then_the_oldest():
    low, high = rule("ALLOW", priority=1), rule("BLOCK", priority=2)
    assert decided(low, high).rule_id == high.id
    first, second = rule("ALLOW"), rule("BLOCK")
    for order in ((first, second), (second, first)):
        assert decided(*order).rule_id == first.id
    twin = rule("BLOCK", id="rul-0", created_at=first.created_at)
    assert decided(first, twin).rule_id == twin.id


@pytest.mark.parametrize(
    ("action", "words"),
    [("ALLOW", "allows"), ("BLOCK", "blocks"), ("REQUIRE_APPROVAL", "asks"), ("REDACT", "without")],
)
def test_a_verdict_says_which_rule_gave_it(action: str, words: str):
    given = rule(action, name="My rule", fields=["args.body"] if action == "REDACT" else [])
    verdict = decided(given)
    assert (verdict.action, verdict.rule_id, verdict.rule_name) == (action, given.id, "My rule")
    assert "“My rule”" in verdict.reason
    assert words in verdict.reason
    assert verdict.fields == tuple(given.fields)
    assert not verdict.failed


@pytest.mark.req("GATE-06")
@pytest.mark.parametrize(
    "condition",
    [
        {">": [var("args.to"), 1]},
        {"==": [{"/": [1, var("run.steps")]}, 1]},
        {"nope": [1]},
        {"some": []},
    ],
)
def test_a_rule_that_cannot_be_evaluated_denies(condition: Any):
    broken = rule("ALLOW", condition, name="Broken")
    verdict = decided(broken, rule("ALLOW"), run={"steps": 0})
    assert (verdict.action, verdict.rule_id, verdict.failed) == ("BLOCK", broken.id, True)
    assert "“Broken” could not be evaluated" in verdict.reason
    before = rule("ALLOW", {"==": [var("args.to"), "a@example.com"]}, priority=200)
    assert decided(broken, before, run={"steps": 0}).rule_id == before.id


def test_a_rule_about_the_tool_alone_that_fails_denies_too():
    broken = rule("ALLOW", {">": [var("tool"), 1]})
    assert decided(broken, rule()).failed


def test_facts_that_cannot_be_read_deny():
    verdict = decided(rule("ALLOW", {"==": [var("args.x"), 1]}), rule(), args={"x": b"bytes"})
    assert verdict.action == "BLOCK"
    assert verdict.failed


def test_rules_that_are_too_much_together_deny():
    data = list(range(jsonlogic.BUDGET // 3))
    rules = [rule("BLOCK", {"in": [-number, var("args.x")]}) for number in range(1, 6)]
    verdict = decided(*rules, rule(), args={"x": data})
    assert (verdict.action, verdict.failed) == ("BLOCK", True)
    assert "too much in this call" in verdict.reason
    assert decided(rules[0], rule(), args={"x": data}).action == "ALLOW"


@pytest.mark.parametrize(
    ("bound", "elsewhere"),
    [
        ({"connector": "mail"}, {"connector": "files"}),
        ({"workspace_id": "wsp-1"}, {"workspace": "wsp-2"}),
        ({"user_id": "usr-1"}, {"user": {"id": "usr-2"}}),
        ({"user_id": "usr-1"}, {"user": None}),
        ({"workspace_id": "wsp-1"}, {"workspace": None}),
    ],
)
def test_a_bound_rule_matches_only_there(bound: dict[str, Any], elsewhere: dict[str, Any]):
    for condition in (True, is_tool("send_email"), {"==": [var("effect"), "send"]}, var("args.to")):
        given = rule("ALLOW", condition, **bound)
        assert decided(given).rule_id == given.id
        assert decided(given, **elsewhere).action is None


def test_large_arguments_are_not_looked_at_unless_a_rule_does():
    # Not readable at all: whoever looks, fails.
    unreadable = {"args": {"x": object()}}
    assert decided(rule("ALLOW", var("caller.name")), **unreadable).action == "ALLOW"


def test_more_rules_than_one_chapter_keep_their_order():
    rules = [rule("BLOCK", {"==": [var("args.n"), number]}) for number in range(250)]
    book = RuleBook.compile([*rules, rule("ALLOW")], 7)
    assert book.version == 7
    for number in (0, 199, 200, 249):
        assert book.decide(facts(args={"n": number})).rule_id == rules[number].id
    assert book.decide(facts(args={"n": 250})).action == "ALLOW"


def test_pages_are_shared_and_do_not_pile_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(books, "_MOST_PAGES", 3)
    book = RuleBook.compile([rule("ALLOW", var("args.to"))], 1)
    for number in range(10):
        assert book.decide(facts(user={"id": f"usr-{number}"})).action == "ALLOW"
    assert len(book._pages) == 3
    assert len({id(page) for page in book._pages.values()}) == 1


CONDITIONS = st.recursive(
    st.one_of(
        st.booleans(),
        st.sampled_from(
            [
                is_tool("a", "b"),
                is_tool("c"),
                {"==": [var("tool"), "a"]},
                {"==": ["read", var("effect")]},
                {"in": [var("effect"), ["send", "read"]]},
                {"==": [var("connector"), "mail"]},
                {"==": [var("user.id"), "usr-1"]},
                {"==": [var("workspace"), "wsp-1"]},
                {">": [var("args.n"), 1]},
                {"==": [var("args.n"), "x"]},
            ]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"and": parts}),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"or": parts}),
        inner.map(lambda part: {"!": [part]}),
    ),
    max_leaves=5,
)
RULES = st.lists(
    st.builds(
        lambda condition, action, priority, bounds: rule(
            action, condition, priority=priority, **bounds
        ),
        CONDITIONS,
        st.sampled_from(["ALLOW", "BLOCK"]),
        st.integers(0, 3),
        st.fixed_dictionaries(
            {},
            optional={
                "connector": st.sampled_from(["mail", "files"]),
                "workspace_id": st.sampled_from(["wsp-1", "wsp-2"]),
                "user_id": st.sampled_from(["usr-1", "usr-2"]),
            },
        ),
    ),
    max_size=8,
)
CALLS = st.fixed_dictionaries(
    {
        "tool": st.sampled_from(["a", "b", "c"]),
        "effect": st.sampled_from(["read", "send", "edit"]),
        "connector": st.sampled_from(["mail", "files"]),
        "workspace": st.sampled_from(["wsp-1", "wsp-2"]),
        "user": st.sampled_from([{"id": "usr-1"}, {"id": "usr-2"}]),
        "args": st.sampled_from([{"n": 1}, {"n": 2}, {"n": "x"}, {}]),
    }
)


def one_by_one(rules: list[Rule], call: dict[str, Any]) -> tuple[str | None, str | None]:
    """What the book must say, worked out without any index."""
    for each in sorted(rules, key=lambda row: (-row.priority, row.created_at)):
        here = (
            each.connector in (None, call["connector"])
            and each.workspace_id in (None, call["workspace"])
            and each.user_id in (None, call["user"]["id"])
        )
        if here:
            try:
                if jsonlogic.compile(each.condition).truthy(call):
                    if each.action == "ALLOW" and each.workspace_id:
                        office = [one for one in rules if not one.workspace_id]
                        above = one_by_one(office, call)
                        return above if above[0] == "BLOCK" else (each.action, each.id)
                    return each.action, each.id
            except jsonlogic.Unusable:
                return "BLOCK", each.id
    return None, None


@settings(max_examples=60)
@given(RULES, st.lists(CALLS, min_size=1, max_size=5))
def test_the_index_changes_nothing_but_the_time(rules: list[Rule], calls: list[dict[str, Any]]):
    book = RuleBook.compile(rules, 1)
    for call in (*calls, *calls):
        verdict, expected = book.decide(call), one_by_one(rules, call)
        if expected[0] is not None and not verdict.failed and _fails(rules, expected[1], call):
            # A rule that needs another tool is not evaluated, so it cannot fail.
            continue
        assert (verdict.action, verdict.rule_id) == expected


def _fails(rules: list[Rule], id: str | None, call: dict[str, Any]) -> bool:
    condition = next(each.condition for each in rules if each.id == id)
    try:
        jsonlogic.compile(condition).truthy(call)
    except jsonlogic.Unusable:
        return True
    return False


CALLER = {key: value for key, value in facts().items() if key not in ("args", "run", "tool")}


def never(*rules: Rule) -> bool:
    return RuleBook.compile(rules, 1).never("send_email", CALLER)


def test_a_tool_is_never_offered_if_nothing_can_allow_it():
    assert never()
    assert never(rule("BLOCK"))
    assert never(rule("BLOCK", is_tool("send_email")), rule("ALLOW"))
    assert never(rule("BLOCK", {"==": [var("caller.name"), "Ada"]}), rule("ALLOW"))
    assert never(rule("ALLOW", is_tool("other")))
    # It blocks, or it leaves it to the next, which blocks.
    assert never(rule("BLOCK", var("args.to")), rule("BLOCK"))
    assert never(rule("ALLOW", {">": [var("caller.name"), 1]}))


def test_a_tool_is_never_offered_by_a_workspaces_rule_that_the_offices_take_back():
    narrow = rule("ALLOW", workspace_id=CALLER["workspace"], priority=900)
    by_arguments = rule("ALLOW", var("args.to"), workspace_id=CALLER["workspace"], priority=900)
    assert never(narrow, rule("BLOCK"))
    assert never(narrow, rule("BLOCK", {"==": [var("caller.name"), "Ada"]}), rule("ALLOW"))
    assert never(narrow, rule("BLOCK", var("args.to")), rule("BLOCK"))
    assert never(by_arguments, rule("BLOCK"))
    assert never(narrow, rule("ALLOW", {">": [var("caller.name"), 1]}))
    assert not never(narrow)
    assert not never(narrow, rule("REQUIRE_APPROVAL"), rule("BLOCK"))
    assert not never(narrow, rule("BLOCK", var("args.to")))
    assert not never(by_arguments, rule("BLOCK", {"==": [var("caller.name"), "Bob"]}))


@settings(max_examples=60)
@given(RULES, CALLS)
def test_what_is_never_offered_is_never_done(rules: list[Rule], call: dict[str, Any]):
    book = RuleBook.compile(rules, 1)
    known = {key: value for key, value in call.items() if key not in ("args", "run", "tool")}
    if book.never(call["tool"], known):
        assert book.decide(call).action in ("BLOCK", None)


def test_a_tool_is_offered_if_the_arguments_may_decide():
    assert not never(rule("ALLOW"))
    assert not never(rule("REQUIRE_APPROVAL"), rule("BLOCK"))
    assert not never(rule("REDACT", fields=["args.x"]))
    assert not never(rule("ALLOW", var("args.to")), rule("BLOCK"))
    assert not never(rule("ALLOW", var("run.tainted")), rule("BLOCK"))
    assert not never(rule("BLOCK", {"==": [var("caller.name"), "Bob"]}), rule("ALLOW"))
    assert not never(rule("BLOCK", var("args.to")), rule("ALLOW"))


def test_the_rules_that_were_asked_are_shown_up_to_the_one_that_decides():
    rules = [
        rule("BLOCK", is_tool("other")),
        rule("BLOCK", workspace_id="wsp-2"),
        rule("ALLOW", var("args.to")),
        rule("ALLOW"),
    ]
    book = RuleBook.compile(rules, 1)
    seen = [(entry.id, holds) for entry, holds in book.looked_at(facts())]
    assert seen == [(rules[0].id, False), (rules[2].id, True)]
    failing = RuleBook.compile([rule("ALLOW", {">": [var("args.to"), 1]}), rule()], 1)
    assert [holds for _, holds in failing.looked_at(facts())] == [None]
    nothing = RuleBook.compile([rule(condition=False)], 1)
    assert [holds for _, holds in nothing.looked_at(facts())] == [False]


def test_only_the_named_facts_can_be_looked_at():
    for root, parts in FACTS.items():
        assert unseen(root) is None
        for part in parts or ():
            assert unseen(f"{root}.{part}") is None
    assert unseen("args.anything.at.all") is None
    assert unseen("user.roles.0") is None
    for path, words in (
        ("", "no ''"),
        ("secrets", "no 'secrets'"),
        ("tool.name", "no 'tool.name'"),
        ("account.adress", "account.address"),
    ):
        assert words in str(unseen(path)), path


@pytest.mark.req("GATE-05", "GATE-22")
@pytest.mark.parametrize("held", ["BLOCK", "REQUIRE_APPROVAL"])
@pytest.mark.parametrize("lifted", ["ALLOW", "REDACT"])
def test_what_a_workspace_lets_pass_lifts_nothing_that_the_office_holds_back(held, lifted):
    above = rule(held, priority=1)
    below = rule(lifted, priority=9, workspace_id="wsp-1", fields=["args.x"])
    book = RuleBook.compile([below, above], 1)
    call = facts(workspace="wsp-1")
    assert book.decide(call).rule_id == above.id
    assert [each.id for each, _ in book.looked_at(call)] == [below.id, above.id]
    # It adds to what the office lets pass, and what it holds back itself comes first as before.
    open_office = rule("ALLOW", priority=1)
    assert RuleBook.compile([below, open_office], 1).decide(call).rule_id == below.id
    assert RuleBook.compile([below], 1).decide(call).rule_id == below.id
    strict = rule("BLOCK", priority=10, workspace_id="wsp-1")
    assert RuleBook.compile([strict, below, above], 1).decide(call).rule_id == strict.id


@pytest.mark.req("GATE-22")
def test_what_office_and_workspace_take_out_are_both_taken_out():
    above = rule("REDACT", priority=1, fields=["args.a", "args.b"])
    below = rule("REDACT", priority=9, workspace_id="wsp-1", fields=["args.b", "args.c"])
    verdict = RuleBook.compile([below, above], 1).decide(facts(workspace="wsp-1"))
    assert (verdict.action, verdict.fields) == ("REDACT", ("args.a", "args.b", "args.c"))
