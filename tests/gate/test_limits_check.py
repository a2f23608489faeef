"""Limits that block, over all processes, and say when to come back."""

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from bailiwick.gate import meters
from bailiwick.gate.meters import HOUR, Meters
from bailiwick.tools.scope import Limits
from gate.conftest import Desk

pytestmark = pytest.mark.req("GATE-04")
MIDDAY = datetime(2027, 1, 15, 12, 30, tzinfo=UTC).timestamp()


@pytest.fixture(autouse=True)
def _within_one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was used is forgotten on the hour and at midnight: never between two calls here."""
    monkeypatch.setattr(meters, "time", SimpleNamespace(time=lambda: MIDDAY))


async def test_calls_beyond_the_hours_limit_are_refused_with_the_time_to_wait(either_desk: Desk):
    desk = either_desk
    agent = desk.agent(limits=Limits(requests_per_hour=3))
    for _ in range(3):
        await desk.done(agent, "list_files")
    refused = await desk.denied(agent, "list_files")
    assert refused.code == "rate_limited"
    assert refused.retry_after
    assert 0 < refused.retry_after <= HOUR
    assert "Try again in" in refused.reason
    await desk.done(desk.agent("agt-other", limits=Limits(requests_per_hour=3)), "list_files")


@pytest.mark.parametrize(
    ("left", "told"), [(HOUR / 2, "in 30 minutes."), (90.0, "in 2 minutes."), (1.0, "in 1 minute.")]
)
async def test_the_time_to_wait_is_told_in_minutes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, left: float, told: str
):
    end = MIDDAY + HOUR / 2
    monkeypatch.setattr(meters, "time", SimpleNamespace(time=lambda: end - left))
    agent = desk.agent(limits=Limits(requests_per_hour=1))
    await desk.done(agent, "list_files")
    refused = await desk.denied(agent, "list_files")
    assert refused.reason.endswith(told)
    assert refused.retry_after == left


async def test_several_processes_together_never_pass_the_limit(either_desk: Desk):
    processes = [Meters(either_desk.office.product.storage) for _ in range(3)]

    async def take(meter: Meters) -> int:
        taken = 0
        for _ in range(100):
            taken += await meter.take("agt-x", "requests", limit=130, seconds=HOUR) is None
        return taken

    taken = await asyncio.gather(*(take(meter) for meter in processes for _ in "ab"))
    assert 124 <= sum(taken) <= 130


@pytest.mark.parametrize(
    ("meter", "limits", "amount"),
    [
        ("tokens", Limits(tokens_per_day=1000), 1000),
        ("money", Limits(money_per_day=0.5), 500_000),
    ],
)
async def test_what_a_model_spent_today_blocks_further_calls(desk: Desk, meter, limits, amount):
    agent = desk.agent(limits=limits)
    await desk.done(agent, "list_files")
    async with desk.office.product.storage.app.write() as session:
        await meters.add(session, agent.id, meter, amount=amount)
    refused = await desk.denied(agent, "list_files")
    assert refused.code == "rate_limited"
    assert meter in refused.reason
