"""What the sample office puts into a workspace, in one transaction."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.models import Account
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.reader import reader_of
from bailiwick.accounts.store import store
from bailiwick.agents import repository as agent_repository
from bailiwick.agents import service as agents
from bailiwick.agents import wire
from bailiwick.agents.schemas import AgentIn
from bailiwick.demo import cast, letters, paperwork
from bailiwick.demo.mailbox import SampleMailbox
from bailiwick.demo.models import Demo
from bailiwick.gate.rules import service as rules
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.llm import repository as models
from bailiwick.llm import service as llm
from bailiwick.mail.contacts import service as contacts
from bailiwick.mail.contacts.vcards import Card
from bailiwick.mail.filters import service as filters
from bailiwick.mail.filters.service import KnowsDirectors
from bailiwick.offline.names import GULLIBLE, OFFLINE
from bailiwick.workspaces.access import AccessibleWorkspaceID

# Before the rules of a new office, which ask.
_PRIORITY = 100
_KNOWN = KnowsDirectors(agent_repository.directors, agent_repository.taking)


async def build(
    session: AsyncSession,
    opener: AccountOpener,
    who: Principal,
    *,
    workspace_id: AccessibleWorkspaceID,
    mailbox: SampleMailbox,
    notebook_id: str,
) -> Demo:
    """The account, its directors with their filters, the assistant, and the papers."""
    activated = "mail" not in await accounts.active(session)
    owner_id = (await reader_of(session, who)).id
    strangers = await _strangers(session, workspace_id, owner_id)
    # They are this sample's old acquaintances: one mail to each would make nobody known.
    names = letters.written_to()
    cards = [Card(name, contacts.key_of(each)) for each, name in names.items()]
    await contacts.take_in(
        session, who, workspace_id, cards=[card for card in cards if card.address in strangers]
    )
    label = await _free_label(session, workspace_id, owner_id)
    connected = mailbox.connected(workspace_id, label)
    account = await store(
        session, opener, who, connected=connected, credential=mailbox.credential(opener)
    )
    specialists = await _specialists(session, who, account)
    directors, filter_ids = await _directors(session, who, account, specialists)
    assistant = await _assistant(session, who, account)
    rule = await _rule(session, who, workspace_id)
    await paperwork.open_notebook(session, who, workspace_id, notebook_id)
    organisers = await paperwork.add_organiser(session, workspace_id)
    demo = Demo(
        workspace_id=workspace_id,
        account_id=account.id,
        assistant_id=assistant,
        agents=[*directors, *specialists, assistant, *organisers],
        filters=filter_ids,
        rules=[rule],
        notebook_id=notebook_id,
        contacts=strangers,
        activated=activated,
        user_id=who.user_id,
        user_name=who.name,
        leaving=False,
        run_id=None,
        created_at=clock.now(),
    )
    session.add(demo)
    return demo


async def _strangers(session: AsyncSession, workspace_id: str, owner_id: str) -> list[str]:
    """Whom the sample mails were written to and their owner did not know before."""
    everyone = letters.written_to()
    known = await contacts.standings(session, workspace_id, owner_id, everyone)
    return [contacts.key_of(address) for address in everyone if address not in known]


async def _specialists(session: AsyncSession, who: Principal, account: Account) -> list[str]:
    made: list[str] = []
    for each in cast.SPECIALISTS:
        name = await _free_name(session, account.workspace_id, each.name)
        body = cast.specialist(each, workspace_id=account.workspace_id, name=name)
        made.append(await _agent(session, who, body))
    return made


async def _rule(session: AsyncSession, who: Principal, workspace_id: str) -> str:
    values = {
        "name": cast.RULE_NAME,
        "description": cast.RULE_WORDS,
        "action": "BLOCK",
        "condition": cast.RULE,
        "fields": [],
        "priority": _PRIORITY,
        "enabled": True,
        "connector": None,
        "workspace_id": workspace_id,
        "user_id": None,
    }
    return (await rules.create(session, who, values)).id


async def _directors(
    session: AsyncSession, who: Principal, account: Account, specialists: list[str]
) -> tuple[list[str], list[str]]:
    offline = await models.builtin(session, OFFLINE.model)
    assert offline, "every office has its offline model"
    gullible = await llm.add_builtin(session, "offline", GULLIBLE)
    made: list[str] = []
    sorting: list[str] = []
    for each in cast.DIRECTORS:
        body = cast.director(
            each,
            workspace_id=account.workspace_id,
            name=await _free_name(session, account.workspace_id, each.name),
            model_id=gullible.id if each.believes else offline.id,
            label=account.label,
            colleagues=specialists,
        )
        made.append(await _agent(session, who, body))
        values = {
            "name": each.filter_name,
            "field": each.field,
            "pattern": each.pattern,
            "director_id": made[-1],
            "account_id": account.id,
            "enabled": True,
        }
        row = await filters.create(
            session, who, account.workspace_id, values=values, directors=_KNOWN
        )
        sorting.append(row.id)
        await session.flush()
    return made, sorting


async def _assistant(session: AsyncSession, who: Principal, account: Account) -> str:
    gullible = await llm.add_builtin(session, "offline", GULLIBLE)
    body = cast.assistant(
        workspace_id=account.workspace_id,
        name=await _free_name(session, account.workspace_id, cast.ASSISTANT),
        model_id=gullible.id,
        label=account.label,
    )
    return await _agent(session, who, body)


async def _agent(session: AsyncSession, who: Principal, body: AgentIn) -> str:
    values = await wire.values(session, body, workspace_id=body.workspace_id)
    return (await agents.create(session, who, body.workspace_id, values)).agent.id


async def _free_name(session: AsyncSession, workspace_id: str, wanted: str) -> str:
    name, number = wanted, 1
    while await agent_repository.is_taken(session, workspace_id, name, but=""):
        number += 1
        name = f"{wanted} {number}"
    return name


async def _free_label(session: AsyncSession, workspace_id: str, owner_id: str) -> str:
    own = await accounts.own(session, workspace_id, owner_id)
    taken, label, number = {each.label.casefold() for each in own}, cast.LABEL, 1
    while label.casefold() in taken:
        number += 1
        label = f"{cast.LABEL} {number}"
    return label
