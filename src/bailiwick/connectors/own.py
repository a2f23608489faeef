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
    """The accounts of one connector; whoever asks says where they are, and for whom they act."""

    async def of(self, workspace_id: str, user_id: str | None) -> list[OwnAccount]:
        """The accounts in use that are open to a user in a workspace, the primary one first."""
        ...

    def mailbox(
        self, account_id: str, *, workspace_id: str, user_id: str | None
    ) -> AbstractAsyncContextManager[Mailbox]:
        """The mail of one of them; one that is not open to the user there is refused."""
        ...
