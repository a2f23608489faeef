"""What has become of the sample office: read from what its mail, run and approvals say."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.agents import repository as agents
from bailiwick.demo import cast as casting
from bailiwick.demo import letters, repository
from bailiwick.demo.models import Demo
from bailiwick.demo.schemas import DemoDirectorOut, DemoFindingOut, DemoOut, DemoState
from bailiwick.gate.approvals.schemas import ApprovalStatus
from bailiwick.gate.models import Approval
from bailiwick.mail.models import MailSync
from bailiwick.runs.models import Run, RunCall
from bailiwick.workspaces.access import WorkspaceAccess

_AT_WORK = ("pending", "running")
_GONE = "Its run was deleted."


async def of_workspace(session: AsyncSession, access: WorkspaceAccess, reader: Reader) -> DemoOut:
    """How someone's sample data in a workspace is; that there is none is an answer too."""
    demo = await repository.find(session, access.id)
    plain = DemoOut(
        state="absent",
        can_change=access.role == "admin" and (demo is None or reader.has(demo.user_id)),
        note=casting.GULLIBLE_NOTE,
        words=casting.WORDS,
        mails=0,
        expected=letters.count(),
        routed=0,
        directors=[],
        account_id=None,
        assistant_id=None,
        run_id=None,
        findings=[],
        problem=None,
        created_at=None,
    )
    if demo is None or not reader.has(demo.user_id):
        return plain
    return await _shown(session, demo, plain)


async def _shown(session: AsyncSession, demo: Demo, plain: DemoOut) -> DemoOut:
    run = await session.get(Run, demo.run_id) if demo.run_id else None
    sync = await repository.sync(session, demo.account_id)
    routed = await repository.routed(session, demo.account_id)
    state, problem = _state(demo, sync, run)
    return plain.model_copy(
        update={
            "state": state,
            "problem": problem,
            "mails": await repository.count_mails(session, demo.account_id),
            "routed": sum(routed.values()),
            "directors": await _directors(session, demo, routed),
            "account_id": demo.account_id,
            "assistant_id": demo.assistant_id,
            "run_id": demo.run_id,
            "findings": await _findings(session, demo),
            "created_at": demo.created_at,
        }
    )


def _state(demo: Demo, sync: MailSync | None, run: Run | None) -> tuple[DemoState, str | None]:
    if demo.run_id is None:
        failed = sync is not None and sync.state == "failed"
        return (
            ("failed", "The sample mails could not be fetched.") if failed else ("fetching", None)
        )
    if run is None:
        return "failed", _GONE
    if run.status in _AT_WORK:
        return "working", None
    return ("failed", run.error) if run.status == "failed" else ("ready", None)


async def _directors(
    session: AsyncSession, demo: Demo, routed: Mapping[str, int]
) -> list[DemoDirectorOut]:
    ids: Sequence[str] = demo.agents
    names = await agents.directors(session, demo.workspace_id, ids)
    return [
        DemoDirectorOut(agent_id=id, name=names[id], routed=routed.get(id, 0))
        for id in ids
        if id in names
    ]


async def _findings(session: AsyncSession, demo: Demo) -> list[DemoFindingOut]:
    if demo.run_id is None:
        return []
    return [_finding(*pair) for pair in await repository.asked_for(session, demo.run_id)]


def _finding(call: RunCall, approval: Approval) -> DemoFindingOut:
    preview = cast("Mapping[str, Any]", approval.preview or {})
    everyone = cast("Mapping[str, Sequence[str]]", preview.get("recipients") or {})
    given = cast("Mapping[str, Any]", json.loads(call.arguments))
    return DemoFindingOut(
        # It was asked for replies alone: a new mail is what somebody else asked for.
        kind="reply" if call.tool == "reply_email" else "stopped",
        approval_id=approval.id,
        recipients=[address for some in everyone.values() for address in some],
        subject=str(preview.get("subject") or given.get("subject") or ""),
        reason=approval.reason,
        status=cast("ApprovalStatus", approval.status),
    )
