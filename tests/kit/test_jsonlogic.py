"""JSON-Logic: what the operators mean, what is refused when saved, and what it may cost."""

import json
from pathlib import Path
from typing import Any

import pytest

from bailiwick.kit import jsonlogic
from bailiwick.kit.jsonlogic import ConditionData, Fault, FirstOf, Unusable

pytestmark = pytest.mark.req("GATE-06")
CASES = [
    (section["about"], case)
    for section in json.loads((Path(__file__).parent / "jsonlogic" / "cases.json").read_text())
    for case in section["cases"]
]


def var(path: str) -> dict[str, str]:
    return {"var": path}


def nested(depth: int) -> Any:
    condition: Any = True
    for _ in range(depth):
        condition = {"!": [condition]}
    return condition


def test_every_case_of_the_language_comes_out_as_it_should():
    wrong = [
        (about, logic, data, found, expected)
        for about, (logic, data, expected) in CASES
        if not same(found := jsonlogic.apply(logic, data), expected)
    ]
    assert wrong == []
    assert len(CASES) >= 278


def same(found: Any, expected: Any) -> bool:
    # True is 1 in Python, not in JSON.
    return found == expected and isinstance(found, bool) == isinstance(expected, bool)


def test_a_bare_text_is_a_text_and_not_json():
    assert jsonlogic.apply("apple", {}) == "apple"
    assert jsonlogic.apply("true", {}) == "true"
    assert jsonlogic.apply(var("x"), {"x": "[]"}) == "[]"


@pytest.mark.parametrize(
    ("condition", "path", "words"),
    [
        ({"nope": [1]}, "", "no operator 'nope'"),
        ({"and": [True, {"==": [{"nope": 1}, 2]}]}, "and/1/==/0", "no operator 'nope'"),
        ({"!": {"nope": 1}}, "!", "no operator 'nope'"),
        ({"log": "x"}, "", "no operator 'log'"),
        ({"try": [1]}, "", "no operator"),
        ({"val": "x"}, "", "no operator"),
        ({"and": [{"==": [1]}]}, "and/0", "takes 2 arguments, not 1"),
        ({"and": []}, "", "takes 1 arguments or more, not 0"),
        ({"<": [1, 2, 3, 4]}, "", "takes 2 to 3 arguments, not 4"),
        ({"==": 1, "!=": 2}, "", "2 names"),
        ({"and": [{}]}, "and/0", "0 names"),
        ({"in": [var("x"), [{"a": 1, "b": 2}]]}, "in/1/0", "2 names"),
        ("text", "", "true for always"),
        (None, "", "true for always"),
        ([True], "", "true for always"),
        ({"==": [1, float("nan")]}, "==/1", "no number"),
        ({"==": [1, float("inf")]}, "==/1", "no number"),
        ({"==": [1, 10**17]}, "==/1", "too large"),
        ({"==": [1, b"bytes"]}, "==/1", "no JSON"),
    ],
)
def test_a_condition_that_means_nothing_is_refused_with_its_place(
    condition: Any, path: str, words: str
):
    fault = jsonlogic.check(condition)
    assert fault is not None
    assert fault.path == path
    assert words in fault.message


@pytest.mark.parametrize(
    "condition", [True, False, {"==": [var("a"), 1]}, {"!": var("a")}, {"/": [4, {"/": [1, 2]}]}]
)
def test_a_condition_that_means_something_is_taken(condition: Any):
    assert jsonlogic.check(condition) is None


def test_depth_is_bounded():
    assert jsonlogic.check(nested(19)) is None
    fault = jsonlogic.check(nested(20))
    assert fault
    assert "too deep" in fault.message
    assert fault.path == "/".join(["!", "0"] * 20)
    endless: Any = {}
    endless["!"] = endless
    assert "too deep" in str(jsonlogic.check(endless))


