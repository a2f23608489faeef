"""Fields that a rule names, taken out of arguments and results.

`args.body` is one field of the arguments; `items.*.email` is that field of each item; `*.password`
is every field of that name, at any depth. `**` stands for any depth within a path too. A path that
begins with `args` or `result` is for that one alone, any other for both.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

CallPart = Literal["args", "result"]
_PLACES = ("args", "result")
_Steps = tuple[str, ...]


def take_out(
    value: Any, fields: Iterable[str], *, of: CallPart | None = None
) -> tuple[Any, list[str]]:
    """The value without the fields, and the paths of those that were there."""
    patterns = [steps for field in fields if (steps := _steps(field, of))]
    removed: list[str] = []
    return (_without(value, patterns, "", removed) if patterns else value), removed


def _steps(field: str, of: CallPart | None) -> _Steps:
    first, *rest = field.split(".")
    if of is not None and first in _PLACES and rest:
        if first != of:
            return ()
        first, *rest = rest
    return ("**" if first == "*" and rest else first, *rest)


def _without(value: Any, patterns: Sequence[_Steps], path: str, removed: list[str]) -> Any:
    if not patterns or not isinstance(value, dict | list | tuple):
        return value
    named = value.items() if isinstance(value, dict) else enumerate(value)
    kept: list[tuple[Any, Any]] = []
    for name, each in named:
        here = f"{path}.{name}" if path else str(name)
        following = _following(patterns, str(name))
        if () in following:
            removed.append(here)
        else:
            kept.append((name, _without(each, following, here, removed)))
    return dict(kept) if isinstance(value, dict) else [each for _, each in kept]


def _following(patterns: Sequence[_Steps], name: str) -> list[_Steps]:
    """What is left of each pattern after a step to this name; nothing left: this is the field."""
    found: dict[_Steps, None] = {}
    for steps in patterns:
        if steps[0] == "**":
            found[steps] = None
            rest = steps[1:]
            if not rest:
                found[()] = None
            elif rest[0] in ("*", name):
                found[rest[1:]] = None
        elif steps[0] in ("*", name):
            found[steps[1:]] = None
    return list(found)
