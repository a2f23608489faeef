"""The events that tell of mail. They hold ids, never a word of a mail."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.instance import audience
from bailiwick.kit import eventlog

RECEIVED = "mail.received"
CHANGED = "mail.changed"
ROUTED = "mail.routed"
_MOST_IDS = 50


def received(session: AsyncSession, account: Account, ids: Sequence[str]) -> None:
    """New mail is in the inbox."""
    data = {"count": len(ids), "ids": list(ids[:_MOST_IDS])}
    _emit(session, account, RECEIVED, subject=account.id, data=data)


def changed(session: AsyncSession, account: Account) -> None:
    """Something about an account's mail is otherwise now."""
    _emit(session, account, CHANGED, subject=account.id, data={})


def routed(session: AsyncSession, account: Account, row: Mapping[str, Any]) -> None:
    """A filter gave a message to a director."""
    data = {
        "directorId": row["director_id"],
        "accountId": account.id,
        "fetchCycleId": row["cycle_id"],
    }
    _emit(session, account, ROUTED, subject=row["message_id"], data=data)


def _emit(
    session: AsyncSession, account: Account, type: str, *, subject: str, data: Mapping[str, Any]
) -> None:
    event = eventlog.Event(
        type,
        audience=(audience.account(account.id),),
        workspace_id=account.workspace_id,
        subject_id=subject,
        data=data,
    )
    eventlog.record(session, event)
