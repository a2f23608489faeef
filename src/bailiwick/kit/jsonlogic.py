"""JSON-Logic for conditions that people write: checked when saved, compiled once, bounded when run.

A saved condition is bounded in depth, number of parts, length and nested loops. Its cost is bounded
when it runs: each step, each item of a list and each stretch of text is counted, and beyond the
budget it fails. So large data may make a condition fail, but never keeps a core busy.
"""

import functools
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from datalogic_py import CompileError, DataHandle, DataLogicError, Engine, Rule

DEEPEST = 20
MOST_PARTS = 500
LONGEST_BYTES = 16 * 1024
DEEPEST_LOOPS = 2
# At worst about 0.1 s of one core; a list item or 64 bytes of text count as one.
BUDGET = 1_000_000
_LARGEST = 2**53
_MOST_FAULTS = 20

# Each operator with its least and greatest number of arguments.
_ARGUMENTS: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("==", "===", "!=", "!=="), (2, 2)),
    **dict.fromkeys((">", ">="), (2, 2)),
    **dict.fromkeys(("<", "<="), (2, 3)),
    **dict.fromkeys(("!", "!!"), (1, 1)),
    **dict.fromkeys(("and", "or", "if", "?:", "max", "min"), (1, None)),
    **dict.fromkeys(("+", "*"), (1, None)),
    "-": (1, 2),
    **dict.fromkeys(("/", "%"), (2, 2)),
    **dict.fromkeys(("cat", "merge"), (0, None)),
    "substr": (2, 3),
    "in": (2, 2),
    **dict.fromkeys(("map", "filter", "all", "some", "none"), (2, 2)),
    "reduce": (3, 3),
    "var": (1, 2),
    "missing": (1, None),
    "missing_some": (2, 2),
    **dict.fromkeys(("starts_with", "ends_with"), (2, 2)),
    **dict.fromkeys(("lower", "upper", "trim", "length"), (1, 1)),
}
OPERATORS = tuple(_ARGUMENTS)
_LOOPS = frozenset(("map", "filter", "all", "some", "none", "reduce"))

JsonLogic = Any
# The reason why a condition may not read a path; None if it may.
Sight = Callable[[str], str | None]


class Unusable(Exception):
    """A condition could not be compiled, or failed while it was evaluated."""


class TooMuch(Unusable):
    """The budget is used up: there is too much data."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a condition and its place, such as `and/1/==/0`; empty for the whole condition."""

    path: str
    message: str


def check(condition: JsonLogic, *, sight: Sight | None = None) -> Fault | None:
    """The first fault of a condition."""
    return next(iter(faults(condition, sight=sight)), None)


def faults(condition: JsonLogic, *, sight: Sight | None = None) -> list[Fault]:
    """The faults of a condition, at most twenty."""
    if not isinstance(condition, dict | bool):
        return [Fault("", 'write an operator such as {"==": [...]}, or true for always')]
    walk = _Walk(sight)
    found = list(islice(walk.faults(condition, (), depth=1, loops=0), _MOST_FAULTS))
    return found or _faults_of_the_whole(condition)


def _faults_of_the_whole(condition: JsonLogic) -> list[Fault]:
    text = _text(condition)
    if len(text.encode()) > LONGEST_BYTES:
        return [Fault("", f"is longer than {LONGEST_BYTES // 1024} KB")]
    try:
        _engine().compile_checked(text)
    except CompileError as error:
        return [Fault(_unescaped(each["pointer"]), each["message"]) for each in error.diagnostics]
    except DataLogicError as error:
        return [Fault("", str(error))]
    return []


def compile(condition: JsonLogic) -> "Logic":
    """A condition, ready to be evaluated; raises `Unusable`."""
    return Logic(_compiled({"!!": [condition]}))


def apply(condition: JsonLogic, data: Any) -> Any:
    """The value of any JSON-Logic expression."""
    rule = _compiled(condition)
    try:
        return rule.evaluate_data(DataHandle(_text(data)))
    except DataLogicError as error:
        raise Unusable(_words(error)) from None


