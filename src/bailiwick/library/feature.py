"""The library as a feature."""

from bailiwick.feature import Feature
from bailiwick.kit.sealing import KeptFolder
from bailiwick.library import attachments, endpoints, sealing
from bailiwick.library.tools import tools
from bailiwick.tools.facts import ReadsFiles

feature = Feature(
    name="library",
    routers=[endpoints.router],
    tools=tools,
    facts=[ReadsFiles(attachments.read)],
    folders=[KeptFolder(sealing.FOLDER, sealing.reseal)],
)
