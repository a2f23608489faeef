"""The access log: who had which file, by way of which thread, and from where."""

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request

from bailiwick.accounts.reader import Reader
from bailiwick.files import events
from bailiwick.files.models import AccessAction, FileAccess, StoredFile
from bailiwick.kit import clock
from bailiwick.kit.http.limits import client_address
from bailiwick.office import Office


async def note(
    office: Office,
    request: Request,
    reader: Reader,
    file: StoredFile,
    *,
    action: AccessAction,
    thread_id: str | None,
    once: str,
) -> None:
    """Note an access, once under each key, however often a player or a page asks."""
    key = office.hasher(f"file-access:{once}")
    async with office.storage.app.read() as session:
        if await session.get(FileAccess, key):
            return
    async with office.storage.app.write() as session:
        if await session.get(FileAccess, key) is None:
            await _add(session, request, reader, file, action, thread_id, key)


async def _add(
    session: AsyncSession,
    request: Request,
    reader: Reader,
    file: StoredFile,
    action: AccessAction,
    thread_id: str | None,
    key: str,
) -> None:
    row = FileAccess(
        key=key,
        file_id=file.id,
        user_id=reader.id,
        action=action,
        thread_id=thread_id,
        client_ip=client_address(request.scope)[:64],
        user_agent=_shown(request.headers.get("user-agent", "")),
        at=clock.now(),
    )
    session.add(row)
    await session.flush()
    about = {"threadId": thread_id} if thread_id else {}
    events.emit(session, file, events.ACCESSED, by=reader.id, **about, **said(row))


def said(row: FileAccess) -> dict[str, object]:
    """What an event says of an access."""
    where = {"client_ip": row.client_ip, "user_agent": row.user_agent, "thread_id": row.thread_id}
    return {
        "file_id": row.file_id,
        "user_id": row.user_id,
        "action": row.action,
        "metadata": where,
    }


def _shown(agent: str) -> str:
    return "".join(letter for letter in agent if letter.isprintable())[:300]
