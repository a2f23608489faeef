"""The gate: every action of every agent, built-in or from outside, goes through `call`."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from bailiwick.accounts.reader import EVERYONE
from bailiwick.errors import NotFound
from bailiwick.gate import pipeline
from bailiwick.gate.actions import recovery
from bailiwick.gate.approvals import cards, repository, service
from bailiwick.gate.call import Call, Caller, CallerKind, Denied, Outcome, Pending, Result
from bailiwick.gate.checks import provenance, scope
from bailiwick.gate.context import CallContext
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.facts import FindsCaller
from bailiwick.gate.models import Approval
from bailiwick.gate.toolbox import CallerTools
from bailiwick.kit import ids
from bailiwick.kit.eventlog import Recorded
from bailiwick.tools.facts import AttachedFile
from bailiwick.tools.tool import Arguments, CallForecast, Tool

_ENDS = (service.DENIED, service.EXPIRED, service.FINISHED)
_LOOK_SECONDS = 2.0


class Gate:
    """The one way to an effect."""

    def __init__(self, dependencies: GateDependencies) -> None:
        self._dependencies = dependencies
        features = dependencies.office.features
        self._connector_names = [each.name for one in features for each in one.connectors]
        self._under_way: set[asyncio.Task[Outcome]] = set()
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    async def call(self, call: Call) -> Outcome:
        """Pass a call through every check; it never waits for a person and never starts runs.

        A caller who leaves does not stop it halfway: what was begun comes to its end.
        """
        context = CallContext(call, ids.new("cal"), call.arguments)
        context.own_tools = CallerTools(self, self._dependencies, call)
        task = asyncio.create_task(pipeline.enter(self._dependencies, context))  # pyright: ignore[reportArgumentType]
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def forecast(self, call: Call) -> CallForecast:
        """What the checks would say to a call; nothing is done, counted or written down."""
        tools = CallerTools(self, self._dependencies, call)
        return await tools.forecast(call.tool, call.arguments)

    async def tools(self, caller: Caller) -> list[Tool]:
        """What this caller may ever use, by its scope and by the rules."""
        book = await self._dependencies.rulebooks.current()
        about: dict[str, Any] = {
            "caller": {"kind": caller.kind, "name": caller.name, "version": caller.version},
            "user": {"id": caller.user_id, "roles": list(caller.roles)},
            "agent": provenance.agent_facts(caller),
            "workspace": caller.workspace_id,
        }
        return [
            tool
            for tool in self._dependencies.offered(caller)
            if scope.obstacle(caller, tool) is None
            and scope.is_meant_for(caller, tool)
            and not all(
                book.never(tool.name, {**about, "effect": tool.effect, "connector": connector})
                for connector in self._connectors(tool)
            )
        ]

    def _connectors(self, tool: Tool) -> Sequence[str]:
        """The connectors through which a tool may act: known only once there is an account."""
        varies = tool.account or tool.accounts
        return (tool.connector, *self._connector_names) if varies else (tool.connector,)

    async def find_caller(
        self, kind: CallerKind, id: str, workspace_id: str, context_id: str | None
    ) -> Caller | None:
        """Who a caller is now, from what was stored of them; None if they are gone."""
        office = self._dependencies.office
        for fact in office.facts(FindsCaller):
            if fact.kind == kind:
                return await fact.find(office, id, workspace_id, context_id)
        return None

    async def recover(self) -> int:
        """Settle what a process that ended left open; how many there were."""
        return await recovery.recover(self._dependencies)

    def find_tool(self, caller: Caller, name: str) -> Tool | None:
        """A tool that is offered to a caller now, by its name."""
        return self._dependencies.find_tool(caller, name)

    async def approval(self, caller: Caller, id: str) -> Outcome:
        """How a parked call of this caller stands."""
        async with self._dependencies.storage.app.read() as session:
            row = await repository.get(session, EVERYONE, id)
        if row.caller_id != caller.id or row.caller_kind != caller.kind:
            raise NotFound("That approval does not exist.")
        return _stands(row)

    async def card_now(self, row: Approval, arguments: Arguments) -> cards.ApprovalCard | None:
        """What a call that waits would do now, with these arguments."""
        return await cards.card_now(self._dependencies, await self._asker(row), row, arguments)

    async def file_of(self, row: Approval, number: int) -> AttachedFile:
        """A file that goes with a call that waits, if it is what the card says."""
        return await cards.file_of(self._dependencies, await self._asker(row), row, number)

    async def _asker(self, row: Approval) -> Caller | None:
        return await self.find_caller(
            row.caller_kind, row.caller_id, row.workspace_id, row.context_id
        )

    async def settled(self, caller: Caller, id: str, *, seconds: float) -> Outcome:
        """How a parked call stands once it has ended, or when the time is over."""
        loop = asyncio.get_running_loop()
        deadline, woken = loop.time() + seconds, asyncio.Event()
        self._waiting[id].add(woken)
        try:
            while True:
                woken.clear()
                outcome = await self.approval(caller, id)
                left = deadline - loop.time()
                if not isinstance(outcome, Pending) or left <= 0:
                    return outcome
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left, _LOOK_SECONDS)):
                        await woken.wait()
        finally:
            self._waiting[id].discard(woken)
            if not self._waiting[id]:
                del self._waiting[id]

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Wake those who wait for an approval, and let every part hear of changes."""
        for part in (
            self._dependencies.halts,
            self._dependencies.readings,
            self._dependencies.rulebooks,
            self._dependencies.redactors,
        ):
            part.follow(batch)
        for event in batch:
            if event.type in _ENDS:
                for woken in self._waiting.get(event.subject_id or "", ()):
                    woken.set()

    async def close(self) -> None:
        """Wait for what is under way."""
        if self._under_way:
            await asyncio.wait(self._under_way)


def _stands(row: Approval) -> Outcome:
    match row.status:
        case "pending" | "allowed":
            return Pending(row.id, row.reason, row.expires_at)
        case "done":
            return Result(row.result, action_id=row.action_id)
        case "denied":
            note = f" They say: {row.note}" if row.note else ""
            return Denied("blocked", f"A person denied it.{note}", rule_id=row.rule_id)
        case "expired":
            return Denied(
                "approval_void", "Nobody answered in time. Ask again if it still matters."
            )
        case "unknown":
            return Denied("unknown_outcome", row.error or "Nobody knows whether it happened.")
        case _:
            return Denied("failed", row.error or "It failed.")
