"""Tools for mail. Their callers see virtual ids and the users' own labels, never a provider's."""

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.reader import reader_for
from bailiwick.mail.compose.addresses import usable
from bailiwick.mail.contacts import service as contacts
from bailiwick.mail.tools import attachment, draft, organise, read, send
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.office import Office
from bailiwick.tools.tool import TargetKind, Tool


def tools(office: Office) -> list[Tool]:
    """All of them."""
    room = Mailroom(office)
    modules = (read, attachment, send, draft, organise)
    return [tool for some in modules for tool in some.tools(room)]


async def knows(
    office: Office, workspace_id: str, user_id: str | None, kind: TargetKind, value: str
) -> bool:
    """Whether an address is one that the owner writes to or has, or an account is theirs."""
    match kind:
        case "address":
            return await _knows_address(office, workspace_id, user_id, value)
        case "account":
            return await _knows_account(office, workspace_id, user_id, value)
        case _:
            return False


async def _knows_address(
    office: Office, workspace_id: str, user_id: str | None, value: str
) -> bool:
    address = usable(value)
    # Some letters become ASCII in lower case: those are other people's addresses.
    if address is None or not (address.isascii() or address == address.lower()):
        return False
    async with office.storage.app.read() as session:
        reader = await reader_for(session, user_id)
        return await contacts.knows(session, workspace_id, reader.id, address)


async def _knows_account(
    office: Office, workspace_id: str, user_id: str | None, value: str
) -> bool:
    async with office.storage.app.read() as session:
        reader = await reader_for(session, user_id)
        own = await accounts.of_workspace(session, reader, workspace_id)
    said = value.strip().casefold()
    return any(
        value == each.id or said in (each.label.casefold(), each.address.casefold()) for each in own
    )
