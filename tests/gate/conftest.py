"""An office with a gate, someone who owns it, and callers of every kind."""

from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from bailiwick.gate.approvals.job import ApprovalJobs
from bailiwick.gate.call import Call, Caller, Denied, Outcome, Pending, Result
from bailiwick.gate.facts import FindsCaller
from bailiwick.gate.gate import Gate
from bailiwick.gate.models import Action
from bailiwick.kit.ledger.models import Row
from bailiwick.kit.ledger.records.recorder import NOBODY
from bailiwick.tools.scope import ALL, Limits, Scope
from support.office import API, Office, user_id


@dataclass
class Desk:
    """Where the tests sit."""

    office: Office
    owner: httpx.AsyncClient
    owner_id: str
    workspace_id: str
    agents: dict[str, Caller] = field(default_factory=dict)

    @property
    def gate(self) -> Gate:
        return self.office.gate

    def agent(self, id: str = "agt-tester", **changes: Any) -> Caller:
        made = Caller(
            kind="agent",
            id=id,
            name="Tester",
            workspace_id=self.workspace_id,
            user_id=self.owner_id,
            roles=("admin", "workspace:admin"),
            scope=ALL,
            limits=Limits(requests_per_hour=None),
            agent_kind="assistant",
        )
        self.agents[id] = replace(made, **changes)
        return self.agents[id]

    async def find(self, _office: Any, id: str, *_where: Any) -> Caller | None:
        """Whom the gate finds when it looks for a caller that it has stored."""
        return self.agents.get(id)

    def client(self, id: str = "cli-outside", **changes: Any) -> Caller:
        return self.agent(id, kind="client", name="Outside", agent_kind=None, **changes)

    async def call(self, caller: Caller, tool: str, /, **arguments: Any) -> Outcome:
        context = f"{caller.kind}:{caller.id}"
        return await self.gate.call(Call(caller, tool, arguments, context_id=context))

    async def done(self, caller: Caller, tool: str, /, **arguments: Any) -> Any:
        outcome = await self.call(caller, tool, **arguments)
        assert isinstance(outcome, Result), outcome
        return outcome.data

    async def denied(self, caller: Caller, tool: str, /, **arguments: Any) -> Denied:
        outcome = await self.call(caller, tool, **arguments)
        assert isinstance(outcome, Denied), outcome
        return outcome

    async def pending(self, caller: Caller, tool: str, /, **arguments: Any) -> Pending:
        outcome = await self.call(caller, tool, **arguments)
        assert isinstance(outcome, Pending), outcome
        return outcome

    async def run_allowed(self, approval_id: str) -> str:
        """What the job does once a person has allowed it."""
        return await self.office.product[ApprovalJobs].call(approval_id)

    async def audit(self) -> list[dict[str, Any]]:
        """Every line of the audit, oldest first."""
        import json

        async with self.office.product.storage.audit.read() as session:
            calls = select(Row).where(func.coalesce(Row.owner_id, "") != NOBODY).order_by(Row.id)
            rows = await session.scalars(calls)
            return [json.loads(row.body) for row in rows]

    async def actions(self) -> list[Action]:
        async with self.office.product.storage.app.read() as session:
            return list(await session.scalars(select(Action).order_by(Action.created_at)))

    async def use(self, tool: str, /, **arguments: Any) -> httpx.Response:
        """The owner calls a tool under their own name, by REST."""
        path = f"{API}/workspaces/{self.workspace_id}/tools/{tool}"
        return await self.owner.post(path, json={"arguments": arguments})


async def desk_in(office: Office) -> Desk:
    owner = await office.owner()
    spaces = (await owner.get(f"{API}/workspaces")).json()["items"]
    desk = Desk(office, owner, await user_id(owner), spaces[0]["id"])
    # The desk is asked first, as a feature that stands before the others would be.
    known = office.product.facts(FindsCaller)
    known[:0] = [FindsCaller("agent", desk.find), FindsCaller("client", desk.find)]
    return desk


@pytest.fixture
async def desk(office: Office) -> Desk:
    """On SQLite, for what storage plays no part in."""
    return await desk_in(office)


@pytest.fixture
async def either_desk(any_office: Office) -> Desk:
    """Once on each database."""
    return await desk_in(any_office)


READER = Scope(notebooks=("*",), accounts=("*",))
