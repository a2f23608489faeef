"""`guideline.md`: read, written through the gate, and the changes that decisions speak for."""

import asyncio
import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bailiwick.errors import Conflict, NotFound
from bailiwick.gate import own_name
from bailiwick.gate.call import Pending
from bailiwick.identity.principal import Principal
from bailiwick.inbox import events, repository
from bailiwick.inbox.filing import GUIDELINE, LONGEST_GUIDELINE
from bailiwick.inbox.models import GuidelineProposal, Suggestion
from bailiwick.kit import clock, ids
from bailiwick.library.changes import digest as digest_of
from bailiwick.library.models import Notebook
from bailiwick.library.read import as_text
from bailiwick.library.resolver import PathResolver
from bailiwick.office import Office
from bailiwick.workspaces.access import WorkspaceAccess

LEARN = "inbox.learn"
_LEAST = 3  # decisions that make a habit
_WORDS = re.compile(r"[^\W\d_]{4,}")
_MOST_WORDS = 4
_LOOKED_AT = 1_000  # characters of a text
_IDLE = re.compile(
    r"about|after|also|been|before|dear|from|have|hello|kind|more|please|regards|that|their|there|"
    r"these|they|this|were|what|when|which|will|with|within|your|yours"
)
_CHANGED = "The guideline was changed meanwhile. Read it again, and say what you want then."
_STALE = "The guideline was changed meanwhile, so this proposal no longer fits it."


@dataclass(frozen=True, slots=True)
class Guideline:
    """The guideline of a notebook as it is now."""

    notebook: Notebook
    text: str
    digest: str | None  # None: there is none yet


async def read(office: Office, notebook: Notebook) -> Guideline:
    """The guideline of a notebook."""
    root = await PathResolver(office).root(notebook)
    try:
        content, _ = await asyncio.to_thread(root.read, (GUIDELINE,), most=LONGEST_GUIDELINE)
    except NotFound:
        return Guideline(notebook, "", None)
    return Guideline(notebook, as_text(content) or "", digest_of(content))


async def write(
    office: Office, who: Principal, access: WorkspaceAccess, notebook: Notebook, text: str
) -> str | None:
    """Replace the guideline, or make it, under the person's own name; an approval's id if asked."""
    there = await read(office, notebook)
    tool = "create_file" if there.digest is None else "write_file"
    given = {"path": f"{notebook.name}/{GUIDELINE}", "content": text}
    outcome = await own_name.act(office, who, access, tool, given)
    return outcome.approval_id if isinstance(outcome, Pending) else None


async def replace(
    office: Office,
    who: Principal,
    access: WorkspaceAccess,
    notebook: Notebook,
    *,
    text: str,
    seen: str | None,
) -> Guideline:
    """Write a guideline over the one that was read."""
    if (await read(office, notebook)).digest != seen:
        raise Conflict(_CHANGED)
    await write(office, who, access, notebook, text)
    return await read(office, notebook)


async def learn(office: Office, workspace_id: str) -> int:
    """Propose changes where decisions make a habit that no guideline speaks of; how many."""
    async with office.storage.app.read() as session:
        decided = await repository.decided(session, workspace_id)
    made = 0
    for notebook_id in {row.notebook_id for row in decided}:
        async with office.storage.app.read() as session:
            notebook = await repository.notebook(session, notebook_id)
            last = await repository.latest_proposal(session, notebook_id)
        if notebook is None or (last and last.status == "pending"):
            continue
        now = await read(office, notebook)
        since = [
            row
            for row in decided
            if row.notebook_id == notebook_id
            and row.chosen_folder
            and (last is None or (row.resolved_at and row.resolved_at > last.created_at))
        ]
        async with office.storage.app.read() as session:
            texts = await repository.texts_of(session, [row.file_id for row in since])
        if lines := _habits(since, texts, now.text):
            made += await _propose(office, now, lines)
    return made


async def answer(
    office: Office, who: Principal, access: WorkspaceAccess, id: str, *, accepts: bool
) -> GuidelineProposal:
    """Take a proposal over into the guideline, or not."""
    async with office.storage.app.read() as session:
        row = await repository.proposal(session, [access.id], id)
        notebook = await repository.notebook(session, row.notebook_id)
    if row.status != "pending" or notebook is None:
        raise Conflict(f"This proposal was answered already: it is {row.status}.")
    now = await read(office, notebook)
    stale = accepts and (now.digest or "") != row.base
    if accepts and not stale:
        await write(office, who, access, notebook, row.text)
    async with office.storage.app.write() as session:
        row = await repository.proposal(session, [access.id], id, lock=True)
        row.status = "expired" if stale else "accepted" if accepts else "rejected"
        row.resolved_at, row.resolved_by = clock.now(), who.id
        events.emit_proposal(session, row, events.ANSWERED, by=who.id)
    if stale:
        raise Conflict(_STALE)
    return row


async def diff(office: Office, notebook: Notebook, row: GuidelineProposal) -> str:
    """What a proposal would change."""
    now = await read(office, notebook)
    lines = difflib.unified_diff(
        now.text.splitlines(), row.text.splitlines(), GUIDELINE, GUIDELINE, lineterm=""
    )
    return "\n".join(lines)


async def _propose(office: Office, now: Guideline, lines: Sequence[str]) -> bool:
    text = "\n".join([now.text.rstrip(), "", *lines]).lstrip() + "\n"
    row = GuidelineProposal(
        id=ids.new("gdl"),
        workspace_id=now.notebook.workspace_id,
        notebook_id=now.notebook.id,
        base=now.digest or "",
        text=text,
        reason=f"You put papers there {_LEAST} times or more, and the guideline does not say so.",
        status="pending",
        created_at=clock.now(),
    )
    async with office.storage.app.write() as session:
        session.add(row)
        await session.flush()
        events.emit_proposal(session, row, events.PROPOSED)
    return True


def _habits(decided: Iterable[Suggestion], texts: Mapping[str, str], guideline: str) -> list[str]:
    """A line for each folder that got several papers and is not spoken of."""
    by_folder: defaultdict[str, list[set[str]]] = defaultdict(list)
    for row in decided:
        folder = (row.chosen_folder or "").partition("/")[2]
        by_folder[folder].append(_words(row, texts.get(row.file_id, "")))
    every = Counter(word for papers in by_folder.values() for word in set().union(*papers))
    lines: list[str] = []
    for folder, papers in sorted(by_folder.items()):
        if not folder or len(papers) < _LEAST or folder.casefold() in guideline.casefold():
            continue
        shared = Counter(word for words in papers for word in sorted(words))
        most = [word for word, count in shared.most_common() if count > len(papers) / 2]
        telling = [word for word in most if every[word] == 1][:_MOST_WORDS]
        if telling:
            lines.append(f"- Papers about {', '.join(telling)}: {folder}")
    return lines


def _words(row: Suggestion, text: str) -> set[str]:
    """Words of a file and its name: letters alone, so that nothing else gets into a guideline."""
    stem = row.file_path.rpartition("/")[2].rpartition(".")[0]
    found = _WORDS.findall(f"{stem} {text[:_LOOKED_AT]}")
    return {word.casefold() for word in found if not _IDLE.fullmatch(word.casefold())}
