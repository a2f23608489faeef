"""The gate as a feature: every tool of every feature, behind all checks."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import BadConfiguration
from bailiwick.feature import Feature, Follower, Job, Tidy
from bailiwick.gate import endpoints, meters, people
from bailiwick.gate.actions import endpoints as actions
from bailiwick.gate.actions import repository as action_repository
from bailiwick.gate.approvals import endpoints as approvals
from bailiwick.gate.approvals import job
from bailiwick.gate.approvals import service as approval_service
from bailiwick.gate.approvals.job import ApprovalJobs
from bailiwick.gate.audit import anchors
from bailiwick.gate.audit import endpoints as audit
from bailiwick.gate.audit.service import RECORDS, Auditor
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.facts import FindsCaller
from bailiwick.gate.gate import Gate
from bailiwick.gate.halts import endpoints as halts
from bailiwick.gate.halts.service import Halts
from bailiwick.gate.meters import Meters
from bailiwick.gate.redactions import endpoints as redactions
from bailiwick.gate.redactions import service as redaction_service
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.redactions.outgoing import redacted_request
from bailiwick.gate.rules import defaults
from bailiwick.gate.rules import endpoints as rules
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.gate.trust.reads import ReadStates
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock
from bailiwick.kit.ledger import Ledger
from bailiwick.kit.ledger.records.recorder import Recorder
from bailiwick.llm.outgoing import OutgoingRedaction
from bailiwick.office import Office
from bailiwick.tools.registry import DuplicateTool, Registry


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    storage = office.storage
    await defaults.ensure(storage)
    await redaction_service.ensure(storage)

    async with (
        Ledger.opened(storage, office.vault, anchors=anchors.of(office)) as ledger,
        Recorder(storage, ledger, office.hasher, RECORDS).running() as recorder,
    ):
        dependencies = GateDependencies(
            office=office,
            storage=storage,
            settings=office.changeable,
            registry=_registry(office),
            ledger=ledger,
            rulebooks=RuleBookCache(storage),
            redactors=RedactorCache(storage),
            names=VirtualNames(storage),
            readings=ReadStates(storage),
            meters=Meters(storage),
            halts=Halts(storage),
        )
        gate = Gate(dependencies)
        for part in (
            gate,
            ApprovalJobs(office),
            Auditor(office, recorder),
            ledger,
            recorder,
            dependencies.registry,
            dependencies.rulebooks,
            dependencies.redactors,
            OutgoingRedaction(partial(redacted_request, dependencies.redactors)),
            dependencies.names,
            dependencies.readings,
            dependencies.meters,
            dependencies.halts,
        ):
            office.add(part)
        # Tools of every feature are needed to find out what became of their work.
        office.once_open.append(gate.recover)
        try:
            yield
        finally:
            await gate.close()


def _registry(office: Office) -> Registry:
    try:
        sources = [feature.tools for feature in office.features if feature.tools]
        return Registry(tool for source in sources for tool in source(office))
    except (DuplicateTool, ValueError) as error:
        raise BadConfiguration(f"A plugin gives a tool that cannot be used: {error}") from None


async def _old_actions(session: AsyncSession, settings: RuntimeSettings) -> None:
    await action_repository.forget_older_than(session, settings.activity_days)


async def _old_usage(session: AsyncSession, _: RuntimeSettings) -> None:
    await meters.forget_old(session)


async def _old_audit(office: Office) -> None:
    days = (await office.changeable.current()).audit_days
    if days:
        await office[Ledger].forget_before(clock.now() - timedelta(days=days))


feature = Feature(
    name="gate",
    routers=[
        endpoints.router,
        halts.router,
        approvals.router,
        actions.router,
        rules.router,
        redactions.router,
        audit.router,
    ],
    open=_open,
    jobs=[Job(job.JOB, lambda office: office[ApprovalJobs].run, queue=job.QUEUE)],
    wakes=job.WAKES,
    follows=[Follower(lambda office: office[Gate].follow, at_once=True)],
    tidies=[
        Tidy.of("approvals", approval_service.expire),
        Tidy.of("actions", _old_actions),
        Tidy.of("usage", _old_usage),
        Tidy("audit", _old_audit),
        Tidy("records", lambda office: office[Recorder].catch_up()),
        Tidy("open intents", lambda office: office[Gate].recover()),
    ],
    facts=[FindsCaller("user", people.find_user)],
)
