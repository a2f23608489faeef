"""The gate of an installation, opened: plugins, rules, audit and all else that checks need."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick import plugins
from bailiwick.connectors.desk import Desk
from bailiwick.connectors.registry import Connectors
from bailiwick.connectors.switches import Switches
from bailiwick.gate import people
from bailiwick.gate.actions import recovery
from bailiwick.gate.gate import Gate
from bailiwick.gate.halts import Halts
from bailiwick.gate.meters import Meters
from bailiwick.gate.reading import Readings
from bailiwick.gate.redactions import service as redactions
from bailiwick.gate.redactions.redactors import Redactors
from bailiwick.gate.rules import defaults
from bailiwick.gate.rules.books import Rulebooks
from bailiwick.gate.services import Services
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.ledger import Ledger
from bailiwick.llm import service as llm
from bailiwick.llm.adapter import Models
from bailiwick.mail.intake import leaving
from bailiwick.mail.office.office import MailOffice
from bailiwick.mail.tools import MailTools
from bailiwick.mcp.clients.known import Clients
from bailiwick.runs import callers as run_callers
from bailiwick.runtime import Runtime
from bailiwick.tools.office import Office


@dataclass(frozen=True, slots=True)
class Gatehouse:
    """The gate, and who comes in from outside."""

    gate: Gate
    clients: Clients
    models: Models
    desk: Desk
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
    desk = Desk(
        storage,
        runtime.vault,
        connectors,
        data=runtime.settings.data,
        allowed=runtime.settings.allowed_networks,
    )
    switches = Switches(storage, connectors)
    attach = plugins.Attaching(office)
    letters = MailOffice(storage, runtime.blobs, desk, runtime.changeable, attach)
    desk.emptying.append(partial(leaving.empty, storage))
    manager.register(MailTools(letters), name="mail")
    manager.register(plugins.Native(desk), name="native tools")
    registry = plugins.tools(manager, office)
    await defaults.ensure(storage)
    await redactions.ensure(storage)
    await llm.ensure(storage)
    async with Ledger.opened(storage, runtime.vault) as ledger:
        services = Services(
            storage=storage,
            settings=runtime.changeable,
            office=office,
            plugins=manager,
            registry=registry,
            ledger=ledger,
            rulebooks=Rulebooks(storage),
            redactors=Redactors(storage),
            names=VirtualNames(storage),
            readings=Readings(storage),
            meters=Meters(storage),
            halts=Halts(storage),
            connectors=tuple(connector.name for connector in connectors),
            is_open=switches.is_open,
        )
        gate, clients = Gate(services), Clients(storage, runtime.hasher)
        models = Models(storage, runtime.vault)
        services.callers["user"] = people.Finder(storage)
        services.callers["client"] = clients.find
        services.callers["agent"] = run_callers.Finder(storage)

        def follow_own(session: AsyncSession) -> None:
            # At once in this process; the others hear of it by the event log.
            gate.follow(eventlog.recorded_in(session))

        storage.app.after_commit.append(follow_own)
        try:
            await switches.read()
            await recovery.recover(services)
            yield Gatehouse(gate, clients, models, desk, switches)
        finally:
            await switches.close()
            await models.close()
            await gate.close()
            clients.close()
            services.rulebooks.close()
            services.redactors.close()
            storage.app.after_commit.remove(follow_own)
