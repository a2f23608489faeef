"""A mail office in which a director asked an agent, whose tool call failed."""

from typing import Any

from support.desk import MAIL, Desk, desk_in
from support.mailroom import Mailroom
from support.model_server import ModelServer, Request, Turn, calls, says
from support.office import API

CYCLE = "cyc-000000000abc"
MISSING = {"id": "item-that-is-not-there"}
ITEM = {"label": "Summary", "mimeType": "text/plain", "data": "A lamp is broken."}


def answer(request: Request) -> Turn:
    """The director asks the agent, adds an item, and is done; the agent looks for what is not."""
    if any(name.startswith("agent__") for name in request.tools):
        steps = [
            calls("agent__mood", {"input": "What is the mood of this mail?"}),
            calls("workspace_add_item", ITEM),
        ]
        return steps[len(request.results)] if len(request.results) < 2 else says("It is done.")
    if not request.results:
        return calls("workspace_get_item", MISSING)
    return says("The mood is bad.")


async def traced_desk(room: Mailroom, server: ModelServer, *, cycle_id: str = CYCLE) -> Desk:
    """The office, after one mail was worked on."""
    desk = await desk_in(room, server)
    mood = await desk.shop.agent(
        name="Mood", scope={"accounts": ["*"], "tools": ["workspace_*"]}, canAccessIntegrations=True
    )
    await desk.filtered(await desk.director(colleagues=[mood["id"]]))
    await desk.got(MAIL, cycle_id=cycle_id)
    return desk


async def read(client: Any, path: str, **query: Any) -> dict[str, Any]:
    """What an admin is answered."""
    found = await client.get(f"{API}/diagnostics{path}", params=query)
    assert found.status_code == 200, found.text
    return found.json()
