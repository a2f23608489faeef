"""The sample office as a feature."""

from functools import partial

from bailiwick.demo import endpoints, jobs
from bailiwick.feature import Feature, Job
from bailiwick.runs.enqueue import QUEUE

feature = Feature(
    name="demo",
    routers=[endpoints.router],
    jobs=[Job(jobs.ASK, lambda office: partial(jobs.job, office), queue=QUEUE)],
    wakes=jobs.WAKES,
)
