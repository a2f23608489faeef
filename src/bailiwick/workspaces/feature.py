"""Workspaces as a feature."""

from bailiwick.feature import Feature
from bailiwick.identity.facts import Welcome
from bailiwick.workspaces import endpoints, service

feature = Feature(name="workspaces", routers=[endpoints.router], facts=[Welcome(service.welcome)])
