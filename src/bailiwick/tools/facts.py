"""What plugins get to work with."""

from dataclasses import dataclass
from pathlib import Path

from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage


@dataclass(frozen=True, slots=True)
class Office:
    """The installation, as far as a plugin needs it."""

    storage: Storage
    blobs: BlobFolder
    data: Path  # the data folder; a plugin keeps its files in a folder of its own beneath it


@dataclass(frozen=True, slots=True)
class AccountFacts:
    """A connected account, as `list_accounts` and rules see it."""

    id: str
    label: str  # the user's own word for it
    address: str
    primary: bool
    connector: str
    kinds: tuple[str, ...]  # "files", "tasks", "mail"
