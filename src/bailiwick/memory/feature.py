"""Memory as a feature."""

from bailiwick.feature import Feature
from bailiwick.memory import endpoints
from bailiwick.memory.tools import tools

feature = Feature(name="memory", routers=[endpoints.router], tools=tools)
