"""The part of the walk that brings the sample data in and takes it away."""

from collections import Counter

from notify.gate_walk import workspace
from notify.walking import Walk, part
from support.office import user_id

ROUTE = "/workspaces/{workspace_id}/demo"


@part(
    f"POST {ROUTE}",
    f"DELETE {ROUTE}",
    tells="account.connected agent.created filter.created account.disconnected agent.removed"
    " notebook.opened notebook.closed"
    " filter.removed connector.changed contact.imported rule.created rule.deleted",
)
async def sample_data(walk: Walk) -> None:
    owner, space = await walk.office.owner(), await workspace(walk)
    _, told = await walk(owner, f"POST {ROUTE}", space)
    made = {"account.connected": 1, "agent.created": 8, "filter.created": 2}
    made |= {"contact.imported": 1, "rule.created": 1, "notebook.opened": 1}
    assert Counter(each.type for each in told) == made
    _, told = await walk(owner, f"DELETE {ROUTE}", space)
    counts = Counter(each.type for each in told)
    assert (counts["agent.removed"], counts["rule.deleted"]) == (8, 1)
    assert counts["notebook.closed"] == 1
    assert (counts["filter.removed"], counts["account.disconnected"]) == (2, 1)
    shared = [each for each in told if each.type.startswith("agent.")]
    assert {f"workspace:{space}" in each.audience for each in shared} == {True}
    own = [each for each in told if each.type.startswith(("account.", "filter.", "contact."))]
    assert {f"user:{await user_id(owner)}" in each.audience for each in own} == {True}
    assert not any({"admins", f"workspace:{space}"} & each.audience for each in own)
