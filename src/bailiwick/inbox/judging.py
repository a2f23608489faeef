"""From a paper in an inbox to the organiser's run: once for each content, whatever happens between.

The row of a judgement is made in the transaction that starts its run. Killed, begun twice or begun
by two processes, no content is looked at twice; a run that fails is tried again later, then marked.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import BailiwickError
from bailiwick.gate import people
from bailiwick.gate.call import Caller
from bailiwick.gate.trust import grounding, reads
from bailiwick.identity.principal import OPERATOR
from bailiwick.inbox import events, learning, places, repository, settings
from bailiwick.inbox.models import Judgement, Suggestion
from bailiwick.kit import clock, ids
from bailiwick.library import labels
from bailiwick.library.index import partial_names
from bailiwick.library.index.models import IndexedFile
from bailiwick.library.models import Notebook
from bailiwick.office import Office
from bailiwick.runs import service as run_service
from bailiwick.runs import start
from bailiwick.runs.models import Run
from bailiwick.runs.start import RunOwner, RunRequest
from bailiwick.tools.trust import Source

JUDGE, AGAIN, ENDED = "inbox.judge", "inbox.again", "inbox.ended"
MOST_ATTEMPTS = 3
_LOCK = 0x696E626F
_BACKOFF = (timedelta(minutes=1), timedelta(minutes=10))
_NOBODY = "Nobody in this workspace can be asked in whose name to look at it."
_ORDER = (
    "A new file has arrived in the inbox: {path}\n\nLook at it, and suggest where it should be "
    "organised."
)
log = structlog.stdlib.get_logger("bailiwick.inbox")


@dataclass(frozen=True, slots=True)
class _Desk:
    """For whom the organiser works, and what was decided before."""

    person: Caller | None
    decided: Sequence[Suggestion]
    now: datetime


@dataclass(frozen=True, slots=True)
class _Paper:
    """A file that is looked at, and what was decided about files like it."""

    file: IndexedFile
    notebook: Notebook
    examples: Sequence[str]


async def judge(
    office: Office,
    workspace_id: str,
    *,
    asked: bool = False,
    only: Collection[str] | None = None,
) -> int:
    """Let the organiser look at every paper that it has not seen, or `only` at these; how many.

    By itself it does so only where the settings say so; `asked` by a person it does in any case.
    """
    async with office.storage.app.read() as session:
        chosen = await settings.of(session, workspace_id)
        found = await repository.unjudged(session, workspace_id)
    if not chosen.agent_enabled or not (chosen.auto_organize or asked):
        return 0
    ready = [
        pair
        for pair in found
        if _is_meant(pair[0], chosen.never_touch) and (only is None or pair[0].id in only)
    ]
    made = 0
    if not ready:
        return made
    desk = await _desk(office, workspace_id)
    for file, notebook in ready:
        paper = await _paper(office, file, notebook, desk)
        async with office.storage.app.write() as session:
            # Two processes take turns, or a copy would be looked at twice.
            await office.storage.app.alone(session, lock=_LOCK)
            if file.digest and not await repository.judgement_of(session, notebook.id, file.digest):
                await _opened(session, desk, paper)
                made += 1
    return made


async def judge_again(office: Office, judgement_id: str) -> None:
    """Try once more what failed."""
    async with office.storage.app.read() as session:
        row = await session.get(Judgement, judgement_id)
        file = await repository.file_at(session, row.notebook_id, row.path) if row else None
        notebook = await repository.notebook(session, row.notebook_id) if row else None
    if row is None:
        return
    desk = await _desk(office, row.workspace_id)
    same = file and notebook and file.digest == row.digest
    paper = await _paper(office, file, notebook, desk) if file and notebook and same else None
    async with office.storage.app.write() as session:
        row = await repository.judgement(session, judgement_id)
        if row is None or row.status != "waiting":
            return
        if paper is None:
            row.status, row.problem = "undecided", "The file is gone, or is another one now."
        else:
            await _begin(session, desk, row, paper)
        events.emit_judgement(session, row)


async def organise(
    office: Office, workspace_id: str, *, only: Collection[str] | None = None
) -> int:
    """Look at everything that has no suggestion, or `only` at these; how many are looked at."""
    async with office.storage.app.read() as session:
        rows = await repository.files(session, [workspace_id])
    # A copy of what has a suggestion is not looked at again: each content is judged once.
    suggested = {row.file.digest for row in rows if row.suggestion}
    anew = [
        row.file.digest
        for row in rows
        if row.file.digest
        and row.judgement
        and row.file.digest not in suggested
        and (only is None or row.file.id in only)
    ]
    return await judge_anew(office, workspace_id, anew, only=only)


async def judge_anew(
    office: Office,
    workspace_id: str,
    digests: Sequence[str],
    *,
    only: Collection[str] | None = None,
) -> int:
    """Forget what came of looking at these contents, and look again; how many are looked at."""
    async with office.storage.app.write() as session:
        await repository.forget_judgements(session, workspace_id, digests)
    return await judge(office, workspace_id, asked=True, only=only)


async def ended(office: Office, run_id: str) -> None:
    """A run that looked at a paper is over: what came of it."""
    async with office.storage.app.write() as session:
        found = await repository.judgement_of_run(session, run_id)
        row = await repository.judgement(session, found.id) if found else None
        run = await session.get(Run, run_id)
        if row is None or run is None or row.status != "running" or row.run_id != run_id:
            return
        row.updated_at = clock.now()
        if await repository.of_run(session, run_id):
            row.status, row.problem = "judged", None
        elif run.status == "completed":
            row.status, row.problem = "undecided", None
        else:
            _failed(row, run.error or f"The run was {run.status}.")
        events.emit_judgement(session, row)


async def take_up(office: Office) -> None:
    """Begin what is still to be done, in case a restored engine knows nothing of it."""
    async with office.storage.app.read() as session:
        unfinished = await repository.unfinished(session)
        everyone = await repository.workspaces(session)
    for row, run in unfinished:
        if row.status == "running" and (run is None or run.status in ("completed", "failed")):
            await ended(office, row.run_id or "")
        elif row.status == "waiting":
            id = f"{AGAIN}:{row.id}:{ids.new('up')}"
            await office.engine.begin(AGAIN, row.id, id=id, partition=row.workspace_id)
    for workspace_id in everyone:
        id = f"{JUDGE}:{workspace_id}:{ids.new('up')}"
        await office.engine.begin(JUDGE, workspace_id, id=id, partition=workspace_id)


async def _desk(office: Office, workspace_id: str) -> _Desk:
    async with office.storage.app.write() as session:
        await settings.organiser(session, workspace_id)
        chosen = await settings.of(session, workspace_id)
        decided = await repository.decided(session, workspace_id)
    owner = chosen.owner_id
    person = await people.find_user(office, owner, workspace_id) if owner else None
    return _Desk(person, decided, await run_service.office_now(office))


async def _paper(office: Office, file: IndexedFile, notebook: Notebook, desk: _Desk) -> _Paper:
    """Find out what a transaction must not wait for."""
    vector = await learning.vector_of(office, file) if desk.decided else None
    return _Paper(file, notebook, learning.examples(vector, desk.decided))


async def _opened(session: AsyncSession, desk: _Desk, paper: _Paper) -> None:
    at, file, notebook = clock.now(), paper.file, paper.notebook
    row = Judgement(
        id=ids.new("jdg"),
        workspace_id=notebook.workspace_id,
        notebook_id=notebook.id,
        file_id=file.id,
        digest=file.digest,
        path=file.path,
        status="waiting",
        attempts=0,
        created_at=at,
        updated_at=at,
    )
    session.add(row)
    await session.flush()
    await _begin(session, desk, row, paper)
    events.emit_judgement(session, row)


async def _begin(session: AsyncSession, desk: _Desk, row: Judgement, paper: _Paper) -> None:
    try:
        async with session.begin_nested():
            row.run_id = await _run(session, desk, paper)
        row.status, row.problem = "running", None
    except BailiwickError as error:
        row.status, row.problem, row.run_id = "failed", error.detail, None
        log.warning("a paper has no run", judgementId=row.id, reason=error.detail)
    row.updated_at = clock.now()


async def _run(session: AsyncSession, desk: _Desk, paper: _Paper) -> str:
    file, notebook = paper.file, paper.notebook
    if desk.person is None:
        raise BailiwickError(_NOBODY)
    agent = await settings.organiser(session, notebook.workspace_id)
    path = f"{notebook.name}/{file.path}"
    person = RunOwner(
        None if desk.person.id == OPERATOR.id else desk.person.id,
        desk.person.name,
        desk.person.scope,
        present=False,
    )
    words = "\n\n".join([_ORDER.format(path=path), *_remembered(paper.examples)])
    request = RunRequest(words=words, kind="inbox", title=f"Where does {file.name} belong?")
    run = await start.start(session, agent, person, request, now=desk.now)
    # A name is content too, and so is what was decided about others that were named by strangers.
    names = tuple(file.path.split("/"))
    label = labels.usual(notebook, names)
    await reads.heard(
        session,
        run.id,
        workspace_id=run.workspace_id,
        source=Source(label, f"the name of {path}"),
        mentions=grounding.mentions(path),
    )
    return run.id


def _remembered(lines: Sequence[str]) -> list[str]:
    return ["What was decided about papers like it:\n" + "\n".join(lines)] if lines else []


def _failed(row: Judgement, reason: str) -> None:
    row.attempts += 1
    row.problem = reason
    if row.attempts >= MOST_ATTEMPTS:
        row.status, row.next_at = "failed", None
    else:
        row.status, row.next_at = "waiting", clock.now() + _BACKOFF[row.attempts - 1]


def _is_meant(file: IndexedFile, never_touch: Sequence[str]) -> bool:
    names = file.path.split("/")
    return not partial_names.is_partial(file.name) and not places.is_untouchable(names, never_touch)
