"""Files that go with a message: from the library by their paths, from mails by their parts.

The library is handed in, because mail does not know it: it decides what the caller may read.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bailiwick.tools.tool import ToolContext


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that was read to be sent."""

    name: str
    type: str
    content: bytes = field(repr=False)


# Reads the file at a path if the caller may read it; raises what the caller is told otherwise.
FileReader = Callable[[ToolContext, str], Awaitable[AttachedFile]]
