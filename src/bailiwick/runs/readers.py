"""Who reads runs: a person sees them as they are; a program redacted, and counts as having read.

Whatever a run has read may stand in its transcript, so a program that reads the one, or that makes
a run go on, shares what was read with it.
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.people import context_of
from bailiwick.gate.trust import programs, reads
from bailiwick.gate.trust.programs import ProgramView
from bailiwick.identity.principal import Principal
from bailiwick.office import Office
from bailiwick.runs.models import Run
from bailiwick.runs.schemas import AgentSessionOut
from bailiwick.tools.trust import Source

_SESSION = (
    "title",
    "error_message",
    "messages",
    "calls",
    "children",
    "strangers",
    "pending_actions",
)


async def shown(
    session: AsyncSession,
    office: Office,
    who: Principal,
    runs: Sequence[Run],
    seen: Sequence[ProgramView],
    *,
    words: Sequence[str],
) -> Sequence[ProgramView]:
    """What someone reads of these runs."""
    if context_of(who) is None or not runs:
        return seen
    sources = await reads.sources_of(session, [run.id for run in runs])
    return await programs.shown_to(
        office, who, seen, workspace_id=runs[0].workspace_id, sources=sources, words=words
    )


async def whole(
    session: AsyncSession, office: Office, who: Principal, run: Run, seen: AgentSessionOut
) -> AgentSessionOut:
    """A session with all that is in it."""
    (out,) = await shown(session, office, who, [run], [seen], words=_SESSION)
    if seen.pending_actions:
        card = Source("stranger", f"what waits for a person in “{run.title[:60]}”")
        await programs.heard(office, who, "", workspace_id=run.workspace_id, sources=[card])
    return out


async def shared(
    session: AsyncSession, office: Office, who: Principal, run: Run, seen: AgentSessionOut
) -> AgentSessionOut:
    """The same where a program has set the run going, in the transaction that does so."""
    await share(session, who, run)
    return await programs.redacted_for(office, who, seen, _SESSION)


async def text(
    session: AsyncSession, office: Office, who: Principal, run: Run, content: str
) -> str:
    """One text of a run."""
    if context_of(who) is None:
        return content
    sources = await reads.sources_of(session, [run.id])
    await programs.heard(office, who, content, workspace_id=run.workspace_id, sources=sources)
    return await programs.text_for(office, who, content)


async def share(session: AsyncSession, who: Principal, run: Run) -> None:
    """What a program and a run that it sets going have read, both have read."""
    context_id = context_of(who)
    if context_id:
        await reads.inherit(session, run.id, of=context_id, words=False)
        await reads.inherit(session, context_id, of=run.id, words=False)
