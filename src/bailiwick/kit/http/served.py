"""The app's only state: what the HTTP conventions need of the office that it serves."""

from collections.abc import Callable
from typing import Protocol

from fastapi import Request

from bailiwick.kit.db import Storage
from bailiwick.kit.vault import Vault


class Served(Protocol):
    """The part of an office that every endpoint shares."""

    @property
    def storage(self) -> Storage:
        """Its stores."""
        ...

    @property
    def vault(self) -> Vault:
        """The vault that seals its secrets."""
        ...

    @property
    def hasher(self) -> Callable[[str], str]:
        """Its keyed hash."""
        ...

    async def idempotency_hours(self) -> int:
        """For how long an Idempotency-Key is remembered."""
        ...


def served(request: Request) -> Served:
    """The office behind a request."""
    return request.app.state.office
