"""The properties of a text file: YAML between two lines of dashes at its beginning.

A change touches the lines of the properties that change and no other byte: comments, order, quotes
and line ends stay. What comes out is read again before anyone gets it, so that an edit which would
have meant something else is refused instead.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from bailiwick.errors import Invalid, RuleViolated

FilePropertyMap = Mapping[str, Any]
LARGEST = 64_000  # characters, also of what aliases in it would grow to
_DEEPEST = 20
_BOM = "\ufeff"
_OPENING = re.compile(r"---[ \t]*(\r\n|\n)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
# Documents that begin with properties by custom; to others, lines on top would do harm.
_DOCUMENTS = frozenset(
    (".md", ".markdown", ".mdx", ".mdown", ".qmd", ".rmd", ".txt", ".text", ".rst", ".org", ".adoc")
)


class _YamlLoader(yaml.SafeLoader):
    """YAML 1.2's plain words: a time or a date stays the text that it is."""

    yaml_implicit_resolvers: ClassVar[Any] = {}


for _tag, _pattern, _first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
):
    _YamlLoader.add_implicit_resolver(  # pyright: ignore[reportUnknownMemberType]
        f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first)
    )


class _YamlDumper(yaml.SafeDumper):
    """Quotes what any YAML would take for something else; a date is written as people do."""

    yaml_implicit_resolvers: ClassVar[Any] = {
        first: [(tag, pattern) for tag, pattern in known if not tag.endswith(":timestamp")]
        for first, known in yaml.SafeDumper.yaml_implicit_resolvers.items()
    }


def _text(dumper: _YamlDumper, text: str) -> ScalarNode:
    style = None
    if "\n" in text:
        style = '"' if text[0].isspace() or text.endswith("\n\n") else "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_YamlDumper.add_representer(str, _text)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Where the properties stand in a text."""

    start: int  # of the YAML
    end: int
    line_end: str


def of(text: str) -> FilePropertyMap | None:
    """The properties of a text; None if it has none, `RuleViolated` if they cannot be read."""
    found = _found(text)
    return _values(text[found.start : found.end]) if found else None


def readable(text: str) -> tuple[FilePropertyMap | None, str | None]:
    """The properties, or why they cannot be read."""
    try:
        return of(text), None
    except RuleViolated as error:
        return None, error.detail


def edited(text: str, changes: FilePropertyMap, *, suffix: str) -> str:
    """The text with some properties changed; None takes one away."""
    found = _found(text)
    if found is None:
        if suffix.casefold() not in _DOCUMENTS:
            raise RuleViolated(
                "Properties stand at the beginning of text documents such as .md or .txt; in this "
                "file they would do harm."
            )
        return _headed(text, changes)
    block = text[found.start : found.end]
    before = _values(block)
    for name, value in changes.items():
        if name not in before or _plain(before[name]) != value or value is None:
            block = _changed(block, name, value, line_end=found.line_end)
    wanted = {name: each for name, each in {**before, **changes}.items() if each is not None}
    kept = {name for name, each in before.items() if each is None and name not in changes}
    return _proved(
        text[: found.start] + block + text[found.end :], {**wanted, **dict.fromkeys(kept)}
    )


def _proved(text: str, wanted: FilePropertyMap) -> str:
    """The text, if it says what was asked for."""
    if (of(text) or {}) != wanted:
        raise RuleViolated(
            "The properties of this file are written in a way that cannot be changed piece by "
            "piece, or one is a number or a text that YAML does not keep. Use write_file."
        )
    return text


def _found(text: str) -> FrontMatter | None:
    opening = _OPENING.match(text, len(_BOM) if text.startswith(_BOM) else 0)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return None
    return FrontMatter(opening.end(), closing.start(), opening[1])


def _headed(text: str, changes: FilePropertyMap) -> str:
    given = {name: value for name, value in changes.items() if value is not None}
    if not given:
        return text
    mark, body = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    first = body.find("\n")
    line_end = "\r\n" if first > 0 and body[first - 1] == "\r" else "\n"
    lines = "".join(_written(name, value, line_end) for name, value in given.items())
    return _proved(f"{mark}---{line_end}{lines}---{line_end}{body}", given)


def _values(block: str) -> dict[str, Any]:
    if len(block) > LARGEST:
        raise RuleViolated(f"The properties of this file are longer than {LARGEST:,} characters.")
    node = _composed(block)
    if node is None:
        return {}
    names = Counter(key.value for key, _ in _pairs(node))
    if twice := next((name for name, count in names.items() if count > 1), None):
        raise RuleViolated(f"The properties of this file name {twice!r} twice.")
    budget = [LARGEST]
    return {key.value: _value(value, budget) for key, value in _pairs(node)}


