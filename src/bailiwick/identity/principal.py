"""The caller of a request, and their rights."""

from dataclasses import dataclass
from typing import Literal

from bailiwick.instance.changes import Actor

UserRole = Literal["admin", "user"]
TokenScope = Literal["read", "write", "admin"]
ALL_SCOPES: frozenset[TokenScope] = frozenset(("read", "write", "admin"))


@dataclass(frozen=True, slots=True)
class Principal:
    """A signed-in user, a program with a user's token, or the operator at the command line."""

    id: str
    name: str
    role: UserRole
    via: Literal["session", "token", "jwt", "operator"]
    scopes: frozenset[TokenScope] = ALL_SCOPES
    user_id: str | None = None
    session_id: str | None = None
    token_id: str | None = None

    @property
    def is_admin(self) -> bool:
        """Whether admin rights apply: the role, and a token with that scope."""
        return self.role == "admin" and "admin" in self.scopes

    @property
    def is_person_present(self) -> bool:
        """Whether a person is at the keyboard, not a program with a token."""
        return self.via in ("session", "operator")

    @property
    def can_widen(self) -> bool:
        """Whether it may change what agents may do: a person, or a program for admin work."""
        return self.is_person_present or self.is_admin

    @property
    def can_end(self) -> bool:
        """Whether it rests on a session or token of ours, which can be revoked."""
        return bool(self.session_id or self.token_id)

    @property
    def actor(self) -> Actor:
        """The name under which changes are recorded."""
        return Actor(self.id, self.name)


OPERATOR = Principal(id="operator", name="Operator (command line)", role="admin", via="operator")
