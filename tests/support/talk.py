"""Threads with a scripted assistant, driven step by step."""

from dataclasses import dataclass
from typing import Any

import httpx
from sqlalchemy import select

from bailiwick.chat import answers
from bailiwick.runs.models import Run
from support.model_server import ModelServer
from support.office import API
from support.workshop import Workshop


@dataclass
class Talk:
    """An assistant, and the threads with it."""

    shop: Workshop
    agent: dict[str, Any]

    @property
    def assistant(self) -> str:
        """The agent's id in a thread."""
        return self.agent["id"].replace("agt-", "asst-")

    @property
    def owner(self) -> httpx.AsyncClient:
        return self.shop.owner

    async def thread(self, **body: Any) -> dict[str, Any]:
        """A new thread."""
        made = await self.owner.post(
            f"{API}/threads", json=body, headers={"X-Assistant-Id": self.assistant}
        )
        assert made.status_code == 201, made.text
        return made.json()

    async def post(self, thread: dict[str, Any], words: str, **more: Any) -> dict[str, Any]:
        """Say something, and let the assistant answer."""
        body = {"role": "user", "content": words, **more}
        said = await self.owner.post(f"{API}/threads/{thread['id']}/messages", json=body)
        assert said.status_code == 201, said.text
        await self.drive()
        return said.json()

    async def drive(self) -> None:
        """Let assistants work, and take their answers into the threads."""
        await self.shop.drive()
        product = self.shop.office.product
        async with product.storage.app.read() as session:
            found = (await session.scalars(select(Run.id).where(Run.thread_id.is_not(None)))).all()
        for id in found:
            await answers.take(product, id)

    async def read(self, thread: dict[str, Any]) -> dict[str, Any]:
        found = await self.owner.get(f"{API}/threads/{thread['id']}")
        assert found.status_code == 200, found.text
        return found.json()

    async def messages(self, thread: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        """The branch that is shown, oldest first."""
        path = f"{API}/threads/{thread['id']}/messages"
        found = await self.owner.get(path, params={"PageSize": 100, **query})
        assert found.status_code == 200, found.text
        return found.json()["items"][::-1]

    async def said(self, thread: dict[str, Any]) -> list[str]:
        """The texts of the branch that is shown."""
        return [message["content"] for message in await self.messages(thread)]


async def talk_in(shop: Workshop, server: ModelServer, **more: Any) -> Talk:
    """An assistant that asks a scripted model."""
    return Talk(shop, await shop.agent(modelId=await shop.model(server), **more))
