"""Forms filled in by rules: a title from the words, and of anything else what fits its schema."""

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.llm.chat import AnswerForm, ChatMessage
from bailiwick.offline.extraction import said_in
from bailiwick.offline.text import shortened

_TITLE = 60  # characters
_LONGEST = 300


def filled(form: AnswerForm, messages: Sequence[ChatMessage]) -> dict[str, Any]:
    """A form about what the user said last."""
    said = next((m["content"] for m in reversed(messages) if m["role"] == "user"), "")
    return _value(form.schema, form.schema, "", said)


def _value(schema: Mapping[str, Any], root: Mapping[str, Any], name: str, said: str) -> Any:
    if reference := schema.get("$ref"):
        return _value(root["$defs"][reference.rpartition("/")[2]], root, name, said)
    for choice in (schema.get("enum"), schema.get("anyOf"), schema.get("oneOf")):
        if choice:
            one = choice[-1] if choice is not schema.get("enum") else choice[0]
            return _value(one, root, name, said) if isinstance(one, Mapping) else one
    if "const" in schema or "default" in schema:
        return schema.get("const", schema.get("default"))
    match schema.get("type"):
        case "object":
            wanted = {key: schema["properties"][key] for key in schema.get("required", ())}
            return {key: _value(one, root, key, said) for key, one in wanted.items()}
        case "array":
            return []
        case "string":
            return _text(name, said)[: schema.get("maxLength", _LONGEST)]
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case _:
            return None


def _text(name: str, said: str) -> str:
    first = next(iter(said_in(said)), said.strip())
    return shortened(first, _TITLE if name == "title" else _LONGEST).rstrip(".")
