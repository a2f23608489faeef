"""Uploaded files as a feature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from bailiwick.feature import Feature, Job, Removal, Tidy
from bailiwick.files import endpoints, previews, service, upload_endpoints, uploads
from bailiwick.files.contents import FolderContents
from bailiwick.files.s3 import S3Contents
from bailiwick.files.s3_signature import S3Key
from bailiwick.files.store import FileStore
from bailiwick.kit.engine.jobs import patiently
from bailiwick.office import Office


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    settings = office.settings
    if settings.s3_url is None:
        office.add(FileStore(FolderContents(office.blobs)))
        yield
        return
    assert settings.s3_key_id
    assert settings.s3_secret
    key = S3Key(settings.s3_key_id, settings.s3_secret, settings.s3_region)
    contents = S3Contents(office.blobs, settings.s3_url, key, data_key=office.data_key)
    office.add(FileStore(contents))
    try:
        yield
    finally:
        await contents.close()


feature = Feature(
    name="files",
    # What has a fixed name comes before what has an id in its place.
    routers=[
        upload_endpoints.streamed,
        upload_endpoints.router,
        endpoints.streamed,
        endpoints.router,
    ],
    open=_open,
    jobs=[
        Job(
            previews.PREVIEW,
            lambda office: partial(patiently, previews.make, office),
            queue=previews.QUEUE,
        )
    ],
    wakes=previews.WAKES,
    tidies=[
        Tidy("unused files", service.forget_unused),
        Tidy("abandoned uploads", uploads.forget_expired),
    ],
    removals={"workspace": Removal(within=service.leave_workspace)},
)
