"""Uploaded files in messages: whose they are, what an agent reads of them, how they are shown."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.chat import events
from bailiwick.chat.models import Thread, ThreadMessage
from bailiwick.chat.schemas import AttachmentIn, AttachmentOut, MessageIn
from bailiwick.errors import Invalid, NotFound
from bailiwick.files import contents, kinds, reading, repository
from bailiwick.files import service as files
from bailiwick.files.models import StoredFile
from bailiwick.files.store import FileStore
from bailiwick.identity.access import SignedIn
from bailiwick.identity.principal import Principal
from bailiwick.office import Office, TheOffice
from bailiwick.runs import views as run_views
from bailiwick.runs.files import store
from bailiwick.runs.files.store import KeptFile
from bailiwick.tools.facts import AttachedFile

# What an agent is given of a file; what is larger it only hears of.
LARGEST = 10 * 1024 * 1024
_UPLOAD = "upload"
_NOTHING = b"\x00"  # what is no text
# Nothing of the file's own is in it, which could be taken for something else again.
_UNREAD = "[{kind}, {size:,} bytes: what is in this file cannot be read here.]"


async def read(office: Office, who: Principal, wanted: Sequence[AttachmentIn]) -> list[KeptFile]:
    """Files of one's own as an agent reads them."""
    if not wanted:
        return []
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        found = await repository.several(session, reader, {each.file_id for each in wanted})
    for number, each in enumerate(wanted):
        if each.file_id not in found:
            raise Invalid.field(f"attachments.{number}.file_id", "is no file of yours")
    titles = {each.file_id: each.title for each in wanted}
    return [await _kept(office, found[id], title) for id, title in titles.items()]


async def _attached(body: MessageIn, who: SignedIn, office: TheOffice) -> list[KeptFile]:
    # Before the message's transaction: reading a file takes a while.
    if len(body.files) + len(body.attachments) > store.MOST:
        raise Invalid.field("attachments", f"at most {store.MOST} files in one message")
    return await read(office, who, body.attachments)


AttachedFiles = Annotated[list[KeptFile], Depends(_attached)]


async def use(
    session: AsyncSession, who: Principal, thread: Thread, message: ThreadMessage
) -> None:
    """Note which files a message has, and tell of them."""
    for file in message.files or ():
        if known := file.get(_UPLOAD):
            await files.use(
                session,
                known["file_id"],
                message_id=message.id,
                thread_id=thread.id,
                workspace_id=thread.workspace_id,
            )
            told = {"fileId": known["file_id"]}
            events.emit(session, thread, events.STORED, by=who.id, message=message, **told)


def shown(file: KeptFile) -> AttachmentOut:
    """A file of a message."""
    known: dict[str, Any] = file.get(_UPLOAD) or {}
    seen = run_views.file_of(file)
    return AttachmentOut(
        **seen.model_dump(exclude={"size"}),
        file_id=known.get("file_id"),
        title=known.get("title") or seen.name,
        size=known.get("size", seen.size),
        mime_type=known.get("mime_type") or seen.media_type,
        checksum=known.get("checksum"),
        preview_available=kinds.has_preview(known["mime_type"]) if known else False,
    )


async def _kept(office: Office, file: StoredFile, title: str | None) -> KeptFile:
    content = await _content(office, file)
    name = title or file.title
    told = _UNREAD.format(kind=file.mime_type, size=file.size).encode()
    (kept,) = await store.keep(office, [AttachedFile(name, "", content)])
    for form in (await _words(office, file, content), told) if "refused" in kept else ():
        (kept,) = await store.keep(office, [AttachedFile(name, "", form)])
        if "refused" not in kept:
            break
    upload = {
        "file_id": file.id,
        "title": name,
        "size": file.size,
        "mime_type": file.mime_type,
        "checksum": f"sha256:{file.checksum}",
    }
    return {**kept, _UPLOAD: upload}


async def _content(office: Office, file: StoredFile) -> bytes:
    if file.size > LARGEST:
        return _NOTHING
    try:
        return await contents.whole(office[FileStore].contents, file.blob, size=file.size)
    except NotFound:
        raise Invalid.field("attachments", f"{file.title} is not stored any more") from None


async def _words(office: Office, file: StoredFile, content: bytes) -> bytes:
    """The words of a sheet, a presentation or a document."""
    if file.size > LARGEST or not kinds.has_words(file.mime_type):
        return _NOTHING
    thing = file.mime_type.encode() + b"\x00" + content
    said: str | None
    (said,) = await office.extractor.read(reading.TEXT, [thing])
    return said.encode() if said and said.strip() else _NOTHING
