"""The gate of an installation, opened: plugins, rules, audit and all else that checks need."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick import plugins
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.switches import Switches
from bailiwick.connectors.registry import Connectors
from bailiwick.gate import people
from bailiwick.gate.actions import recovery
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.gate import Gate
from bailiwick.gate.halts.service import Halts
from bailiwick.gate.meters import Meters
from bailiwick.gate.redactions import service as redactions
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.rules import defaults
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.gate.trust.reads import ReadStates
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.ledger import Ledger
from bailiwick.llm import service as llm
from bailiwick.llm.adapter import Models
from bailiwick.mail.intake import removal
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.mail.tools.source import MailTools
from bailiwick.mcp.clients.directory import ClientDirectory
from bailiwick.runs import callers as run_callers
from bailiwick.runtime import Runtime
from bailiwick.tools.facts import Office


@dataclass(frozen=True, slots=True)
class Gatehouse:
    """The gate, and who comes in from outside."""

    gate: Gate
    clients: ClientDirectory
    models: Models
    opener: AccountOpener
    switches: Switches

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Hear of what other processes changed."""
        self.gate.follow(batch)
        self.clients.follow(batch)
        self.switches.follow(batch)


@asynccontextmanager
async def opened(runtime: Runtime) -> AsyncGenerator[Gatehouse]:
    """The gate, for as long as the block runs."""
    storage = runtime.storage
    office = Office(storage, runtime.blobs, runtime.settings.data)
    manager = plugins.found(office)
    connectors = Connectors.of_plugins(manager)
    opener = AccountOpener(
        storage,
        runtime.vault,
        connectors,
        data=runtime.settings.data,
        allowed=runtime.settings.allowed_networks,
    )
    switches = Switches(storage, connectors)
    attach = plugins.Attaching(office)
    letters = Mailroom(storage, runtime.blobs, opener, runtime.changeable, attach)
    opener.emptying.append(partial(removal.empty, storage))
    manager.register(MailTools(letters), name="mail")
    manager.register(plugins.Native(opener), name="native tools")
    registry = plugins.tools(manager, office)
    await defaults.ensure(storage)
    await redactions.ensure(storage)
    await llm.ensure(storage)
    async with Ledger.opened(storage, runtime.vault) as ledger:
        services = GateDependencies(
            storage=storage,
            settings=runtime.changeable,
            office=office,
            plugins=manager,
            registry=registry,
            ledger=ledger,
            rulebooks=RuleBookCache(storage),
            redactors=RedactorCache(storage),
            names=VirtualNames(storage),
            readings=ReadStates(storage),
            meters=Meters(storage),
            halts=Halts(storage),
            connectors=tuple(connector.name for connector in connectors),
            is_open=switches.is_open,
        )
        gate, clients = Gate(services), ClientDirectory(storage, runtime.hasher)
        models = Models(storage, runtime.vault)
        services.callers["user"] = people.UserCallers(storage)
        services.callers["client"] = clients.find
        services.callers["agent"] = run_callers.AgentCallers(storage)

        def follow_own(session: AsyncSession) -> None:
            # At once in this process; the others hear of it by the event log.
            gate.follow(eventlog.recorded_in(session))

        storage.app.after_commit.append(follow_own)
        try:
            await switches.read()
            await recovery.recover(services)
            yield Gatehouse(gate, clients, models, opener, switches)
        finally:
            await switches.close()
            await models.close()
            await gate.close()
            clients.close()
            services.rulebooks.close()
            services.redactors.close()
            storage.app.after_commit.remove(follow_own)
