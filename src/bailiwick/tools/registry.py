"""All tools of this installation, by name."""

from collections.abc import Iterable, Iterator

from bailiwick.tools.tool import Tool


class DuplicateTool(Exception):
    """Two features offer a tool of the same name."""


class Registry:
    """The tools that features gave."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise DuplicateTool(f"There are two tools called {tool.name}.")
            self._tools[tool.name] = tool

    def get(self, name: str) -> Tool | None:
        """The tool of this name."""
        return self._tools.get(name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())
