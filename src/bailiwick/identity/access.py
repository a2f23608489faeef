"""Access dependencies of endpoints: a signed-in caller, a person, or an admin."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from bailiwick.errors import Forbidden, Unauthenticated
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.guard import SAFE_METHODS


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


async def _admin(principal: SignedIn) -> Principal:
    if principal.role != "admin":
        raise Forbidden("Only an admin can do this.")
    if not principal.is_admin:
        raise Forbidden("This token does not have the scope 'admin'.")
    return principal


Admin = Annotated[Principal, Depends(_admin)]


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


async def _present(person: AUser) -> Person:
    if not person.principal.is_person_present:
        raise Forbidden("Sign in to do this: a token cannot manage passwords, sessions or tokens.")
    return person


PresentUser = Annotated[Person, Depends(_present)]
