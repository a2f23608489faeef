"""All tools of this installation, by name."""

from collections.abc import Iterable, Iterator

import jsonschema_rs

from bailiwick.tools.tool import Tool


class DuplicateTool(Exception):
    """Two plugins offer a tool of the same name."""


class Registry:
    """The tools that plugins gave, each with its compiled schema."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        self._validators: dict[str, jsonschema_rs.Validator] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise DuplicateTool(f"There are two tools called {tool.name}.")
            self._tools[tool.name] = tool
            self._validators[tool.name] = jsonschema_rs.validator_for(dict(tool.parameters))

    def get(self, name: str) -> Tool | None:
        """The tool of this name."""
        return self._tools.get(name)

    def validator(self, name: str) -> jsonschema_rs.Validator:
        """The compiled schema of a tool's arguments."""
        return self._validators[name]

    def validator_of(self, tool: Tool) -> jsonschema_rs.Validator:
        """The compiled schema of a tool, be it one of ours or one that a caller brought."""
        if self._tools.get(tool.name) is tool:
            return self._validators[tool.name]
        return jsonschema_rs.validator_for(dict(tool.parameters))

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())