def test_the_number_of_parts_is_bounded():
    assert jsonlogic.check({"in": [1, list(range(400))]}) is None
    found = jsonlogic.faults({"in": [1, list(range(100_000))]})
    assert [fault.path for fault in found] == ["in/1/497"]


def test_the_length_of_the_text_is_bounded():
    assert jsonlogic.check({"==": [var("a"), "x" * 16_000]}) is None
    fault = jsonlogic.check({"==": [var("a"), "é" * 9_000]})
    assert fault == Fault("", "is longer than 16 KB")


def test_loops_within_loops_are_bounded():
    def some(inner: Any) -> Any:
        return {"some": [var(""), inner]}

    assert jsonlogic.check(some(some(True))) is None
    fault = jsonlogic.check({"and": [some(some(some(True)))]})
    assert fault
    assert fault.path == "and/0/some/1/some/1"
    assert "two at most" in fault.message
    assert jsonlogic.check(some({"some": [{"map": [[], 1]}, True]}))


def test_all_faults_are_told_but_not_endlessly():
    found = jsonlogic.faults({"and": [{"a": 1}, True, {"b": 1}]})
    assert [fault.path for fault in found] == ["and/0", "and/2"]
    assert len(jsonlogic.faults({"and": [{"a": 1}] * 100})) == 20


def test_only_what_may_be_seen_can_be_looked_at():
    def sight(path: str) -> str | None:
        return None if path.startswith("a") else f"no {path}"

    def paths(condition: Any) -> list[str]:
        return [fault.path for fault in jsonlogic.faults(condition, sight=sight)]

    assert paths({"and": [var("a.b"), var("b")]}) == ["and/1/var"]
    assert paths({"missing": ["a", "b"]}) == ["missing"]
    assert paths({"missing_some": [1, ["a", "b"]]}) == ["missing_some"]
    assert paths({"!": [{"var": {"cat": ["a", "b"]}}]}) == ["!/0/var"]
    assert paths({"!": {"var": 1}}) == ["!/var"]
    # Within a loop it is the item that is looked at.
    assert paths({"some": [var("a"), {"==": [var("b"), var("")]}]}) == []
    assert paths({"reduce": [var("a"), var("current"), var("b")]}) == ["reduce/2/var"]
    assert paths({"some": [var("b"), True]}) == ["some/0/var"]


def test_the_body_of_a_loop_sees_nothing_but_the_item():
    data = {"secret": 1, "a": [{"x": 2}]}
    assert jsonlogic.apply({"map": [var("a"), var("secret")]}, data) == [None]


def test_conditions_hold_or_do_not():
    logic = jsonlogic.compile({"in": [var("a"), ["x", "y"]]})
    assert logic.truthy({"a": "x"})
    assert not logic.truthy(ConditionData({"a": "z"}))
    assert not jsonlogic.compile({"missing": ["a"]}).truthy({"a": 1})


def test_what_cannot_be_worked_out_is_an_error():
    with pytest.raises(Unusable, match="'>' cannot be worked out"):
        jsonlogic.compile({">": [var("a"), 1]}).truthy({"a": "text"})
    with pytest.raises(Unusable, match="cannot be worked out"):
        jsonlogic.apply({"/": [1, 0]}, {})
    for bad in ({"a": b"bytes"}, {"a": 10**40}, {"a": "\ud800"}):
        with pytest.raises(Unusable, match="cannot be read"):
            jsonlogic.compile(var("a")).truthy(bad)
    for condition in ({"nope": 1}, {"==": float("nan")}, {"==": [b"x"]}):
        with pytest.raises(Unusable):
            jsonlogic.compile(condition).truthy({})


