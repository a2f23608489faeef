"""Tools for mail. Who calls them sees virtual ids and the users' own labels, never a provider."""

from collections.abc import Sequence

from bailiwick.accounts import repository as accounts
from bailiwick.hookspecs import hookimpl
from bailiwick.mail.compose.addresses import usable
from bailiwick.mail.contacts import service as contacts
from bailiwick.mail.tools import draft, organise, read, send
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.tools.facts import Office
from bailiwick.tools.tool import TargetKind, Tool


class MailTools:
    """The tools of mail, and whom its owner knows."""

    def __init__(self, office: Mailroom) -> None:
        self._office = office

    @hookimpl
    def bailiwick_tools(self, office: Office) -> Sequence[Tool]:
        """All of them."""
        offered = (read, send, draft, organise)
        return [tool for some in offered for tool in some.tools(self._office)]

    @hookimpl
    async def bailiwick_knows(
        self, office: Office, workspace_id: str, kind: TargetKind, value: str
    ) -> bool:
        """Whether an address is one that the owner writes to or has, or an account is theirs."""
        match kind:
            case "address":
                return await self._knows_address(workspace_id, value)
            case "account":
                return await self._knows_account(workspace_id, value)
            case _:
                return False

    async def _knows_address(self, workspace_id: str, value: str) -> bool:
        address = usable(value)
        # Some letters become others in lower case: that would be someone else's address.
        if address is None or not (address.isascii() or address == address.lower()):
            return False
        async with self._office.storage.app.read() as session:
            return await contacts.knows(session, workspace_id, address)

    async def _knows_account(self, workspace_id: str, value: str) -> bool:
        async with self._office.storage.app.read() as session:
            own = await accounts.of_workspace(session, workspace_id)
        said = value.strip().casefold()
        return any(
            value == each.id or said in (each.label.casefold(), each.address.casefold())
            for each in own
        )
