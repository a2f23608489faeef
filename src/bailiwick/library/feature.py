"""The library as a feature."""

from bailiwick.feature import Feature, Tidy
from bailiwick.kit.sealing import KeptFolder
from bailiwick.library import attachments, endpoints, sealing, versions
from bailiwick.library.tools import tools
from bailiwick.office import Office
from bailiwick.tools.facts import ReadsFiles


async def _old_versions(office: Office) -> None:
    settings = await office.changeable.current()
    await versions.forget_old(office.storage, office.blobs, days=settings.file_version_days)


feature = Feature(
    name="library",
    routers=[endpoints.router],
    tools=tools,
    tidies=[Tidy("versions of files", _old_versions)],
    facts=[ReadsFiles(attachments.read)],
    folders=[KeptFolder(sealing.FOLDER, sealing.reseal)],
)
