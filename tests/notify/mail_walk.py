"""The part of the walk that no request does: mail comes in, is given to a director, and moves."""

from bailiwick.connectors.mail import ChangedMessage
from notify.walking import Told, Walk, part, told_by
from support.mailbag import letter, mailbag_in
from support.office import API


@part(tells="mail.received mail.routed mail.changed agent.created filter.created")
async def mail(walk: Walk) -> None:
    owner, bag = await walk.office.owner(), await mailbag_in(walk.office)
    account_id, space = await bag.account("canary-label"), bag.workspace_id
    agent = {"workspaceId": space, "name": "canary-name", "kind": "director"}
    director = (await owner.post(f"{API}/agents", json=agent)).json()["id"]
    given = {"workspaceId": space, "field": "Subject", "regex": "canary", "directorId": director}
    assert (await owner.post(f"{API}/filters", json=given)).is_success
    mail_id = await bag.got(account_id, letter("canary", "canary", sender="canary@example.com"))
    await bag.take(account_id, changed=(ChangedMessage("r1", flags=frozenset({"seen"})),))
    rows = await walk.rows()
    walk.types.update(row.type for row in rows if row.type in TYPES)
    here = {f"account:{account_id}"}
    routed = {"directorId": director, "accountId": account_id, "fetchCycleId": ""}
    assert [told_by(row) for row in rows if row.type.startswith("mail.")] == [
        Told("mail.routed", here, None, mail_id, space, routed),
        Told("mail.received", here, None, account_id, space, {"count": 1, "ids": [mail_id]}),
        Told("mail.changed", here, None, account_id, space),
    ]


TYPES = {"mail.received", "mail.routed", "mail.changed", "agent.created", "filter.created"}
