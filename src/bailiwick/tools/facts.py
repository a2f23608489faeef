"""What the tools' side of the house asks of features: accounts, known targets, files, switches."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bailiwick.feature import Fact
from bailiwick.office import Office

if TYPE_CHECKING:
    from bailiwick.tools.tool import TargetKind, Tool, ToolContext


@dataclass(frozen=True, slots=True)
class AccountFacts:
    """A connected account, as `list_accounts` and rules see it."""

    id: str
    label: str  # the user's own word for it
    address: str
    primary: bool
    connector: str
    kinds: tuple[str, ...]  # "files", "tasks", "mail"
    owner_id: str | None = None  # whose it is; None: the workspace's
    read_only: bool = False  # shared with whom the caller acts for, to read


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that goes with a message."""

    name: str
    type: str
    content: bytes


def digest(content: bytes) -> str:
    """By which a content is known again."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class HasAccounts(Fact):
    """Knows accounts of a workspace that tools may act on for a user."""

    accounts: Callable[[Office, str, str | None], Awaitable[Iterable[AccountFacts]]]


@dataclass(frozen=True, slots=True)
class KnowsTarget(Fact):
    """Knows whether a target is a user's own: in their address book, or written to before.

    Asked with the workspace, the user, and the target.
    """

    knows: "Callable[[Office, str, str | None, TargetKind, str], Awaitable[bool]]"


@dataclass(frozen=True, slots=True)
class SwitchesTools(Fact):
    """Knows whether a tool is offered at present."""

    is_offered: "Callable[[Office, Tool], bool]"


@dataclass(frozen=True, slots=True)
class ReadsFiles(Fact):
    """Reads a file that a caller names, where they may read it."""

    read: "Callable[[Office, ToolContext, str], Awaitable[AttachedFile]]"
