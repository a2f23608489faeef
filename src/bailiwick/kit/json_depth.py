"""How deep JSON may be nested, wherever it comes in: what reads it further on may recurse.

Strings are cut out and every bracket made the same, so that each pass over the rest takes away
one level: the time is bounded by the limit, and all of it is spent outside of the interpreter.
"""

import re

DEEPEST = 100
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"|[\[\]{},:]', re.DOTALL)
_LONGEST_NAME = 40
_NAMED_AT_MOST = 3
_PATIENCE = 100_000  # tokens, when only a name is to be found


def is_too_deep(text: bytes) -> bool:
    """Whether JSON text is nested deeper than anything here reads."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    brackets = _STRING.sub(b"", text).translate(_ONE_KIND, _NO_BRACKETS)
    for _ in range(DEEPEST):
        shorter = brackets.replace(b"[]", b"")
        if len(shorter) == len(brackets):
            break
        brackets = shorter
    # What is left is too deep, or was never closed; the latter is no JSON, unless it is deep too.
    return len(brackets) > DEEPEST or b"[]" in brackets


def deep_field(text: bytes, *, whole: str = "body") -> str | None:
    """The field that is nested too deep, by the names that lead to it; None if none is."""
    return (_first_deep(text) or whole) if is_too_deep(text) else None


def message() -> str:
    """What to say of such a field."""
    return f"is nested more than {DEEPEST} levels deep"


def _first_deep(text: bytes) -> str:
    names: list[bytes] = []  # the last name read at each level
    name = b""
    for count, token in enumerate(_TOKEN.finditer(text)):
        match token[0][:1]:
            case b'"':
                name = token[1]
            case b"{" | b"[":
                names.append(b"")
            case b"}" | b"]":
                del names[-1:]
            case b":" if names:
                names[-1] = name
            case _:
                pass
        if len(names) > DEEPEST or count > _PATIENCE:
            break
    if len(names) <= DEEPEST:
        return ""
    said = [found[:_LONGEST_NAME].decode(errors="replace") for found in names if found]
    return ".".join(said[:_NAMED_AT_MOST])
