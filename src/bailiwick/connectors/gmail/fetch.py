"""Reads many messages in order: in batches, or one by one where the server has no batches."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal
from urllib.parse import quote, urlencode

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.gmail import batch
from bailiwick.connectors.gmail.client import (
    GmailClient,
    GmailRequest,
    GmailResponse,
    Query,
    ResponseTooLarge,
    object_of,
)

MessageFormat = Literal["raw", "metadata", "minimal"]
_IN_A_BATCH = 25
_AT_A_TIME = 5
_LARGEST_BATCH = 48 * 1024 * 1024
_GONE = (404, 410)
Found = dict[str, Any] | None  # None: it is not there


class GmailFetch:
    """Reads messages; remembers when a server has no batches."""

    def __init__(self, client: GmailClient) -> None:
        self._client = client
        self._has_batches = True

    async def one(self, id: str, format: MessageFormat, *, headers: Sequence[str] = ()) -> Found:
        """A message, if it is there."""
        query: Query = {"format": format, **({"metadataHeaders": list(headers)} if headers else {})}
        answer = await self._client.ask(GmailRequest("GET", _path(id), query))
        return None if answer.status in _GONE else object_of(answer)

    async def whole(self, id: str) -> Found:
        """A message as it came, or its headers if that is too large."""
        try:
            return await self.one(id, "raw")
        except ResponseTooLarge:
            return await self.one(id, "metadata")

    async def many(
        self, ids: Sequence[str], format: MessageFormat
    ) -> AsyncIterator[tuple[str, Found]]:
        """Messages in this order."""
        for start in range(0, len(ids), _IN_A_BATCH):
            some = ids[start : start + _IN_A_BATCH]
            known = await self._in_a_batch(some, format)
            missing = [id for id in some if id not in known]
            # A few at a time, so that large ones do not fill the memory.
            for at in range(0, len(missing), _AT_A_TIME):
                known |= await self._side_by_side(missing[at : at + _AT_A_TIME], format)
            for id in some:
                yield id, known[id]

    async def _side_by_side(self, ids: Sequence[str], format: MessageFormat) -> dict[str, Found]:
        try:
            async with asyncio.TaskGroup() as group:
                tasks = {
                    id: group.create_task(
                        self.whole(id) if format == "raw" else self.one(id, format)
                    )
                    for id in ids
                }
        except* ConnectorFailed as failed:
            raise failed.exceptions[0] from None
        return {id: task.result() for id, task in tasks.items()}

    async def _in_a_batch(self, ids: Sequence[str], format: MessageFormat) -> dict[str, Found]:
        """The messages that a batch returned; the caller asks for the others one by one."""
        if not self._has_batches or len(ids) < 2:
            return {}
        paths = [f"{_path(id)}?{urlencode({'format': format})}" for id in ids]
        request = GmailRequest(
            "POST", batch.PATH, body=batch.encoded(paths), type=batch.TYPE, most=_LARGEST_BATCH
        )
        try:
            answers = batch.decoded(await self._client.ask(request))
        except ResponseTooLarge:
            return {}
        found = {ids[place]: one for place, one in answers.items() if place < len(ids)}
        if not any(one.status == 200 or one.is_busy for one in found.values()):
            self._has_batches = False
        return {id: one.json for id, one in found.items() if _is_message(one)}


def _path(id: str) -> str:
    return f"/gmail/v1/users/me/messages/{quote(id, safe='')}"


def _is_message(answer: GmailResponse) -> bool:
    return answer.status == 200 and "id" in answer.json
