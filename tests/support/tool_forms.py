"""What holds of every tool that comes with the product."""

from types import UnionType
from typing import Any, get_args, get_type_hints

import jsonschema_rs

from bailiwick.tools.foreign import ForeignArguments
from bailiwick.tools.tool import Tool


def assert_well_formed(tool: Tool) -> None:
    """Its arguments are a model, from which a short and strict schema with an example comes."""
    model, schema = tool.arguments, dict(tool.parameters)
    assert not issubclass(model, ForeignArguments), tool.name
    assert schema["additionalProperties"] is False, tool.name
    assert "$defs" not in schema, tool.name
    properties: dict[str, Any] = schema["properties"]
    named = {each.partition(".")[0] for each in (*tool.targets, *tool.ids, *tool.paths)}
    assert named <= {*properties}, tool.name
    for name, field in properties.items():
        place = f"{tool.name}.{name}"
        assert field["description"], place
        assert not {"title", "anyOf", "$ref", "examples"} & {*field}, place
        if field["type"] == "string" and not {"enum", "format"} & {*field}:
            assert "maxLength" in field, place
    if properties:
        # Where nothing has to be said, saying nothing is the example.
        [example] = schema.get("examples", [{}])
        assert model.faults_in(example) == {}, tool.name
        jsonschema_rs.validate(schema, example)
    for function in (tool.run, tool.undo, tool.lookup, tool.preview, tool.account):
        hint = get_type_hints(function).get("arguments") if function else None
        taken = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        if hint:
            assert issubclass(model, taken), f"{tool.name}: {function}"
