"""Diagnostics as an admin reads them: of others' work the figures alone, of their own all.

What was asked and answered is redacted for everyone, as what goes to a model is. A program with an
admin's token counts as having read it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.cases.models import Case
from bailiwick.diagnostics import lines, nodes, repository
from bailiwick.diagnostics.lines import RunTrace
from bailiwick.diagnostics.repository import TraceQuery
from bailiwick.diagnostics.schemas import (
    NodeDetailOut,
    OriginAttachmentOut,
    OriginMailOut,
    TraceLineOut,
    TraceNodeOut,
)
from bailiwick.errors import NotFound
from bailiwick.gate.checks.redaction import redacted
from bailiwick.gate.people import context_of
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.trust import programs, reads
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.pages import Page, PageRequest, Rows
from bailiwick.mail.models import MailMessage
from bailiwick.office import Office
from bailiwick.runs.models import Run
from bailiwick.tools.trust import Source

_CHILDREN = 20  # directors' runs that come with their cycle
_LINES = 1_000  # of one run
_SHORT = 4_000  # characters of what was asked or answered, where there are many lines


async def cycles(
    office: Office, who: Principal, query: TraceQuery, page: PageRequest
) -> Page[TraceNodeOut]:
    """Fetch cycles, newest first, each with its newest directors' runs."""
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        rows = await repository.cycles(session, query, page)
        ids = [id for id, _ in rows.rows]
        found = await repository.counted(session, query, ids)
        roots = await repository.directors_of(session, query, ids, most=_CHILDREN)
        shown = await nodes.of_directors(session, reader, roots)
    inside: defaultdict[str, list[TraceNodeOut]] = defaultdict(list)
    for node in shown:
        inside[node.fetch_cycle_id].append(node)
    made = [nodes.of_cycle(found[id], inside[id]) for id in ids if id in found]
    return _page(await _told(office, who, made, roots), rows)


async def directors(
    office: Office, who: Principal, query: TraceQuery, page: PageRequest
) -> Page[TraceNodeOut]:
    """Directors' runs, newest first."""
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        rows = await repository.directors(session, query, page)
        shown = await nodes.of_directors(session, reader, rows.rows)
    return _page(await _told(office, who, shown, rows.rows), rows)


async def flat(
    office: Office, who: Principal, query: TraceQuery, page: PageRequest
) -> Page[TraceNodeOut]:
    """Lines of all directors and agents, newest first."""
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        rows = await repository.moments(session, query, page)
        roots = await repository.roots_of(session, {moment.run_id for moment in rows.rows})
        traces = await repository.traces(session, roots)
    known = {line.id: line for trace in traces for line in _readable(reader, trace)}
    found = [known[moment.id] for moment in rows.rows if moment.id in known]
    short = [lines.shortened(line, _SHORT) for line in found]
    shown = [nodes.of_line(line) for line in await _redacted(office, short)]
    runs = [run for trace in traces for run in trace.runs]
    return _page(await _told(office, who, shown, runs), rows)


async def node(office: Office, who: Principal, id: str) -> NodeDetailOut:
    """A cycle, a run or a line, with all that is known of it."""
    run_id, dot, _ = id.partition(".")
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        cycle = await _cycle(session, reader, id)
        if cycle:
            return NodeDetailOut(
                node=cycle,
                lines=[],
                lines_left_out=0,
                email=None,
                content_hidden=cycle.content_hidden,
                email_hidden=False,
            )
        trace = await _trace(session, run_id)
        (tree,) = await nodes.of_directors(session, reader, [trace.root])
        mail = await repository.mail(session, trace.case)
    every = _readable(reader, trace)
    if dot:
        wanted = [line for line in every if line.id == id]
        if not wanted:
            raise NotFound(repository.GONE)
        (line,) = found = await _redacted(office, wanted)
        shown = nodes.of_line(line)
    else:
        shown = next(each for each in _all(tree) if each.id == run_id)
        inside = {each.id for each in _all(shown)}
        wanted = [line for line in every if (line.agent_thread_id or line.dir_thread_id) in inside]
        short = [lines.shortened(line, _SHORT) for line in wanted[:_LINES]]
        found = await _redacted(office, short)
    (told,) = await _told(office, who, [shown], trace.runs, also=found)
    is_open = nodes.may_read_mail(reader, trace.case)
    return NodeDetailOut(
        node=told,
        lines=list(found),
        lines_left_out=len(wanted) - len(found),
        email=await _origin(office, trace.case, mail) if is_open else None,
        content_hidden=shown.content_hidden,
        email_hidden=not is_open,
    )


