"""The parts of the walk that bring mail to directors: filters and the fetcher."""

from mail.scripted import letter, post_in
from notify.gate_walk import workspace
from notify.walking import Told, Walk, part, told_by
from support.office import API, user_id


@part(
    "POST /filters",
    "POST /filters/preview",
    "PATCH /filters/{filter_id}",
    "PUT /filters/order",
    "DELETE /filters/{filter_id}",
    tells="filter.created filter.changed filter.reordered filter.removed",
)
async def filters(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    agent = {"workspaceId": space, "name": "canary-agent", "kind": "director"}
    director = (await owner.post(f"{API}/agents", json=agent)).json()["id"]
    here = {f"user:{me}"}
    body = {"workspaceId": space, "field": "From", "regex": "canary@example.com"}
    _, told = await walk(owner, "POST /filters/preview", json=body)
    assert told == []
    body |= {"directorId": director, "name": "canary-filter"}
    answer, told = await walk(owner, "POST /filters", json=body)
    id, route = answer["id"], "PATCH /filters/{filter_id}"
    assert told == [Told("filter.created", here, me, id, space)]
    changed = [Told("filter.changed", here, me, id, space)]
    assert (await walk(owner, route, id, json={"regex": "canary-2"}))[1] == changed
    assert (await walk(owner, route, id, json={"regex": "canary-2"}))[1] == []
    other = (await owner.post(f"{API}/filters", json=body)).json()["id"]
    order = {"workspaceId": space, "ids": [other, id]}
    _, told = await walk(owner, "PUT /filters/order", json=order)
    assert told == [Told("filter.reordered", here, me, space, space)]
    assert (await walk(owner, "PUT /filters/order", json=order))[1] == []
    _, told = await walk(owner, "DELETE /filters/{filter_id}", id)
    assert told == [Told("filter.removed", here, me, id, space)]


@part(
    "POST /fetcher/start",
    "POST /fetcher/stop",
    "POST /fetcher/fetch",
    "POST /fetcher/run",
    tells="settings.changed fetch.requested mail.fetched",
)
async def fetcher(walk: Walk) -> None:
    owner, post = await walk.office.owner(), await post_in(walk.office)
    me, (id, provider) = await user_id(owner), await post.account("canary-label")
    switched = [Told("settings.changed", {"admins", "everyone"}, me, "fetcher_running")]
    assert (await walk(owner, "POST /fetcher/stop"))[1] == switched
    assert (await walk(owner, "POST /fetcher/stop"))[1] == []
    assert (await walk(owner, "POST /fetcher/start"))[1] == switched
    asked = [Told("fetch.requested", set(), me, id, post.workspace_id)]
    assert (await walk(owner, "POST /fetcher/fetch", json={"accountId": id}))[1] == asked
    assert (await walk(owner, "POST /fetcher/run"))[1] == asked
    # What no request does: mail comes in.
    provider.add(letter(1, subject="canary", sender="canary@example.com"))
    await post.fetch(id)
    *_, fetched = (told_by(row) for row in await walk.rows())
    about = {"count": 1, "routed": 0}
    here = {f"account:{id}"}
    assert fetched == Told("mail.fetched", here, None, id, post.workspace_id, about)
    walk.types.add(fetched.type)
