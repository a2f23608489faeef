"""Verbs of trials: the mail that a director can be tried on, a look at its prompt, a dry run.

Only mail that may reach the director and that whoever tries it may read. The run is theirs alone,
and no call of it, or of an agent that it asks, has an effect.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.agents.prompts import preview, render
from bailiwick.agents.prompts.preview import Preview
from bailiwick.agents.prompts.render import PromptMessage
from bailiwick.cases import opening
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.pages import PageRequest, Rows
from bailiwick.llm import repository as models
from bailiwick.llm.outgoing import OutgoingRedaction
from bailiwick.mail import repository as mails
from bailiwick.mail.models import MailMessage
from bailiwick.mail.repository import MailListQuery
from bailiwick.mail.schemas import MailLineOut
from bailiwick.office import Office
from bailiwick.runs import service as run_service
from bailiwick.runs import start
from bailiwick.runs.start import RunRequest
from bailiwick.tools.tool import Ref
from bailiwick.workspaces.models import Workspace

_ELSEWHERE = "this mail is in no account whose mail reaches the director"


@dataclass(frozen=True, slots=True)
class PromptDraft:
    """A prompt that is being written; None: as it is saved."""

    messages: Sequence[PromptMessage] | None = None
    imprint: Sequence[PromptMessage] | None = None

    async def blocks(
        self, session: AsyncSession, director: Agent
    ) -> tuple[Sequence[PromptMessage], Sequence[PromptMessage]]:
        """What it says, with what is saved in the place of what is left out."""
        messages, imprint = await start.own_prompt(session, director)
        return (
            messages if self.messages is None else self.messages,
            imprint if self.imprint is None else self.imprint,
        )


async def recent(
    office: Office, who: Principal, agent_id: str, page: PageRequest
) -> Rows[MailLineOut]:
    """The mail in the inboxes of a director's accounts, as far as someone may read it.

    No mail reaches another agent.
    """
    async with office.storage.app.read() as session:
        director = (await agents.get(session, who, agent_id)).agent
        reader = await _reader(session, who, director)
        query = MailListQuery(role="inbox")
        rows = await mails.listed(session, reader, director.workspace_id, query, page)
    return Rows(
        [MailLineOut.of(row) for row in rows.rows],
        token=rows.token,
        total=rows.total,
        size=rows.size,
    )


async def look(
    office: Office, who: Principal, agent_id: str, *, mail_id: str, draft: PromptDraft
) -> Preview:
    """What the director's model would read of a mail, redacted as what goes to a model is."""
    now = await run_service.office_now(office)
    async with office.storage.app.read() as session:
        director, message = await _chosen(session, who, agent_id, mail_id)
        messages, imprint = await draft.blocks(session, director)
        workspace = await session.get(Workspace, director.workspace_id)
    mail = opening.values_of(message, id=await _name(office, message))
    words = opening.words_for(messages, mail["email"])
    values = mail | render.built_in(
        now=now,
        user=who.name,
        agent=director.name,
        workspace=workspace.name if workspace else "",
        input=words,
    )
    if "input" not in render.variables(messages):
        imprint = [*imprint, PromptMessage("user", "{{input}}")]
    return await preview.preview(office[OutgoingRedaction], messages, imprint, values=values)


async def begin(
    office: Office,
    who: Principal,
    agent_id: str,
    *,
    mail_id: str,
    draft: PromptDraft,
    model_id: str | None,
) -> str:
    """Let a director work on a mail without any effect; the id of the run."""
    now = await run_service.office_now(office)
    async with office.storage.app.read() as session:
        _, message = await _chosen(session, who, agent_id, mail_id)
        await _check_model(session, model_id)
    values = opening.values_of(message, id=await _name(office, message))
    async with office.storage.app.write() as session:
        director, message = await _chosen(session, who, agent_id, mail_id)
        person = await run_service.person_of(session, who, director.workspace_id)
        messages, imprint = await draft.blocks(session, director)
        request = RunRequest(
            words=opening.words_for(messages, values["email"]),
            kind="trial",
            variables=values,
            model_id=model_id,
            prompt=[{"role": each.role, "content": each.content} for each in (*messages, *imprint)],
            account_id=message.account_id,
            title=message.subject or "(no subject)",
        )
        # As in a case: the words are the sender's, and nobody's order.
        owner = replace(person, present=False)
        return await opening.started(session, director, owner, request, message=message, now=now)


async def _director(session: AsyncSession, who: Principal, agent_id: str) -> Agent:
    director = (await agents.get(session, who, agent_id)).agent
    if director.kind != "director":
        raise Conflict(f"{director.name} is no director: only a director works on mail.")
    return director


async def _reader(session: AsyncSession, who: Principal, director: Agent) -> Reader:
    """Whoever tries it, with eyes for the director's accounts alone."""
    reader = await reader_of(session, who)
    known = await accounts.of_workspace(session, reader, director.workspace_id, enabled_only=False)
    its = {each.id for each in known if await agents.taking(session, each, [director.id])}
    open_to = {id: right for id, right in reader.accounts.items() if id in its}
    return replace(reader, accounts=open_to, is_everyone=False)


async def _chosen(
    session: AsyncSession, who: Principal, agent_id: str, mail_id: str
) -> tuple[Agent, MailMessage]:
    director = await _director(session, who, agent_id)
    message = await mails.get(session, await reader_of(session, who), mail_id)
    if not (await _reader(session, who, director)).may(message.account_id, "read"):
        raise Invalid.field("mailId", _ELSEWHERE)
    return director, message


async def _check_model(session: AsyncSession, model_id: str | None) -> None:
    if model_id is None:
        return
    try:
        await models.get(session, model_id)
    except NotFound:
        raise Invalid.field("modelId", "there is no such model; GET /models lists them") from None


async def _name(office: Office, message: MailMessage) -> str:
    """The virtual id of a mail, as the agents of its workspace know it."""
    ref = Ref("email", message.id, message.account_id)
    return (await office[VirtualNames].names(f"workspace:{message.workspace_id}", [ref]))[ref]