async def _trace(session: AsyncSession, run_id: str) -> RunTrace:
    run = await repository.run(session, run_id)
    (found,) = await repository.traces(session, [await repository.root_of(session, run)])
    return found


async def _cycle(session: AsyncSession, reader: Reader, id: str) -> TraceNodeOut | None:
    stored, query = repository.stored_cycle(id), TraceQuery()
    found = await repository.counted(session, query, [stored])
    if stored not in found:
        return None
    roots = await repository.directors_of(session, query, [stored], most=_CHILDREN)
    return nodes.of_cycle(found[stored], await nodes.of_directors(session, reader, roots))


def _readable(reader: Reader, trace: RunTrace) -> list[TraceLineOut]:
    """The lines as someone may read them."""
    owned = {run.id for run in trace.runs if nodes.may_read_run(reader, run)}
    made = lines.lines_of(trace, email=nodes.email_of(reader, trace.case))
    return [
        line if (line.agent_thread_id or line.dir_thread_id) in owned else lines.hidden(line)
        for line in made
    ]


async def _redacted(office: Office, found: Sequence[TraceLineOut]) -> list[TraceLineOut]:
    """Lines without what the patterns find, as what goes to a model."""
    said = [[line.email_summary, line.detail.request, line.result, line.error] for line in found]
    clean, _ = await redacted(office[RedactorCache], said)
    return [
        line.model_copy(
            update={
                "email_summary": email,
                "detail": line.detail.model_copy(update={"request": request}),
                "result": result,
                "error": error,
            }
        )
        for line, (email, request, result, error) in zip(found, clean, strict=True)
    ]


async def _told(
    office: Office,
    who: Principal,
    shown: Sequence[TraceNodeOut],
    runs: Sequence[Run],
    *,
    also: Sequence[TraceLineOut] = (),
) -> list[TraceNodeOut]:
    """Nodes for a person as they are; for a program redacted, and remembered as read."""
    if context_of(who) is None:
        return list(shown)
    async with office.storage.app.read() as session:
        cases = await repository.cases(session, runs)
        sources = await reads.sources_of(session, [run.id for run in runs])
    sources += [_source(case) for case in cases.values()]
    said = [each.model_dump() for each in (*shown, *also)]
    for workspace_id in {run.workspace_id for run in runs}:
        await programs.heard(office, who, said, workspace_id=workspace_id, sources=sources)
    words = ("email_summary", "children", "line")
    return [await programs.redacted_for(office, who, each, words) for each in shown]


def _source(case: Case) -> Source:
    return Source(case.label, f'the mail "{case.subject[:60]}" from {case.sender_address}')


async def _origin(office: Office, case: Case, mail: MailMessage | None) -> OriginMailOut:
    """The mail that a case is about, or what the case kept of it."""
    made = _gone(case) if mail is None else _there(mail)
    clean, _ = await redacted(office[RedactorCache], {**made, "id": ""})
    return OriginMailOut(**{**clean, "id": made["id"]})


def _gone(case: Case) -> dict[str, Any]:
    return {
        "id": case.message_id,
        "subject": case.subject,
        "sender": _person(case.sender_name, case.sender_address),
        "to": [],
        "cc": [],
        "received_at": case.received_at,
        "sent_at": None,
        "message_id": "",
        "label": case.label,
        "snippet": "",
        "attachments": [],
        "is_gone": True,
    }


def _there(mail: MailMessage) -> dict[str, Any]:
    named = {
        kind: [_person(*pair) for pair in mail.recipients.get(kind, ())] for kind in ("to", "cc")
    }
    fields = set(OriginAttachmentOut.model_fields)
    return {
        "id": mail.id,
        "subject": mail.subject,
        "sender": _person(mail.sender_name, mail.sender_address),
        **named,
        "received_at": mail.date_at,
        "sent_at": mail.sent_at,
        "message_id": mail.message_id,
        "label": mail.label,
        "snippet": mail.snippet,
        "attachments": [{name: each.get(name) for name in fields} for each in mail.attachments],
        "is_gone": False,
    }


def _person(name: str, address: str) -> str:
    return f"{name} <{address}>" if name else address


def _all(node: TraceNodeOut) -> Iterator[TraceNodeOut]:
    yield node
    for child in node.children:
        yield from _all(child)


def _page(shown: Sequence[TraceNodeOut], rows: Rows[Any]) -> Page[TraceNodeOut]:
    return Page[TraceNodeOut](
        items=list(shown),
        continuation_token=rows.token,
        total_items=rows.total,
        has_more=rows.token is not None,
        page_size=rows.size,
    )
