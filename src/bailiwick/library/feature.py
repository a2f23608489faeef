"""The library as a feature."""

from bailiwick.feature import Feature
from bailiwick.library import attachments, endpoints
from bailiwick.library.tools import tools
from bailiwick.tools.facts import ReadsFiles

feature = Feature(
    name="library",
    routers=[endpoints.router],
    tools=tools,
    facts=[ReadsFiles(attachments.read)],
)
