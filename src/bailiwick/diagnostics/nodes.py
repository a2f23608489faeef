"""The tree of diagnostics: fetch cycles, in them directors' runs, in these agents' sessions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.cases.models import Case
from bailiwick.diagnostics import lines, repository
from bailiwick.diagnostics.repository import NO_CYCLE, FoundCycle, RunFigures
from bailiwick.diagnostics.schemas import TraceLineOut, TraceNodeOut
from bailiwick.runs.models import Run
from bailiwick.runs.segment import MILLION


def may_read_run(reader: Reader, run: Run) -> bool:
    """Whether what a run asked and answered is someone's own."""
    return reader.has(run.user_id) and run.workspace_id in reader.workspaces


def may_read_mail(reader: Reader, case: Case) -> bool:
    """Whether the mail of a case is in an account that is open to someone."""
    return reader.may(case.account_id, "read")


def email_of(reader: Reader, case: Case) -> str:
    """The mail in one line, for those to whom it is open."""
    return lines.summary(case) if may_read_mail(reader, case) else ""


def of_cycle(found: FoundCycle, children: Sequence[TraceNodeOut]) -> TraceNodeOut:
    """A fetch cycle with some of the directors' runs in it."""
    live = {"pending", "running", "waiting"} & found.states.keys()
    sums = {**found.sums, "money": found.sums["money"] / MILLION}
    return TraceNodeOut(
        id=found.id or NO_CYCLE,
        kind="cycle",
        at=found.at,
        ended_at=None if live else found.ended_at,
        states=found.states,
        fetch_cycle_id=found.id,
        children=list(children),
        has_more_children=len(children) < found.sums["directors"],
        content_hidden=any(child.content_hidden for child in children),
        **sums,  # pyright: ignore[reportArgumentType]
    )


def of_line(line: TraceLineOut) -> TraceNodeOut:
    """A line as a node of its own."""
    same = ("director", "director_name", "agent", "agent_name", "email_summary")
    ids = ("fetch_cycle_id", "dir_thread_id", "agent_thread_id", "content_hidden", "id")
    return TraceNodeOut(
        **{name: getattr(line, name) for name in (*same, *ids)},
        kind="line",
        at=line.timestamp,
        ended_at=None,
        line=line,
    )


@dataclass(frozen=True, slots=True)
class RunNodes:
    """Makes nodes of runs."""

    reader: Reader
    cases: Mapping[str, Case]
    names: Mapping[str, str]
    figures: Mapping[str, RunFigures]
    below: Mapping[str, Sequence[Run]]

    def director(self, run: Run) -> TraceNodeOut:
        """A director's run, with the sessions of agents in it."""
        return self._node(run, run)

    def _node(self, run: Run, root: Run) -> TraceNodeOut:
        case = self.cases[run.case_id or ""]
        figures = self.figures.get(run.id, RunFigures())
        is_agent = run.id != root.id
        children = [self._node(child, root) for child in self.below.get(run.id, ())]
        return TraceNodeOut(
            id=run.id,
            kind="agent" if is_agent else "director",
            at=run.started_at or run.created_at,
            ended_at=run.completed_at,
            state=run.status,
            director=root.agent_id,
            director_name=self._name(root),
            agent=run.agent_id if is_agent else "",
            agent_name=self._name(run) if is_agent else "",
            email_summary=email_of(self.reader, case),
            fetch_cycle_id=case.cycle_id,
            dir_thread_id=root.id,
            agent_thread_id=run.id if is_agent else "",
            case_id=case.id,
            model=figures.model,
            agents=len(children) + sum(child.agents for child in children),
            model_calls=run.api_calls,
            tool_calls=figures.calls,
            failed_calls=figures.failed,
            input_tokens=run.input_tokens,
            output_tokens=run.output_tokens,
            money=run.money / MILLION,
            latency_ms=figures.latency_ms,
            content_hidden=not may_read_run(self.reader, run),
            children=children,
        )

    def _name(self, run: Run) -> str:
        return self.names.get(run.agent_id, "an agent that is gone")


async def of_directors(
    session: AsyncSession, reader: Reader, roots: Sequence[Run]
) -> list[TraceNodeOut]:
    """Directors' runs, with the sessions of agents in them."""
    agents = await repository.below(session, roots)
    every = [*roots, *agents]
    below: defaultdict[str, list[Run]] = defaultdict(list)
    for run in agents:
        below[run.parent_id or ""].append(run)
    making = RunNodes(
        reader,
        await repository.cases(session, every),
        await repository.names(session, every),
        await repository.figures(session, [run.id for run in every]),
        below,
    )
    return [making.director(run) for run in roots]
