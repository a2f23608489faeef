"""The YAML at the beginning of a text file, as JSON: strangers wrote it, so it is bounded."""

import json
from typing import Any

import yaml

_LONGEST = 20_000
_MOST_TAGS = 50
_LONGEST_TAG = 100


class _Loader(yaml.SafeLoader):
    """Plain YAML without aliases, which can make a few lines into a mountain."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):  # pyright: ignore[reportUnknownMemberType]
            raise yaml.YAMLError("no aliases")
        return super().compose_node(parent, index)


def front_matter(text: str) -> tuple[dict[str, Any], list[str]]:
    """The properties that a text begins with, and the tags among them; none if it has none."""
    if not text.startswith("---"):
        return {}, []
    first, _, rest = text[: _LONGEST + 8].partition("\n")
    if first.strip() != "---":
        return {}, []
    lines: list[str] = []
    for line in rest.split("\n"):
        if line.rstrip() in ("---", "..."):
            break
        lines.append(line)
    else:
        return {}, []
    try:
        found = yaml.load("\n".join(lines), _Loader)  # noqa: S506  (it is a SafeLoader)
        made = json.loads(json.dumps(found, default=str).replace("\\u0000", " "))
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return {}, []
    if not isinstance(made, dict):
        return {}, []
    properties: dict[str, Any] = made
    return properties, tags(properties.get("tags", properties.get("tag")))


def tags(value: Any) -> list[str]:
    """Tags as people write them: a list, or words with commas or spaces between them."""
    match value:
        case list():
            parts = [str(each) for each in value if isinstance(each, str | int | float)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case str():
            parts = value.split("," if "," in value else None)
        case _:
            return []
    clean = [part.strip().lstrip("#")[:_LONGEST_TAG].casefold() for part in parts]
    return list(dict.fromkeys(part for part in clean if part))[:_MOST_TAGS]
