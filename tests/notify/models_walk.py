"""The part of the walk that is about models."""

from bailiwick.llm.adapter import Models
from notify.walking import Told, Walk, part
from support.model_server import serving_model
from support.office import user_id


@part(
    "POST /models",
    "PUT /models/{model_id}",
    "DELETE /models/{model_id}",
    "POST /models/{model_id}/default",
    "POST /models/{model_id}/test",
    "POST /models/list",
    tells="model.created model.changed model.removed",
)
async def models(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, all = await user_id(owner), {"admins", "everyone"}
    offline = (await walk.office.product[Models].get()).id
    with serving_model() as server:
        body = {"name": "canary-model", "provider": "compatible", "model": "canary-1"}
        body |= {"key": "canary-key", "baseUrl": f"{server.base_url}/canary"}
        answer, told = await walk(owner, "POST /models", json=body)
        id = answer["id"]
        assert told == [Told("model.created", all, me, id)]
        _, told = await walk(owner, "POST /models/{model_id}/test", id)
        assert told == []
        listing = {"provider": "bedrock"}
        assert (await walk(owner, "POST /models/list", json=listing))[1] == []
        changed = [Told("model.changed", all, me, id)]
        for put in (body, body | {"name": "canary-2"}):
            assert (await walk(owner, "PUT /models/{model_id}", id, json=put))[1] == changed
        del put["key"]
        assert (await walk(owner, "PUT /models/{model_id}", id, json=put))[1] == []
        assert (await walk(owner, "POST /models/{model_id}/default", id))[1] == changed
        assert (await walk(owner, "POST /models/{model_id}/default", id))[1] == []
        await walk(owner, "POST /models/{model_id}/default", offline)
        _, told = await walk(owner, "DELETE /models/{model_id}", id)
        assert told == [Told("model.removed", all, me, id)]
