"""Verbs of the sample office: bring it in, and take it away.

It comes in whole or not at all: its mails are put on the disk first, and everything else is one
transaction. What follows (fetching, routing, the assistant's run) is set going by its events, as it
is for any other account. It leaves through the same doors as a person would use, and takes away
what it made and nothing else.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import connector_settings
from bailiwick.accounts import repository as accounts
from bailiwick.accounts import service as connected
from bailiwick.accounts.connect import remove_folder
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.reader import reader_of
from bailiwick.agents import repository as agent_repository
from bailiwick.agents import service as agents
from bailiwick.demo import mailbox, paperwork, repository
from bailiwick.demo import setup as demo_setup
from bailiwick.demo.mailbox import CONNECTOR
from bailiwick.demo.models import Demo
from bailiwick.errors import Conflict, NotFound
from bailiwick.gate.rules import service as rules
from bailiwick.identity.principal import Principal
from bailiwick.kit import ids
from bailiwick.llm import repository as models
from bailiwick.mail.filters import service as filters
from bailiwick.office import Office
from bailiwick.offline.names import GULLIBLE
from bailiwick.workspaces.access import enter

# What else has to happen when an agent goes: its runs end.
LOCK = 0x6261697D
_THERE = "The sample data is here already. Take it away first to begin again."
_NONE = "There is no sample data in this workspace."


async def add(office: Office, who: Principal, workspace_id: str) -> Demo:
    """Bring in the sample mailbox, its agents and filters, and the sample papers."""
    opener = office[AccountOpener]
    async with opener.storage.app.read() as session:
        await enter(session, who, workspace_id, need="admin")
        if await repository.find(session, workspace_id):
            raise Conflict(_THERE)
    id, notebook_id = ids.new("acc"), ids.new("ntb")
    try:
        prepared = await mailbox.prepare(opener, who, id)
        await paperwork.prepare(opener, office.data_key, notebook_id)
        async with opener.storage.app.write() as session:
            await opener.storage.app.alone(session, lock=LOCK)
            access = await enter(session, who, workspace_id, need="admin")
            if await repository.find(session, workspace_id):
                raise Conflict(_THERE)
            return await demo_setup.build(
                session,
                opener,
                who,
                workspace_id=access.id,
                mailbox=prepared,
                notebook_id=notebook_id,
            )
    except BaseException:
        await remove_folder(opener, id)
        await paperwork.remove(office.data, office.data_key, notebook_id)
        raise


async def remove(office: Office, who: Principal, workspace_id: str) -> None:
    """Take away what the sample data made; called again, it goes on where it was cut short."""
    opener = office[AccountOpener]
    async with opener.storage.app.write() as session:
        demo = await _held(session, who, workspace_id)
        demo.leaving = True
        for filter_id in await repository.filters(session, demo.filters):
            await filters.remove(session, who, filter_id)
        for rule_id in await repository.rules(session, demo.rules):
            await rules.delete(session, who, rule_id)
        found = await repository.agents(session, demo.agents)
        kept = await paperwork.kept_organisers(session, found, notebook_id=demo.notebook_id)
        demo.agents = [id for id in demo.agents if id not in kept]
        for agent in (each for each in found if each.id not in kept):
            await agents.remove(session, who, agent.id)
            await office.removing("agent", session, who.actor, agent.id)
        if demo.notebook_id:
            await paperwork.close_notebook(session, who, workspace_id, demo.notebook_id)
        is_connected = await accounts.find(session, demo.account_id) is not None
    if demo.notebook_id:
        await paperwork.remove(office.data, office.data_key, demo.notebook_id)
    if is_connected:
        await connected.disconnect(office, who, demo.account_id, remove_files=True)
    async with opener.storage.app.write() as session:
        demo = await _held(session, who, workspace_id)
        reader = await reader_of(session, who)
        await repository.forget_contacts(session, reader, workspace_id, demo.contacts)
        await repository.forget_agents(session, demo.agents)
        await _forget_model(session)
        if demo.activated:
            await _deactivate(session, opener, who)
        await session.delete(demo)


async def _held(session: AsyncSession, who: Principal, workspace_id: str) -> Demo:
    await enter(session, who, workspace_id, need="admin")
    demo = await repository.find(session, workspace_id, lock=True)
    if demo is None or not (await reader_of(session, who)).has(demo.user_id):
        raise NotFound(_NONE)
    return demo


async def _deactivate(session: AsyncSession, opener: AccountOpener, who: Principal) -> None:
    """Nobody chose the connector, and no other account uses it: it is active no longer."""
    active = (await accounts.active(session)).get("mail")
    if active == CONNECTOR and not await accounts.enabled_of(session, CONNECTOR):
        await connector_settings.activate(session, opener, who, category="mail", name=None)


async def _forget_model(session: AsyncSession) -> None:
    """The model that believes everything goes with the last agent that uses it."""
    gullible = await models.builtin(session, GULLIBLE.model)
    if gullible and not await agent_repository.using_model(session, gullible.id):
        await session.delete(gullible)
