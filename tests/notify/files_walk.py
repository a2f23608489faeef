"""The part of the walk that is about files over REST."""

from notify.walking import Walk, part
from support.office import API

_FILES = "/workspaces/{workspace_id}/files"


@part(
    f"POST {_FILES}",
    f"PUT {_FILES}/content",
    f"PUT {_FILES}/text",
    f"PATCH {_FILES}/tags",
    f"PATCH {_FILES}/properties",
    f"POST {_FILES}/move",
    f"DELETE {_FILES}",
    f"POST {_FILES}/restore",
    tells="action.done notebook.opened files.changed",
)
async def files(walk: Walk) -> None:
    owner = await walk.office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    at, moved = {"path": "Files/canary.md"}, {"path": "Files/canary-2.md"}
    sent = {"content": b"canary", "headers": {"Content-Type": "application/octet-stream"}}
    _, told = await walk(owner, f"PUT {_FILES}/content", space, params=at, **sent)
    assert told[-1].type == "action.done", told
    assert told[-1].audience == {f"workspace:{space}"}
    await walk(
        owner, f"PATCH {_FILES}/properties", space, params=at, json={"properties": {"a": "canary"}}
    )
    await walk(owner, f"PATCH {_FILES}/tags", space, params=at, json={"tags": ["canary"]})
    await walk(owner, f"POST {_FILES}", space, json={"path": "Files/canary-3.md"})
    text = await owner.get(f"{API}{_FILES}/text".format(workspace_id=space), params=at)
    seen = {"headers": {"If-Match": text.json()["etag"]}, "json": {"content": "canary, too"}}
    await walk(owner, f"PUT {_FILES}/text", space, params=at, **seen)
    await walk(owner, f"POST {_FILES}/move", space, json={**at, "to": moved["path"]})
    versions = await owner.get(f"{API}{_FILES}/versions".format(workspace_id=space), params=moved)
    await walk(owner, f"DELETE {_FILES}", space, params=moved)
    version = versions.json()["versions"][-1]["id"]
    _, told = await walk(
        owner, f"POST {_FILES}/restore", space, params=moved, json={"version": version}
    )
    assert told[-1].type == "action.done"
