"""Budgets are checked before a model is called: with the most that the answer could cost."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents.models import Agent
from bailiwick.gate import meters
from bailiwick.gate.meters import MILLIONTH, Meter, Meters
from bailiwick.llm.chat import TokenUsage
from bailiwick.runs.models import Run
from bailiwick.tools.scope import Limits


@dataclass(slots=True)
class Reserved:
    """What is set aside of the day's budgets for one question, and what one try of it may take."""

    tokens: int
    money: int  # millionths of a dollar
    most_tokens: int
    most_money: int | None


class OverBudget(Exception):
    """The next call could cost more than is left."""


async def reserve(
    counted: Meters, run: Run, agent: Agent, *, tokens: int, money: int | None
) -> Reserved:
    """Set aside what a call may cost, or `OverBudget` with the reason in words."""
    _check_run(run, agent, tokens=tokens, money=money)
    return Reserved(*await _hold(counted, agent, tokens, money or 0), tokens, money)


async def reserve_again(
    counted: Meters, run: Run, agent: Agent, reserved: Reserved, spent: TokenUsage
) -> None:
    """Set aside what another try may cost beside what those before it used, or `OverBudget`."""
    used, paid = spent.input_tokens + spent.output_tokens, spent.money or 0
    tokens = used + reserved.most_tokens
    money = None if reserved.most_money is None else paid + reserved.most_money
    _check_run(run, agent, tokens=tokens, money=money)
    held = await _hold(counted, agent, tokens - reserved.tokens, (money or 0) - reserved.money)
    reserved.tokens += held[0]
    reserved.money += held[1]


def _check_run(run: Run, agent: Agent, *, tokens: int, money: int | None) -> None:
    spent = run.input_tokens + run.output_tokens
    if agent.tokens_per_run is not None and spent + tokens > agent.tokens_per_run:
        raise OverBudget(
            f"The budget of this run is {agent.tokens_per_run:,} tokens; {spent:,} are used, and "
            f"the next step could take {tokens:,} more."
        )
    if money is not None and agent.money_per_run is not None:
        _check_money(run, agent.money_per_run, money)


async def _hold(counted: Meters, agent: Agent, tokens: int, money: int) -> tuple[int, int]:
    """Take so much of the day's budgets; what has no bound is not counted."""
    limits = Limits.model_validate(agent.limits)
    meters: list[tuple[Meter, int, float | None, int]] = [
        ("tokens", tokens, limits.tokens_per_day, 1),
        ("money", money, limits.money_per_day, MILLIONTH),
    ]
    taken: list[tuple[Meter, int]] = []
    for meter, amount, limit, unit in meters:
        if limit is None or amount <= 0:
            continue
        if not await counted.reserve(agent.id, meter, amount=amount, limit=int(limit * unit)):
            await _give_back(counted, agent.id, taken)
            raise OverBudget(
                f"{agent.name} may use {_shown(meter, limit)} a day; the next step could pass that."
            )
        taken.append((meter, amount))
    known = dict(taken)
    return known.get("tokens", 0), known.get("money", 0)


async def settle(
    session: AsyncSession, agent: Agent, reserved: Reserved, spent: TokenUsage
) -> None:
    """Count what was really used in place of what was set aside, where a day has a bound."""
    limits = Limits.model_validate(agent.limits)
    if limits.tokens_per_day is not None:
        used = spent.input_tokens + spent.output_tokens
        await meters.add(session, agent.id, "tokens", amount=used - reserved.tokens)
    if limits.money_per_day is not None:
        await meters.add(session, agent.id, "money", amount=(spent.money or 0) - reserved.money)


async def _give_back(counted: Meters, subject: str, taken: list[tuple[Meter, int]]) -> None:
    for meter, amount in taken:
        await counted.give_back(subject, meter, amount=amount)


def _check_money(run: Run, limit: float, money: int) -> None:
    if run.money + money > limit * MILLIONTH:
        raise OverBudget(
            f"The budget of this run is ${limit:g}; ${run.money / MILLIONTH:.4f} are spent, and "
            f"the next step could cost ${money / MILLIONTH:.4f} more."
        )


def _shown(meter: Meter, limit: float) -> str:
    return f"${limit:g}" if meter == "money" else f"{int(limit):,} tokens"