def test_no_data_makes_a_condition_run_for_long():
    long = {"n": list(range(2_000_000)), "m": [[0] * 2_000] * 2_000, "t": "a" * 1_000}
    doubling = {"reduce": [var("m"), {"cat": [var("accumulator"), var("accumulator")]}, "ab"]}
    for condition in (
        {"some": [var("n"), {"==": [var(""), -1]}]},
        {"some": [var("m"), {"some": [var(""), var("")]}]},
        {"in": [-1, var("n")]},
        {"in": ["b", doubling]},
        {"merge": [var("n"), var("n")]},
    ):
        assert jsonlogic.check(condition) is None
        with pytest.raises(Unusable, match="too much data"):
            jsonlogic.compile(condition).truthy(long)


def test_the_first_that_holds_is_found_among_many():
    many = FirstOf.compile([{"==": [var("a"), number]} for number in range(50)])
    assert [many.index({"a": number}) for number in (0, 7, 49, 50)] == [0, 7, 49, None]
    failing = FirstOf.compile([{"==": [var("a"), 1]}, {">": [var("a"), 2]}])
    assert failing.index({"a": 1}) == 0
    with pytest.raises(Unusable):
        failing.index({"a": "text"})
    assert FirstOf.compile([[], "", "x"]).index({}) == 2


def test_what_a_condition_reads_is_known():
    condition = {
        "and": [
            {"==": [var("tool"), "x"]},
            {"in": ["a", {"var": ["args.to", var("user.id")]}]},
            {"missing": ["path.name"]},
            {"missing_some": [1, ["time.hour"]]},
            {"some": [var("recipients.new"), {"==": [var("inner"), 1]}]},
            {"in": [1, [var("cost.money")]]},
        ]
    }
    assert jsonlogic.reads(condition) == {
        *("tool", "args.to", "user.id", "path.name", "time.hour", "recipients.new", "cost.money")
    }
    assert jsonlogic.reads(True) == set()
    assert jsonlogic.reads({"var": []}) == {""}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"==": [var("tool"), "a"]}, {"a"}),
        ({"===": ["a", var("tool")]}, {"a"}),
        ({"==": [{"var": ["tool"]}, "a"]}, {"a"}),
        ({"in": [var("tool"), ["a", "b"]]}, {"a", "b"}),
        ({"and": [{"in": [var("tool"), ["a", "b"]]}, {"==": [var("tool"), "b"]}]}, {"b"}),
        ({"and": [var("x"), {"==": [var("tool"), "b"]}]}, {"b"}),
        ({"or": [{"==": [var("tool"), "a"]}, {"==": [var("tool"), "b"]}]}, {"a", "b"}),
        ({"or": [{"==": [var("tool"), "a"]}, var("x")]}, None),
        ({"and": [var("x")]}, None),
        ({"or": []}, None),
        ({"==": [var("other"), "a"]}, None),
        ({"==": [var("tool"), 1]}, None),
        ({"==": [var("tool"), var("x")]}, None),
        ({"in": [var("tool"), "abc"]}, None),
        ({"in": [var("tool"), ["a", 1]]}, None),
        ({"in": ["a", var("tool")]}, None),
        ({"!": [{"==": [var("tool"), "a"]}]}, None),
        ({"var": ["tool", "a"]}, None),
        (True, None),
    ],
)
def test_the_values_that_a_condition_needs_are_known(condition: Any, expected: set[str] | None):
    assert jsonlogic.required(condition, "tool") == expected


def test_what_is_known_already_is_written_into_a_condition():
    known = {"tool": "a", "effect": "send"}
    condition = {
        "and": [
            {"==": [var("tool"), "a"]},
            {"in": [var("effect"), [var("tool"), 1]]},
            {"var": ["tool", "default"]},
            {"some": [var("args.x"), {"==": [var("tool"), 1]}]},
            {"!": var("args.y")},
        ]
    }
    assert jsonlogic.with_known(condition, known) == {
        "and": [
            {"==": ["a", "a"]},
            {"in": ["send", ["a", 1]]},
            {"var": ["tool", "default"]},
            {"some": [var("args.x"), {"==": [var("tool"), 1]}]},
            {"!": [var("args.y")]},
        ]
    }
    assert jsonlogic.with_known(True, known) is True
