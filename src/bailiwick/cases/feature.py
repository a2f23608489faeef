"""Cases as a feature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from bailiwick.cases import endpoints, finding, item_endpoints, opening, service
from bailiwick.cases.tools import tools
from bailiwick.cases.trials import endpoints as trial_endpoints
from bailiwick.feature import Feature, Job, Removal, Tidy
from bailiwick.kit.engine.jobs import patiently
from bailiwick.office import Office
from bailiwick.runs.enqueue import QUEUE
from bailiwick.tools.finding import FindsThings


@asynccontextmanager
async def _work(office: Office) -> AsyncGenerator[None]:
    await opening.take_up(office)
    yield


feature = Feature(
    name="cases",
    routers=[endpoints.router, item_endpoints.router, trial_endpoints.router],
    work=_work,
    tools=tools,
    jobs=[
        Job(
            opening.OPEN,
            lambda office: partial(patiently, opening.open_cases, office),
            queue=QUEUE,
        ),
        Job(
            opening.OPEN_ALL,
            lambda office: partial(patiently, opening.open_all, office),
            queue=QUEUE,
        ),
    ],
    wakes=opening.WAKES,
    facts=[FindsThings("case", finding.find)],
    tidies=[Tidy("removed cases", service.erase_removed)],
    removals={"account": Removal(before=service.erase_of_account)},
)
