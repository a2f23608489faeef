"""The library as a feature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bailiwick.feature import Feature, Follower, Tidy
from bailiwick.kit.sealing import KeptFolder
from bailiwick.library import attachments, endpoints, file_endpoints, sealing, versions
from bailiwick.library.index import endpoints as index
from bailiwick.library.index.indexer import LibraryIndexer
from bailiwick.library.index.search import FileFinder
from bailiwick.library.index.tools import tools as index_tools
from bailiwick.library.index.transcripts import Transcriber
from bailiwick.library.resolver import PathResolver, WriteFollower
from bailiwick.library.tools import tools
from bailiwick.office import Office
from bailiwick.tools.facts import ReadsFiles


async def _old_versions(office: Office) -> None:
    settings = await office.changeable.current()
    await versions.forget_old(office.storage, office.blobs, days=settings.file_version_days)


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    indexer = LibraryIndexer(
        office.storage, PathResolver(office), office.changeable, Transcriber(office)
    )
    office.add(indexer)
    office.add(FileFinder(office.storage.app))
    office.add(indexer, of=WriteFollower)
    try:
        yield
    finally:
        indexer.close()


@asynccontextmanager
async def _work(office: Office) -> AsyncGenerator[None]:
    async with office[LibraryIndexer].running(office.leads):
        yield


feature = Feature(
    name="library",
    routers=[endpoints.router, file_endpoints.router, index.router, index.searching],
    open=_open,
    work=_work,
    tools=lambda office: [*tools(office), *index_tools(office)],
    tidies=[Tidy("versions of files", _old_versions)],
    follows=[
        Follower(lambda office: office[LibraryIndexer].follow),
        Follower(lambda office: office[FileFinder].vectors.follow, at_once=True),
    ],
    facts=[ReadsFiles(attachments.read)],
    folders=[KeptFolder(sealing.FOLDER, sealing.reseal)],
)
