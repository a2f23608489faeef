"""What a run would cost, before it starts: by the agent's earlier runs, or else by a guess."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import callers, statement
from bailiwick.agents.asking import asking
from bailiwick.agents.models import Agent
from bailiwick.llm import prices, tokens
from bailiwick.llm.adapter import Models
from bailiwick.llm.chat import OfferedTool, TokenUsage
from bailiwick.office import Office
from bailiwick.runs import repository, start
from bailiwick.runs.files import repository as uploads
from bailiwick.runs.schemas import EstimateOut
from bailiwick.runs.segment import MILLION
from bailiwick.runs.start import RunOwner, RunRequest
from bailiwick.tools.registry import Registry

# A request that nothing is known of: so many steps, each with an answer and a result of this size.
_STEPS = 4
_ANSWER = 400
_RESULT = 1_500


async def estimate(
    session: AsyncSession,
    office: Office,
    models: Models,
    *,
    agent: Agent,
    person: RunOwner,
    words: str,
    files: Sequence[str] = (),
) -> EstimateOut:
    """Tokens and money that a run would use."""
    config = await models.get(agent.model_id)
    begun = await _beginning(session, office, agent, person, words)
    attached = await uploads.uploads(session, person.id or "", files)
    shown = [{"type": "file", **row.file} for row in attached.values()]
    begun += tokens.count([{"role": "user", "content": shown}]) if shown else 0
    before = await repository.count_completed(session, agent.id)
    if before:
        asked, said = await repository.average(session, agent.id)
        asked = max(asked, begun)
    else:
        asked = sum(begun + step * (_ANSWER + _RESULT) for step in range(_STEPS))
        said = _STEPS * _ANSWER
    longest: int = agent.limits.get("tokens_per_request") or config.max_output or 4_000
    most_asked = sum(begun + step * (longest + _RESULT) for step in range(agent.step_limit))
    return EstimateOut(
        model=config.name,
        input_tokens=int(asked),
        output_tokens=int(said),
        money=_dollars(prices.price(config, TokenUsage(int(asked), int(said)))),
        most=_dollars(prices.price(config, TokenUsage(most_asked, longest * agent.step_limit))),
        basis="history" if before else "guess",
        runs=min(before, 20),
    )


async def _beginning(
    session: AsyncSession, office: Office, agent: Agent, person: RunOwner, words: str
) -> int:
    """The tokens of the first request."""
    scope = callers.within(callers.scope_of(agent), person.scope)
    own = asking(await callers.colleagues_of(session, agent))
    offered = [
        OfferedTool(tool.name, tool.description, tool.plain_parameters)
        for tool in (*office[Registry], *own)
        if scope.allows_tool(tool.name)
    ]
    run = start.new(agent, person, RunRequest())
    blocks, imprint = await start.prompt_of(session, run, agent)
    said = [statement.of(agent, scope, own), words, *(b.content for b in (*blocks, *imprint))]
    return tokens.count([{"role": "user", "content": text} for text in said], offered)


def _dollars(money: int | None) -> float | None:
    return None if money is None else money / MILLION
