"""Access dependencies of endpoints: a signed-in caller, a person, or an admin.

Whatever widens what agents may do (rules, trusted folders, members, filters and the like) takes
`Widening`: a program that waits for an approval cannot lift it by changing what asks for it.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request

from bailiwick.errors import Forbidden, Unauthenticated
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.guard import SAFE_METHODS
from bailiwick.kit.http.openapi import ADMIN_SCOPE, ADMIN_SCOPE_OR_PERSON, demands

_WIDENS = "This changes what agents may do, which a token for reading and writing cannot."


def recognised(request: Request) -> Principal:
    """The caller, or an error that says why there is none."""
    principal: Principal | None = request.state.principal
    if principal is None:
        raise request.state.refusal or Unauthenticated()
    return principal


async def _signed_in(request: Request) -> Principal:
    principal = recognised(request)
    needed = "read" if request.method in SAFE_METHODS else "write"
    if needed not in principal.scopes:
        raise Forbidden(f"This token does not have the scope '{needed}'.")
    return principal


SignedIn = Annotated[Principal, Depends(_signed_in)]


@demands(ADMIN_SCOPE)
async def _admin(principal: SignedIn) -> Principal:
    if principal.role != "admin":
        raise Forbidden("Only an admin can do this.")
    if not principal.is_admin:
        raise Forbidden("This token does not have the scope 'admin'.")
    return principal


Admin = Annotated[Principal, Depends(_admin)]


@demands(ADMIN_SCOPE_OR_PERSON)
async def _widening(principal: SignedIn) -> Principal:
    if principal.can_widen:
        return principal
    if principal.role == "admin":
        raise Forbidden(f"{_WIDENS} Sign in, or use a token with the scope 'admin'.")
    raise Forbidden(f"{_WIDENS} Sign in to do this.")


Widening = Annotated[Principal, Depends(_widening)]


def in_person(refusal: str) -> Any:
    """A dependency for a person alone, whatever a token's scopes; `refusal` is what it cannot."""

    async def present(principal: SignedIn) -> Principal:
        if not principal.is_person_present:
            raise Forbidden(f"Sign in to do this: {refusal}.")
        return principal

    return Depends(present)


@dataclass(frozen=True, slots=True)
class Person:
    """A user at the keyboard, not a program with a token."""

    principal: Principal
    id: str


async def _user(principal: SignedIn) -> Person:
    if principal.user_id is None:
        raise Forbidden("Only a user can do this; the command line is not one.")
    return Person(principal, principal.user_id)


AUser = Annotated[Person, Depends(_user)]


async def _present(
    person: AUser,
    _: Annotated[Principal, in_person("a token cannot manage passwords, sessions or tokens")],
) -> Person:
    return person


PresentUser = Annotated[Person, Depends(_present)]
