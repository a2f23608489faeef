"""The shape that tools which read files have in common."""

from typing import Literal

from pydantic import BaseModel

from bailiwick.tools.arguments import ToolArguments
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import IdKind, TargetKind, Tool, ToolRun


def reads(
    name: str,
    title: str,
    description: str,
    run: ToolRun,
    *,
    arguments: type[ToolArguments],
    shown: type[BaseModel],
    of: Literal["file", "folder"] | None = "file",
    at: str = "path",
) -> Tool:
    """A tool that reads a file or a folder, which the argument `at` names."""
    targets: dict[str, TargetKind] = {at: of} if of else {}
    ids: dict[str, IdKind] = {at: "file"} if of == "file" else {}
    return Tool(
        name=name,
        title=title,
        description=description,
        arguments=arguments,
        output=schema_of(shown),
        effect="read",
        run=run,
        targets=targets,
        ids=ids,
        paths=(at,) if of else (),
    )
