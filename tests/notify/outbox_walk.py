"""The part of the walk that is about mail on its way out."""

from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.reader import EVERYONE
from bailiwick.kit import correlation
from bailiwick.mail.outbox import repository, service
from bailiwick.mail.outbox.sender import Sender
from notify.gate_walk import workspace
from notify.walking import Told, Walk, part
from support.office import API, user_id


@part(
    "POST /outbox/{outgoing_id}/cancel",
    "POST /outbox/{outgoing_id}/send-now",
    "POST /outbox/{outgoing_id}/resolve",
    "POST /workspaces/{workspace_id}/tools/{tool}",
    tells=(
        "outbox.held outbox.sent outbox.failed outbox.cancelled outbox.unknown outbox.due "
        "action.done"
    ),
)
async def outbox(walk: Walk) -> None:
    office, owner = walk.office, await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    settings = {"address": "canary@example.com"}
    body = {"workspaceId": space, "connector": "local", "settings": settings, "label": "canary"}
    account = (await owner.post(f"{API}/accounts", json=body)).json()["id"]

    def event(type: str, id: str, by: str = me) -> Told:
        data = {"accountId": account, "status": type.partition(".")[2]}
        return Told(type, {f"account:{account}"}, by, id, space, data)

    async def put() -> str:
        sent = {"to": ["canary@example.com"], "subject": "canary-subject", "body": "canary-body"}
        route = "POST /workspaces/{workspace_id}/tools/{tool}"
        answer, told = await walk(owner, route, space, "send_email", json={"arguments": sent})
        id = answer["result"]["outbox_id"]
        assert told[:2] == [due(told[0]), event("outbox.held", id)]
        assert [each.type for each in told[2:]] == ["action.done"]
        return id

    id = await put()
    _, told = await walk(owner, "POST /outbox/{outgoing_id}/cancel", id)
    assert told[0] == event("outbox.cancelled", id)
    assert [each.type for each in told[1:]] == ["action.done"]
    id = await put()
    _, told = await walk(owner, "POST /outbox/{outgoing_id}/send-now", id)
    assert (told[0], [each.type for each in told[1:]]) == (due(told[0]), ["action.done"])
    sender = Sender(
        office.product.storage, office.product.blobs, office.product[AccountOpener], None
    )  # pyright: ignore[reportArgumentType]
    correlation.begin(correlation="trace-of-a-send")
    await sender.attend(id, 2)
    assert await walk.told("trace-of-a-send") == [event("outbox.sent", id)]
    for end, type in ((service.give_up, "outbox.failed"), (service.leave_open, "outbox.unknown")):
        id = await put()
        correlation.begin(correlation=f"trace-of-{type}")
        async with office.product.storage.app.write() as session:
            end(session, await repository.get(session, EVERYONE, id), problem="canary")
        assert await walk.told(f"trace-of-{type}") == [event(type, id)]
    route = "POST /outbox/{outgoing_id}/resolve"
    _, told = await walk(owner, route, id, json={"sent": True})
    assert (told[0], [each.type for each in told[1:]]) == (
        event("outbox.sent", id),
        ["action.done"],
    )


def due(told: Told) -> Told:
    """For our own jobs: nobody sees it."""
    return Told("outbox.due", set(), None, told.subject, None, told.data)
