"""The part of the walk that is about threads."""

from typing import Any

from bailiwick.artifacts.models import ArtifactDependency
from notify.walking import Told, Walk, part
from support.model_server import calls, says, serving_model
from support.office import API, user_id
from support.talk import Talk
from support.uploading import sent
from support.workshop import Workshop, workshop_in

ONE = "/threads/{thread_id}"
ARTIFACT = "/artifacts/{artifact_id}"
MESSAGE = f"{ONE}/messages/{{message_id}}"


@part(
    "POST /threads",
    f"PATCH {ONE}",
    f"DELETE {ONE}",
    f"POST {ONE}/stop",
    f"POST {ONE}/shares",
    f"DELETE {ONE}/shares/{{user_id}}",
    f"POST {ONE}/messages",
    f"PATCH {MESSAGE}",
    f"DELETE {MESSAGE}",
    f"POST {MESSAGE}/regenerate",
    f"PUT {MESSAGE}/star",
    f"DELETE {MESSAGE}/star",
    f"POST {MESSAGE}/reactions",
    f"DELETE {MESSAGE}/reactions/{{emoji}}",
    tells="thread.created thread.changed thread.archived thread.deleted thread.shared "
    "thread.unshared message.created "
    "message.updated attachment.stored reaction.added reaction.removed assistant.thinking "
    "assistant.response run.started run.queued run.cancelled reading.fresh flag.raised",
)
async def threads(walk: Walk) -> None:
    shop = await workshop_in(walk.office)
    owner, me, space = shop.owner, shop.owner_id, shop.workspace_id
    sam = await user_id(await walk.office.member("sam"))
    await owner.post(
        f"{API}/workspaces/{space}/members", json={"email": "sam@example.com", "role": "read"}
    )
    with serving_model(says("canary"), says("canary"), calls("create_task", {"title": "x"})) as ai:
        agent = await shop.agent(modelId=await shop.model(ai), askTools=["create_task"])
        talk = Talk(shop, agent)
        assistant = {"headers": {"X-Assistant-Id": talk.assistant}}
        made, told = await walk(owner, "POST /threads", json={"title": "canary"}, **assistant)
        id = made["id"]
        heard = {f"user:{me}", f"thread:{id}"}

        def tells(type: str, subject: str = id, **more: Any) -> Told:
            also = {f"user:{more['userId']}"} if "userId" in more else set[str]()
            return Told(type, heard | also, me, subject, space, {"threadId": id, **more})

        assert told == [tells("thread.created")]
        file = (await sent(owner, "canary.txt", b"canary"))["file_id"]
        said = {"content": "canary", "attachments": [{"file_id": file, "title": "canary"}]}
        said, told = await walk(owner, f"POST {ONE}/messages", id, json=said)
        message = said["id"]
        created = tells("message.created", message, messageId=message)
        assert created in told
        assert tells("attachment.stored", message, messageId=message, fileId=file) in told
        thinking = [event for event in told if event.type == "assistant.thinking"]
        assert [event.data["status"] for event in thinking] == ["processing"]
        await talk.drive()
        _, told = await walk(owner, f"POST {ONE}/shares", id, json={"userId": sam})
        assert told == [tells("thread.shared", userId=sam)]
        _, told = await walk(owner, f"DELETE {ONE}/shares/{{user_id}}", id, sam)
        assert told == [tells("thread.unshared", userId=sam)]
        updated = tells("message.updated", message, messageId=message)
        changed = {"content": "canary, too"}
        assert (await walk(owner, f"PATCH {MESSAGE}", id, message, json=changed))[1] == [updated]
        assert (await walk(owner, f"PUT {MESSAGE}/star", id, message))[1] == []
        assert (await walk(owner, f"DELETE {MESSAGE}/star", id, message))[1] == []
        _, told = await walk(
            owner, f"POST {MESSAGE}/reactions", id, message, json={"emoji": "eyes"}
        )
        assert told == [tells("reaction.added", message, messageId=message, emoji="eyes")]
        _, told = await walk(owner, f"DELETE {MESSAGE}/reactions/{{emoji}}", id, message, "eyes")
        assert told == [tells("reaction.removed", message, messageId=message, emoji="eyes")]
        await walk(owner, f"POST {MESSAGE}/regenerate", id, message)
        await talk.drive()
        assert (await walk(owner, f"DELETE {MESSAGE}", id, message))[1] == [updated]
        await owner.post(f"{API}/threads/{id}/messages", json={"content": "canary"})
        await talk.drive()
        await walk(owner, f"POST {ONE}/stop", id)
        _, told = await walk(owner, f"PATCH {ONE}", id, json={"status": "archived"})
        assert told == [tells("thread.archived")]
        assert (await walk(owner, f"PATCH {ONE}", id, json={"pinned": True}))[1] == [
            tells("thread.changed")
        ]
        assert (await walk(owner, f"DELETE {ONE}", id))[1] == [tells("thread.deleted")]
    walk.types |= {row.type for row in await walk.rows() if row.type.startswith("assistant.")}


@part(
    "POST /artifacts",
    f"PATCH {ARTIFACT}",
    f"DELETE {ARTIFACT}",
    f"POST {ARTIFACT}/links",
    f"POST {ARTIFACT}/uses",
    tells="artifact.added artifact.changed artifact.linked artifact.outdated artifact.removed "
    "action.done",
)
async def artifacts(walk: Walk) -> None:
    shop = await workshop_in(walk.office)
    owner, me, space = shop.owner, shop.owner_id, shop.workspace_id
    with serving_model(says("canary")) as ai:
        talk = Talk(shop, await shop.agent(modelId=await shop.model(ai)))
        thread = await talk.thread()
        said = await talk.post(thread, "canary")
    heard = {f"user:{me}", f"thread:{thread['id']}"}

    def tells(type: str, revision: int, **more: str) -> Told:
        about = {"threadId": thread["id"], "revision": revision, **more}
        return Told(f"artifact.{type}", heard, me, artifact, space, about)

    body = {"threadId": thread["id"], "title": "canary", "data": "canary"}
    made, told = await walk(owner, "POST /artifacts", json=body)
    artifact = made["artifact"]["artifactId"]
    assert tells("added", 1) in told
    await made_of(shop, artifact, (await owner.post(f"{API}/artifacts", json=body)).json())
    change = {"content": "canary, too"}
    _, told = await walk(owner, f"PATCH {ARTIFACT}", artifact, json=change)
    assert tells("changed", 2) in told
    assert [each.data["changedId"] for each in told if each.type == "artifact.outdated"] == [
        artifact
    ]
    link = {"messageId": said["id"]}
    _, told = await walk(owner, f"POST {ARTIFACT}/links", artifact, json=link)
    assert told == [tells("linked", 2, messageId=said["id"])]
    use = {"what": "view"}
    assert (await walk(owner, f"POST {ARTIFACT}/uses", artifact, json=use))[1] == []
    _, told = await walk(owner, f"DELETE {ARTIFACT}", artifact)
    assert tells("removed", 2) in told


async def made_of(shop: Workshop, artifact: str, other: dict[str, Any]) -> None:
    """Note that another artifact was made of this one."""
    async with shop.office.product.storage.app.write() as session:
        id = other["artifact"]["artifactId"]
        session.add(ArtifactDependency(artifact_id=id, on_id=artifact))
