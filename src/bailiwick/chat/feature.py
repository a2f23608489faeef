"""Conversations as a feature."""

from functools import partial

from bailiwick.chat import (
    answers,
    endpoints,
    finding,
    message_endpoints,
    repository,
    service,
    session_endpoints,
)
from bailiwick.chat.artifacts import endpoints as artifact_endpoints
from bailiwick.chat.artifacts.tools import tools
from bailiwick.feature import Feature, Job, Tidy
from bailiwick.files.store import ReadsThread
from bailiwick.kit.engine.jobs import patiently
from bailiwick.runs.enqueue import QUEUE
from bailiwick.tools.finding import FindsThings

feature = Feature(
    name="chat",
    routers=[
        endpoints.router,
        message_endpoints.router,
        session_endpoints.router,
        artifact_endpoints.router,
    ],
    jobs=[
        Job(
            answers.ANSWER,
            lambda office: partial(patiently, answers.take, office),
            queue=QUEUE,
        )
    ],
    tools=tools,
    wakes=answers.WAKES,
    facts=[FindsThings("thread", finding.find), ReadsThread(repository.is_seen)],
    tidies=[Tidy("removed threads", service.erase_removed)],
)
