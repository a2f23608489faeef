"""What identity asks of other features."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.feature import Fact
from bailiwick.identity.models import User


@dataclass(frozen=True, slots=True)
class Welcome(Fact):
    """Prepares for a new user, in the transaction that makes them."""

    receive: Callable[[AsyncSession, User], Awaitable[None]]
