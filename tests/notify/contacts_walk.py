"""The part of the walk that changes whom the owner knows."""

from notify.gate_walk import workspace
from notify.walking import Told, Walk, part
from support.office import user_id

CARD = "BEGIN:VCARD\nVERSION:4.0\nFN:canary\nEMAIL:canary-2@example.com\nEND:VCARD\n"


@part(
    "POST /workspaces/{workspace_id}/contacts",
    "POST /workspaces/{workspace_id}/contacts/import",
    "PATCH /workspaces/{workspace_id}/contacts/{contact_id}",
    "DELETE /workspaces/{workspace_id}/contacts/{contact_id}",
    tells="contact.added contact.changed contact.imported contact.removed",
)
async def contacts(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    seen = {f"user:{me}"}
    route = "/workspaces/{workspace_id}/contacts"
    body = {"address": "canary@example.com", "name": "canary-name"}
    made, told = await walk(owner, f"POST {route}", space, json=body)
    id = made["id"]
    assert told == [Told("contact.added", seen, me, id, space)]
    one = route + "/{contact_id}"
    _, told = await walk(owner, f"PATCH {one}", space, id, json={"name": "canary-other"})
    assert told == [Told("contact.changed", seen, me, id, space)]
    _, told = await walk(owner, f"PATCH {one}", space, id, json={"name": "canary-other"})
    assert told == []
    _, told = await walk(owner, f"POST {route}/import", space, content=CARD)
    assert told == [Told("contact.imported", seen, me, space, space)]
    _, told = await walk(owner, f"POST {route}/import", space, content=CARD)
    assert told == []
    _, told = await walk(owner, f"DELETE {one}", space, id)
    assert told == [Told("contact.removed", seen, me, id, space)]
