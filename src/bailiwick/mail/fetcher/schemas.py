"""Wire forms of the fetcher."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from bailiwick.accounts.schemas import OfAccount
from bailiwick.connectors.errors import ConnectionProblem
from bailiwick.kit.http.wire import Wire

FetchState = Literal["idle", "fetching", "failed"]


class FetchIn(Wire):
    """What to fetch."""

    account_id: OfAccount | None = Field(
        default=None, description="Left out: all accounts where one may change things"
    )


class FetchOut(Wire):
    """What was asked for."""

    account_ids: list[str] = Field(description="The accounts that mail is fetched from now")


class FetchedOut(Wire):
    """How fetching from an account went."""

    account_id: str
    label: str
    outcome: Literal["done", "failed", "working", "waiting"] = Field(
        description="Working and waiting: it goes on without being watched"
    )
    fetched: int = Field(description="How many new messages came in")
    problem: ConnectionProblem | None
    problem_detail: str | None


class FetchRunOut(Wire):
    """How it went, account by account."""

    items: list[FetchedOut]


class FetchAccountOut(Wire):
    """How fetching from an account goes."""

    account_id: str
    workspace_id: str
    label: str
    address: str
    enabled: bool
    state: FetchState
    left: int | None = Field(description="Messages that are still to come, as far as known")
    fetched: int = Field(description="New messages of the last fetch")
    started_at: datetime | None
    last_fetch: datetime | None = Field(description="When a fetch last came to its end")
    next_at: datetime | None = Field(description="When the next begins by itself; null: none does")
    failures: int = Field(description="In a row")
    problem: ConnectionProblem | None
    problem_detail: str | None


class FetcherOut(Wire):
    """Whether mail is fetched by itself, and how that goes."""

    running: bool
    interval_minutes: int
    accounts: list[FetchAccountOut]
