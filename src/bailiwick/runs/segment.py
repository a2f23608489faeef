"""A segment under way: what it knows, and its lease on the run.

Every change is made under the run's lock by whoever holds it. A process that lost the run, or whose
run was ended by someone else, finds out at its next change and stops.
"""

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents.models import Agent
from bailiwick.gate.call import Caller, RunFacts
from bailiwick.kit.db import Storage
from bailiwick.runs import repository
from bailiwick.runs.models import Run, RunCall, RunMessage
from bailiwick.runs.start import RunOwner

MILLION = 1_000_000


class LeaseLost(Exception):
    """Another process has the run, or it is over."""


@dataclass(frozen=True, slots=True)
class RunAuthority:
    """Who acts, for whom, and how far they may go; as it was after so many changes."""

    agent: Agent
    caller: Caller
    person: RunOwner
    secrets: dict[str, SecretStr]
    changes: int


@dataclass(slots=True)
class Segment:
    """What a segment knows of its run; `run` is as it was at the last change."""

    storage: Storage
    holder: str
    run: Run
    authority: RunAuthority
    calls: list[RunCall]
    rows: list[RunMessage] = field(default_factory=list[RunMessage])
    # Of the transcript as it was when the model was asked.
    length: int = 0
    # Messages that the diagnostics have already.
    reported: int = 0
    # When it was last known that nobody had ended the run.
    since: float = 0.0

    @property
    def agent(self) -> Agent:
        """Whose run it is."""
        return self.authority.agent

    @property
    def caller(self) -> Caller:
        """The agent, as the gate knows it."""
        return self.authority.caller

    @property
    def person(self) -> RunOwner:
        """For whom it runs."""
        return self.authority.person

    @property
    def wanted(self) -> list[RunCall]:
        """The calls that are still to be made."""
        return [call for call in self.calls if call.status == "wanted"]

    @asynccontextmanager
    async def changing(self) -> AsyncGenerator[AsyncSession]:
        """One change of the run, or `LeaseLost`."""
        before = self.run
        try:
            async with self.storage.app.write() as session:
                run = await repository.locked(session, before.id)
                if run is None or run.holder != self.holder or run.status != "running":
                    raise LeaseLost(before.id)
                self.run, self.since = run, time.monotonic()
                yield session
        except BaseException:
            self.run = before  # what was rolled back cannot be read any more
            raise

    def facts(self) -> RunFacts:
        """What rules see of the run."""
        run = self.run
        return RunFacts(run.steps, run.input_tokens + run.output_tokens, run.money / MILLION)
