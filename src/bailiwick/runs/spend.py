"""Tokens and money by day, agent and model."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.kit.http.pages import PageRequest, page_of
from bailiwick.runs import repository
from bailiwick.runs.schemas import SpendOut, SpendRow
from bailiwick.runs.segment import MILLION

_Key = tuple[str, str, str, str]


async def spent(
    session: AsyncSession, page: PageRequest, *, now: datetime, days: int, user_id: str | None
) -> SpendOut:
    """What was used in the last days, as the office's calendar has them; None: by everyone."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    found = await repository.spent_since(
        session, midnight - timedelta(days=days - 1), user_id=user_id
    )
    sums: dict[_Key, list[int]] = {}
    unpriced = 0
    for at, agent_id, model_id, model, asked, said, money, *cached, estimated in found:
        day = at.astimezone(zone).date().isoformat()
        row = sums.setdefault((day, agent_id, model_id, model), [0] * 8)
        for place, amount in enumerate((1, asked, said, money or 0, *cached, estimated)):
            row[place] += amount
        unpriced += money is None
    names = await agents.names(session, {key[1] for key in sums})
    items = [_row(key, row, names) for key, row in sorted(sums.items(), reverse=True)]
    return SpendOut(
        **dict(page_of(items, page, by=_name)),
        money=sum(row[3] for row in sums.values()) / MILLION,
        saved=sum(row[6] for row in sums.values()) / MILLION,
        cache_read_tokens=sum(item.cache_read_tokens for item in items),
        tokens=sum(item.input_tokens + item.output_tokens for item in items),
        unpriced_calls=unpriced,
        estimated_calls=sum(item.estimated_calls for item in items),
    )


def _name(row: SpendRow) -> str:
    return " ".join((row.day, row.agent_id, row.model_id, row.model))


def _row(key: _Key, row: list[int], names: dict[str, str]) -> SpendRow:
    day, agent_id, model_id, model = key
    return SpendRow(
        day=day,
        agent_id=agent_id,
        agent_name=names.get(agent_id, agent_id),
        model_id=model_id,
        model=model,
        calls=row[0],
        input_tokens=row[1],
        output_tokens=row[2],
        money=row[3] / MILLION,
        cache_read_tokens=row[4],
        cache_write_tokens=row[5],
        saved=row[6] / MILLION,
        estimated_calls=row[7],
    )
