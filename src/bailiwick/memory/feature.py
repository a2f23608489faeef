"""Memory as a feature."""

from bailiwick.feature import Feature
from bailiwick.memory import endpoints, finding
from bailiwick.memory.tools import tools
from bailiwick.tools.finding import FindsThings

feature = Feature(
    name="memory",
    routers=[endpoints.router],
    tools=tools,
    facts=[FindsThings("memory", finding.find)],
)
