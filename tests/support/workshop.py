"""An office in which agents run, driven step by step: what DBOS begins in the product, we begin."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from bailiwick.gate.approvals.job import ApprovalJobs
from bailiwick.gate.models import Approval
from bailiwick.kit.engine.flags import Flags
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.llm.adapter import Models
from bailiwick.runs import approvals
from bailiwick.runs.loop import Runner
from bailiwick.runs.models import Run
from bailiwick.runs.schedules.due import due
from support.model_server import Answer, ModelServer, Turn, serving_model
from support.office import API, Office, user_id


async def _no_sleep(_: float) -> None:
    return


@dataclass
class Workshop:
    """Where agents are made and set going."""

    office: Office
    owner: httpx.AsyncClient
    owner_id: str
    workspace_id: str
    flags: Flags
    runner: Runner
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    servers: list[ModelServer] = field(default_factory=list)

    async def model(self, server: ModelServer, **more: Any) -> str:
        """A configuration that asks a scripted server."""
        body = {
            "name": f"Scripted {len(self.servers)}",
            "provider": "compatible",
            "model": "scripted-1",
            "baseUrl": server.base_url,
            "key": "sk-test",
            **more,
        }
        made = await self.owner.post(f"{API}/models", json=body)
        assert made.status_code == 201, made.text
        self.servers.append(server)
        return made.json()["id"]

    async def agent(self, **more: Any) -> dict[str, Any]:
        """An agent that may do everything inside the workspace, unless told otherwise."""
        body = {
            "workspaceId": self.workspace_id,
            "name": "Tester",
            "scope": {"notebooks": ["*"]},
            "canWrite": True,
            "canCreate": True,
            **more,
        }
        made = await self.owner.post(f"{API}/agents", json=body)
        assert made.status_code == 201, made.text
        return made.json()

    async def folder(self, name: str, path: Path) -> Path:
        """A folder of this machine, opened to the workspace; what lies in it is a stranger's."""
        body = {"name": name, "path": str(path)}
        made = await self.owner.post(f"{API}/workspaces/{self.workspace_id}/notebooks", json=body)
        assert made.status_code == 201, made.text
        return path

    async def start(
        self, agent: dict[str, Any], words: str | None, *, who: httpx.AsyncClient | None = None
    ) -> dict[str, Any]:
        """Start a session, without driving it."""
        path = f"{API}/agents/{agent['id']}/sessions"
        body = {} if words is None else {"content": words}
        made = await (who or self.owner).post(path, json=body)
        assert made.status_code == 201, made.text
        return made.json()

    async def ask(self, agent: dict[str, Any], words: str) -> dict[str, Any]:
        """Start a session and drive everything until nothing is left to do."""
        made = await self.start(agent, words)
        await self.drive()
        return await self.read(made["id"])

    async def say(self, id: str, words: str) -> dict[str, Any]:
        said = await self.owner.post(f"{API}/sessions/{id}/message", json={"content": words})
        assert said.status_code == 202, said.text
        await self.drive()
        return await self.read(id)

    async def answer(self, session: dict[str, Any], *, yes: bool, **more: Any) -> dict[str, Any]:
        """Answer the first action that waits, and drive on."""
        action = session["pendingActions"][0]["id"]
        body = {"actionId": action, "confirmed": yes, **more}
        path = f"{API}/sessions/{session['id']}/confirm"
        said = await self.owner.post(path, json=body)
        assert said.status_code == 200, said.text
        await self.drive()
        return await self.read(session["id"])

    async def read(self, id: str) -> dict[str, Any]:
        found = await self.owner.get(f"{API}/sessions/{id}")
        assert found.status_code == 200, found.text
        return found.json()

    async def due(self, schedule: dict[str, Any], moment: datetime) -> str:
        """What the engine does when a schedule is due."""
        return await due(self.office.product, schedule["id"], moment)

    async def drive(self) -> None:
        """Do what the engine would, until there is nothing."""
        while await self._allowed() or await self._queued():
            pass

    async def _queued(self) -> bool:
        async with self.office.product.storage.app.read() as session:
            statement = select(Run.id, Run.segment).where(Run.status == "pending", Run.segment > 0)
            found = (await session.execute(statement)).all()
        ends = [await self.runner.segment(id, segment) for id, segment in found]
        return any(end != "nothing to do" for end in ends)

    async def _allowed(self) -> bool:
        product = self.office.product
        async with self.office.product.storage.app.read() as session:
            statement = select(Approval.id).where(Approval.status == "allowed")
            found = (await session.scalars(statement)).all()
        for id in found:
            await product[ApprovalJobs].call(id)
        before = await self._waiting()
        await approvals.overlooked(product)
        return bool(found) or before != await self._waiting()

    async def _waiting(self) -> int:
        async with self.office.product.storage.app.read() as session:
            found = await session.scalars(select(Run.id).where(Run.status == "waiting"))
            return len(found.all())


async def workshop_in(office: Office) -> Workshop:
    """Open the workshop, with an owner who has one workspace."""
    owner = await office.owner()
    spaces = (await owner.get(f"{API}/workspaces")).json()["items"]
    product = office.product
    # No tail runs here, which would tell it of flags that are raised.
    product.storage.app.after_commit.append(
        lambda session: product.flags.follow(eventlog.recorded_in(session))
    )
    product[Models]._sleep = _no_sleep
    return Workshop(
        office, owner, await user_id(owner), spaces[0]["id"], product.flags, product[Runner]
    )


@contextmanager
def scripted(*script: Turn | Answer) -> Iterator[ModelServer]:
    """A model that says what a test tells it to."""
    with serving_model(*script) as server:
        yield server


def texts(session: dict[str, Any], role: str) -> list[str]:
    """What someone said in a session."""
    return [each["content"] for each in session["messages"] if each["role"] == role]
