"""Runs as a feature: sessions, tasks and schedules of agents."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from bailiwick.feature import Feature, Follower, Job, Removal, Tidy
from bailiwick.gate.facts import FindsCaller, KeepsFiles
from bailiwick.kit.engine.jobs import patiently
from bailiwick.office import Office
from bailiwick.runs import (
    approvals,
    endpoints,
    held,
    jobs,
    provider_events,
    service,
    sessions,
    titles,
)
from bailiwick.runs.callers import find_agent
from bailiwick.runs.enqueue import QUEUE
from bailiwick.runs.files import endpoints as files
from bailiwick.runs.files import store
from bailiwick.runs.loop import Runner
from bailiwick.runs.schedules import endpoints as schedules
from bailiwick.runs.schedules import reconcile
from bailiwick.runs.schedules.reconcile import ScheduleReconciler
from bailiwick.runs.tasks import endpoints as tasks
from bailiwick.runs.tasks import removal


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    office.add(Runner(office))
    office.add(ScheduleReconciler(office))
    yield


@asynccontextmanager
async def _work(office: Office) -> AsyncGenerator[None]:
    await jobs.take_up(office)
    await office[ScheduleReconciler].reconcile()
    yield


feature = Feature(
    name="runs",
    routers=[files.router, endpoints.router, tasks.router, schedules.router],
    open=_open,
    work=_work,
    jobs=[
        Job(jobs.RUN, lambda office: office[Runner].segment, queue=QUEUE),
        Job(
            jobs.ANSWERED,
            lambda office: partial(patiently, approvals.answered, office),
            queue=QUEUE,
        ),
        Job(
            titles.TITLE,
            lambda office: partial(patiently, titles.entitle, office),
            queue=titles.QUEUE,
        ),
        Job(
            jobs.RELEASED,
            lambda office: partial(patiently, held.let_go, office),
            queue=QUEUE,
        ),
        Job(removal.DROPPED, lambda office: partial(removal.dropped, office), queue=QUEUE),
        Job(reconcile.DUE, lambda office: office[ScheduleReconciler].due, queue=QUEUE),
    ],
    wakes=[*jobs.WAKES, *titles.WAKES, *removal.WAKES],
    follows=[
        Follower(lambda office: office[Runner].follow, at_once=True),
        Follower(lambda office: office[ScheduleReconciler].follow),
    ],
    tidies=[
        Tidy.of("provider events", provider_events.forget_old),
        Tidy.of("agent sessions", sessions.end_expired),
        Tidy("answers to runs", approvals.overlooked),
        Tidy("files of sessions", lambda office: store.forget_unused(office.storage, office.blobs)),
    ],
    removals={"agent": Removal(within=service.agent_removed)},
    facts=[FindsCaller("agent", find_agent), KeepsFiles(store.keep_read)],
)
