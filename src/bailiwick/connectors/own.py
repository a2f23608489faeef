"""The accounts that a connector's own tools may use: those of that connector."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from bailiwick.connectors.mail import Mailbox


@dataclass(frozen=True, slots=True)
class OwnAccount:
    """One of a connector's own accounts."""

    id: str
    label: str
    address: str
    is_primary: bool


class OwnAccounts(Protocol):
    """The accounts of one connector; the caller names the workspace."""

    async def of(self, workspace_id: str) -> list[OwnAccount]:
        """The accounts in use of this connector in a workspace, the primary one first."""
        ...

    def mailbox(
        self, account_id: str, *, workspace_id: str
    ) -> AbstractAsyncContextManager[Mailbox]:
        """The mail of one account; an account of another connector or workspace is refused."""
        ...