class ConditionData:
    """Data that several conditions are evaluated on."""

    __slots__ = ("handle",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        try:
            self.handle = DataHandle(data)
        except DataLogicError as error:
            raise Unusable(_words(error)) from None


@dataclass(frozen=True, slots=True)
class Logic:
    """A compiled condition; it is thread-safe."""

    _rule: Rule

    def truthy(self, facts: ConditionData | Mapping[str, Any]) -> bool:
        """Whether it holds; raises `Unusable` if it cannot be evaluated."""
        return bool(_evaluated(self._rule, facts))


@dataclass(frozen=True, slots=True)
class FirstOf:
    """Conditions in order, compiled into one."""

    _rule: Rule

    @classmethod
    def compile(cls, conditions: Sequence[JsonLogic]) -> "FirstOf":
        """The conditions as one; raises `Unusable` if any of them is."""
        arms = [part for number, each in enumerate(conditions) for part in (each, number)]
        return cls(_compiled({"if": [*arms, -1]}))

    def index(self, facts: ConditionData | Mapping[str, Any]) -> int | None:
        """The index of the first that holds; `Unusable` if one before it cannot be evaluated."""
        found = _evaluated(self._rule, facts)
        return None if found < 0 else found


def reads(condition: JsonLogic) -> frozenset[str]:
    """The paths that a checked condition reads."""
    return frozenset(_reads(condition))


def with_known(condition: JsonLogic, known: Mapping[str, Any]) -> JsonLogic:
    """The condition with known values inserted, so that the compiler folds them."""
    operator, arguments = call_of(condition)
    if operator == "var" and len(arguments) == 1 and isinstance(arguments[0], str):
        return known.get(arguments[0], condition)
    if operator:
        body = 1 if operator in _LOOPS else None
        parts = (
            each if number == body else with_known(each, known)
            for number, each in enumerate(arguments)
        )
        return {operator: list(parts)}
    if isinstance(condition, list):
        return [with_known(each, known) for each in condition]
    return condition


def required(condition: JsonLogic, path: str) -> frozenset[str] | None:
    """The texts of which a path must hold one for the condition to hold; None: unknown."""
    operator, arguments = call_of(condition)
    match operator:
        case "==" | "===" if len(arguments) == 2:
            return _equal(arguments, path)
        case "in" if len(arguments) == 2 and _is_var(arguments[0], path):
            return _texts(arguments[1])
        case "and":
            known = [each for part in arguments if (each := required(part, path)) is not None]
            return frozenset.intersection(*known) if known else None
        case "or" if arguments:
            parts = [required(part, path) for part in arguments]
            known = [part for part in parts if part is not None]
            return frozenset[str]().union(*known) if len(known) == len(parts) else None
        case _:
            return None


def call_of(value: Any) -> tuple[str, list[Any]]:
    """An operator and its arguments; no operator for a plain value."""
    if not isinstance(value, dict) or len(value) != 1:
        return "", []
    ((operator, arguments),) = value.items()
    return operator, arguments if isinstance(arguments, list) else [arguments]


def _equal(arguments: Sequence[Any], path: str) -> frozenset[str] | None:
    for one, other in (arguments, reversed(arguments)):
        if _is_var(one, path) and isinstance(other, str):
            return frozenset((other,))
    return None


def _is_var(value: Any, path: str) -> bool:
    return call_of(value) == ("var", [path])


def _texts(value: Any) -> frozenset[str] | None:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return frozenset(value)
    return None


def _reads(value: Any) -> Iterator[str]:
    operator, arguments = call_of(value)
    if operator == "var":
        yield str(arguments[0]) if arguments else ""
        arguments = arguments[1:]
    elif operator in ("missing", "missing_some"):
        yield from (each for each in _flat(arguments) if isinstance(each, str))
    elif operator in _LOOPS:
        # Inside the body, paths refer to the items alone.
        arguments = arguments[:1] + arguments[2:]
    for each in arguments if operator else value if isinstance(value, list) else ():
        yield from _reads(each)


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for each in values:
        yield from each if isinstance(each, list) else (each,)


class _Walk:
    """Visits every part of a condition once."""

    def __init__(self, sight: Sight | None) -> None:
        self._sight = sight
        self._parts = 0

    def faults(
        self, value: Any, path: tuple[str, ...], *, depth: int, loops: int, inside: bool = False
    ) -> Iterator[Fault]:
        self._parts += 1
        if self._parts == MOST_PARTS + 1:
            yield _fault(path, f"is too much: a condition has {MOST_PARTS} parts at most")
        if self._parts > MOST_PARTS:
            return
        if depth > DEEPEST:
            yield _fault(path, f"is nested too deep: {DEEPEST} levels at most")
        elif isinstance(value, dict):
            yield from self._call(value, path, depth=depth, loops=loops, inside=inside)
        elif isinstance(value, list):
            for number, each in enumerate(value):
                step = (*path, str(number))
                yield from self.faults(each, step, depth=depth + 1, loops=loops, inside=inside)
        elif message := _fault_of_value(value):
            yield _fault(path, message)

    def _call(
        self, value: dict[Any, Any], path: tuple[str, ...], *, depth: int, loops: int, inside: bool
    ) -> Iterator[Fault]:
        if message := _fault_of_call(value):
            yield _fault(path, message)
            return
        operator, arguments = call_of(value)
        loops += operator in _LOOPS
        if loops > DEEPEST_LOOPS:
            yield _fault(path, f"'{operator}' is the third loop within loops; two at most")
            return
        if not inside and self._sight:
            yield from self._unseen(operator, arguments, path)
        listed = isinstance(value[operator], list)
        for number, each in enumerate(arguments):
            step = (*path, operator, str(number)) if listed else (*path, operator)
            body = operator in _LOOPS and number == 1
            yield from self.faults(each, step, depth=depth + 1, loops=loops, inside=inside or body)

    def _unseen(
        self, operator: str, arguments: list[Any], path: tuple[str, ...]
    ) -> Iterator[Fault]:
        assert self._sight
        if operator == "var":
            looked_at = arguments[:1]
        elif operator in ("missing", "missing_some"):
            looked_at = list(_flat(arguments[operator == "missing_some" :]))
        else:
            return
        for each in looked_at:
            message = self._sight(each) if isinstance(each, str) else "must be a name as it stands"
            if message:
                yield _fault((*path, operator), message)


def _fault_of_call(value: Mapping[Any, Any]) -> str | None:
    if len(value) != 1:
        return f"is an object with {len(value)} names; an operator has exactly one"
    operator, arguments = call_of(value)
    if operator not in _ARGUMENTS:
        return f"there is no operator '{operator}'; there are {', '.join(OPERATORS)}"
    fewest, most = _ARGUMENTS[operator]
    if len(arguments) < fewest or (most is not None and len(arguments) > most):
        return f"'{operator}' takes {_range(fewest, most)}, not {len(arguments)}"
    return None


def _range(fewest: int, most: int | None) -> str:
    if most is None:
        return f"{fewest} arguments or more"
    return f"{fewest} arguments" if fewest == most else f"{fewest} to {most} arguments"


def _fault_of_value(value: Any) -> str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return "is no number that can be kept"
    if isinstance(value, int) and abs(value) > _LARGEST:
        return "is a number too large to be compared exactly"
    return None if isinstance(value, str | int | float | None) else "is no JSON value"


def _fault(path: tuple[str, ...], message: str) -> Fault:
    return Fault("/".join(path), message)


def _unescaped(pointer: str) -> str:
    return pointer.removeprefix("/").replace("~1", "/").replace("~0", "~")


@functools.cache
def _engine() -> Engine:
    # Text that is no number is unequal to one, without an error.
    return Engine(config={"ops_budget": BUDGET, "loose_equality_errors": False})


def _compiled(condition: JsonLogic) -> Rule:
    try:
        return _engine().compile(_text(condition))
    except (DataLogicError, RecursionError, TypeError, ValueError) as error:
        raise Unusable(str(error)) from None


def _evaluated(rule: Rule, facts: ConditionData | Mapping[str, Any]) -> Any:
    handle = (facts if isinstance(facts, ConditionData) else ConditionData(facts)).handle
    try:
        return rule.evaluate_data(handle)
    except DataLogicError as error:
        raise _failure(error) from None


def _failure(error: DataLogicError) -> Unusable:
    kind = TooMuch if error.error_type == "BudgetExceeded" else Unusable
    return kind(_words(error))


def _words(error: DataLogicError) -> str:
    if error.error_type == "BudgetExceeded":
        return "there is too much data for it to look at"
    if error.operator:
        return f"'{error.operator}' cannot be worked out with these values"
    return "the data cannot be read"


def _text(value: Any) -> str:
    # As JSON text, because a bare string would be parsed as JSON itself.
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
