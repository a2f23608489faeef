"""Diagnostics as a feature."""

from bailiwick.diagnostics import endpoints, repository
from bailiwick.feature import Feature
from bailiwick.runs.facts import KnowsCycle

feature = Feature(
    name="diagnostics",
    routers=[endpoints.router],
    facts=[KnowsCycle(repository.cycle_of)],
)
