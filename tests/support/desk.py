"""A mail office: accounts, directors and filters, and a model that says what a test tells it to."""

from dataclasses import dataclass
from typing import Any

import httpx

from bailiwick.cases import opening
from support.mailroom import Mailroom, letter
from support.model_server import ModelServer
from support.office import API
from support.workshop import Workshop, workshop_in

MAIL = letter(
    "Cleo Client <cleo@client.example>",
    subject="The lamp is broken",
    text="The lamp that came on Monday does not work. Please send another one.",
)


@dataclass
class Desk:
    """Where mail becomes cases."""

    room: Mailroom
    shop: Workshop
    account_id: str
    model_id: str

    async def director(self, name: str = "Support", **more: Any) -> dict[str, Any]:
        """A director that works on what the filters give it."""
        tools = ["read_email", "workspace_*", "agent__*", "list_*", "reply_email"]
        return await self.shop.agent(
            **{
                "name": name,
                "kind": "director",
                "modelId": self.model_id,
                "scope": {"accounts": ["*"], "tools": tools},
                "canAccessIntegrations": True,
                **more,
            }
        )

    async def filtered(
        self,
        director: dict[str, Any],
        pattern: str = ".",
        *,
        who: httpx.AsyncClient | None = None,
    ) -> dict[str, Any]:
        """Mail whose subject matches goes to a director."""
        body = {
            "workspaceId": self.room.workspace_id,
            "name": f"To {director['name']} {pattern}",
            "field": "Subject",
            "regex": pattern,
            "directorId": director["id"],
        }
        made = await (who or self.room.owner).post(f"{API}/filters", json=body)
        assert made.status_code == 201, made.text
        return made.json()

    async def got(
        self, raw: bytes = MAIL, *, account_id: str | None = None, cycle_id: str = ""
    ) -> str:
        """A mail comes in and is worked on until nothing is left to do; the mail's id."""
        account_id = account_id or self.account_id
        id = await self.room.got(account_id, raw, cycle_id=cycle_id)
        await self.opened(account_id)
        await self.shop.drive()
        return id

    async def opened(self, account_id: str | None = None) -> int:
        """What the engine does when a mail was routed."""
        return await opening.open_cases(self.room.office.product, account_id or self.account_id)

    async def cases(self, **query: Any) -> list[dict[str, Any]]:
        """The cases that the owner sees, newest first."""
        found = await self.room.owner.get(f"{API}/cases", params=query)
        assert found.status_code == 200, found.text
        return found.json()["items"]

    async def items(self, case: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        """The items of a case."""
        found = await self.room.owner.get(f"{API}/cases/{case['id']}/items", params=query)
        assert found.status_code == 200, found.text
        return found.json()["items"]


async def desk_in(room: Mailroom, server: ModelServer) -> Desk:
    """Set up an office with one account, and a model that asks the server."""
    shop = await workshop_in(room.office)
    account_id = await room.connect(routeFrom="all")
    return Desk(room, shop, account_id, await shop.model(server))
