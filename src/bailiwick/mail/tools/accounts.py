"""Finds the account that a caller means.

Callers know accounts by their users' labels, never by a provider's name. An account outside the
caller's scope does not exist for it: neither in a list nor in a refusal.
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository
from bailiwick.accounts.facts import facts_of
from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import reader_for
from bailiwick.errors import Invalid, RuleViolated
from bailiwick.kit.likeness import nearest
from bailiwick.tools.facts import AccountFacts
from bailiwick.tools.tool import ToolContext

NONE = (
    "No mail account is connected. A person connects one in the page under Settings, Accounts, "
    "or with `bailiwick account connect`."
)
_CLOSED = "None of the mail accounts of this workspace is open to you."
# Our own words, because a provider's message may name it.
_REASONS = {
    "invalid_grant": "Signing in fails. A person has to connect the account again.",
    "missing_refresh_token": "The permission has ended. A person has to connect it again.",
    "network": "Its server cannot be reached at present.",
    "other": "It does not work at present. The accounts page says why.",
}


async def _connected(session: AsyncSession, context: ToolContext) -> list[Account]:
    reader = await reader_for(session, context.user_id)
    return await repository.of_workspace(session, reader, context.workspace_id)


async def open_to(session: AsyncSession, context: ToolContext) -> list[Account]:
    """The enabled accounts in the caller's scope, the primary one first."""
    return [
        account
        for account in await _connected(session, context)
        if context.scope.allows_account(account.label) and account.id not in context.withheld
    ]


async def chosen(session: AsyncSession, context: ToolContext, name: str | None) -> Account:
    """The named account; if none is named, the primary one, or the only one."""
    known = await open_to(session, context)
    if not known:
        raise RuleViolated(_CLOSED if await _connected(session, context) else NONE)
    if name:
        return named(known, name)
    if len(known) == 1 or known[0].is_primary:
        return known[0]
    raise Invalid.field("account", f"say which account: {choices(known)}")


def named(known: Sequence[Account], name: str) -> Account:
    """The one account that a virtual id, a label or an address means."""
    said = name.strip().casefold()
    found = (
        [account for account in known if account.id == name]
        or [account for account in known if account.label.casefold() == said]
        or [account for account in known if account.address.casefold() == said]
    )
    if len(found) == 1:
        return found[0]
    if found:
        reason = f"{name[:60]!r} could be any of these accounts: {choices(found)}"
    else:
        reason = f"there is no account {name[:60]!r}; there are {choices(known)}"
        if near := _nearest(known, name):
            reason = f"{reason}; did you mean {near.label!r}?"
    raise Invalid.field("account", reason)


def _nearest(known: Sequence[Account], name: str) -> Account | None:
    labels = {account.label: account for account in known}
    addresses = {account.address: account for account in known}
    found = nearest(name, labels) or nearest(name, addresses)
    return {**addresses, **labels}[found] if found else None


def choices(known: Sequence[Account]) -> str:
    """The labels to choose from."""
    return ", ".join(repr(account.label) for account in known)


async def facts(session: AsyncSession, context: ToolContext, account: Account) -> AccountFacts:
    """An account, as rules see it."""
    return facts_of(account, await reader_for(session, context.user_id))


def reason(problem: str) -> str:
    """The reason why an account does not work, without the provider's name."""
    return _REASONS.get(problem, _REASONS["other"])
