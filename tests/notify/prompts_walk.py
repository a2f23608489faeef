"""The part of the walk that writes prompts and templates."""

from notify.gate_walk import workspace
from notify.walking import Told, Walk, part
from support.office import user_id


@part(
    "POST /prompts",
    "POST /prompts/preview",
    "PUT /prompts/{prompt_id}",
    "DELETE /prompts/{prompt_id}",
    "POST /prompt-templates",
    "PUT /prompt-templates/{template_id}",
    "DELETE /prompt-templates/{template_id}",
    tells="prompt.created prompt.changed prompt.removed",
)
async def prompts(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    said = {"messages": [{"role": "system", "content": "canary-words {{user}}"}]}
    _, told = await walk(owner, "POST /prompts/preview", json=said)
    assert told == []
    for routes, id_, kind in (
        ("/prompts", "{prompt_id}", "prompt"),
        ("/prompt-templates", "{template_id}", "template"),
    ):
        body = {"name": "canary-name", **said}
        answer, told = await walk(owner, f"POST {routes}", json={"workspaceId": space, **body})
        id = answer["id"]

        def event(verb: str, id: str = id, kind: str = kind) -> list[Told]:
            to = {"admins", f"workspace:{space}"}
            return [Told(f"prompt.{verb}", to, me, id, space, {"kind": kind})]

        assert told == event("created")
        _, told = await walk(owner, f"PUT {routes}/{id_}", id, json={"revision": 1, **body})
        assert told == [], "nothing was changed"
        changed = {"revision": 1, **body, "description": "canary-description"}
        _, told = await walk(owner, f"PUT {routes}/{id_}", id, json=changed)
        assert told == event("changed")
        _, told = await walk(owner, f"DELETE {routes}/{id_}", id)
        assert told == event("removed")