def _composed(block: str) -> MappingNode | None:
    try:
        node = cast("Node | None", yaml.compose(block, Loader=_YamlLoader))
    except yaml.YAMLError as error:
        raise RuleViolated(f"The properties of this file are not YAML: {_said(error)}.") from None
    except (RecursionError, ValueError):
        raise RuleViolated("The properties of this file cannot be read.") from None
    if node is None:
        return None
    if not isinstance(node, MappingNode):
        raise RuleViolated("What stands between the dashes at the top is no list of properties.")
    return node


def _pairs(node: MappingNode) -> Iterator[tuple[ScalarNode, Node]]:
    for key, value in cast("list[tuple[Node, Node]]", node.value):
        if not isinstance(key, ScalarNode):
            raise RuleViolated("A property of this file has a name that is no text.")
        yield key, value


def _said(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    # The opening dashes are the first line.
    where = f" in line {mark.line + 2}" if mark else ""
    return f"{getattr(error, 'problem', None) or 'it cannot be read'}{where}"


def _value(node: Node, budget: list[int], depth: int = 0) -> Any:
    """A value as JSON; what aliases would blow up is refused on the way."""
    budget[0] -= 1 + (len(node.value) if isinstance(node, ScalarNode) else 0)
    if budget[0] < 0 or depth > _DEEPEST:
        raise RuleViolated("The properties of this file are too large or nested too deeply.")
    match node:
        case MappingNode():
            return {key.value: _value(each, budget, depth + 1) for key, each in _pairs(node)}
        case SequenceNode():
            return [_value(each, budget, depth + 1) for each in cast("list[Node]", node.value)]
        case _:
            return _scalar(node)


def _scalar(node: Node) -> Any:
    text = str(node.value)
    match node.tag.rpartition(":")[2]:
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int" if len(text) < 19:
            return int(text)
        case "float":
            return float(text)
        case _:
            return text


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _changed(block: str, name: str, value: Any, *, line_end: str) -> str:
    node = _composed(block)
    pairs = list(_pairs(node)) if node else []
    if node and node.flow_style:
        raise RuleViolated("The properties of this file stand in braces. Change them by hand.")
    for key, old in pairs:
        if key.value == name:
            start, end = key.start_mark.index, max(key.end_mark.index, _end(block, old))
            if value is None:
                return _without(block, start, end)
            return _replaced(block, key, old, end, _written(name, value, line_end))
    if value is None:
        return block
    column = pairs[0][0].start_mark.column if pairs else 0
    return block + _indented(_written(name, value, line_end), column)


def _replaced(block: str, key: ScalarNode, old: Node, end: int, written: str) -> str:
    new = _after_colon(written.rstrip("\r\n"))
    colon = block.index(":", key.end_mark.index)
    new = _indented(new, key.start_mark.column, first=False)
    if isinstance(old, ScalarNode) and old.style in (None, "'", '"') and "\n" not in new:
        start = max(old.start_mark.index, colon + 1)
        gap = "" if block[start - 1 : start] in (" ", "\t") else " "
        if old.start_mark.index < old.end_mark.index:
            return block[:start] + gap + new.lstrip(" ") + block[end:]
    return block[: colon + 1] + new + block[max(end, colon + 1) :]


def _without(block: str, start: int, end: int) -> str:
    line = block.rfind("\n", 0, start) + 1
    after = block.find("\n", end)
    return block[:line] + ("" if after < 0 else block[after + 1 :])


def _end(block: str, node: Node) -> int:
    """Where a value ends; a block's own mark is only where the next thing begins."""
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node, ScalarNode) and node.style in ("|", ">"):
        return start + len(block[start:end].rstrip())
    if isinstance(node, ScalarNode) or getattr(node, "flow_style", False):
        return end
    if isinstance(node, MappingNode):
        inner = [part for pair in cast("list[tuple[Node, Node]]", node.value) for part in pair]
    else:
        inner = cast("Sequence[Node]", node.value)
    # What an alias stands for is elsewhere.
    return max([start, *(_end(block, each) for each in inner if start <= each.start_mark.index)])


def _written(name: str, value: Any, line_end: str) -> str:
    try:
        text = yaml.dump(
            {name: value},
            Dumper=_YamlDumper,
            allow_unicode=True,
            default_flow_style=False,
            sort_keys=False,
            width=2**31,
        )
    except yaml.YAMLError as error:
        raise Invalid.field("properties", f"{name} cannot be written: {error}") from None
    if text.startswith("? "):
        raise Invalid.field("properties", f"{name[:50]!r} is too long for a name")
    return text.replace("\n", line_end)


def _after_colon(written: str) -> str:
    node = _composed(written)
    assert node
    key = next(iter(_pairs(node)))[0]
    return written[written.index(":", key.end_mark.index) + 1 :]


def _indented(text: str, column: int, *, first: bool = True) -> str:
    if not column:
        return text
    lines = text.splitlines(keepends=True)
    pad = " " * column
    return "".join(
        pad + line if (number or first) and line.strip() else line
        for number, line in enumerate(lines)
    )
