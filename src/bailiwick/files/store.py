"""What the feature keeps open: where contents are, and what is known of who may read a thread."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.feature import Fact
from bailiwick.files.contents import FileContents


@dataclass(frozen=True, slots=True)
class FileStore:
    """The store of this office."""

    contents: FileContents


@dataclass(frozen=True, slots=True)
class ReadsThread(Fact):
    """Whether someone may read a thread."""

    may: Callable[[AsyncSession, Reader, str], Awaitable[bool]]
