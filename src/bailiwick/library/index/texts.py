"""Reads the texts of files that are new or changed, and makes their embeddings.

A file is opened here, through its root, and read in the extraction process. What is being written
is left alone until it rests. What cannot be read is marked, and tried again when it changes.
"""

import asyncio
import base64
import json
import time
from dataclasses import dataclass, field

from bailiwick.errors import BailiwickError, NotFound, RuleViolated, Unavailable
from bailiwick.kit.db import Store
from bailiwick.kit.extraction import Extractor
from bailiwick.kit.extraction.extractor import CRASH, TIME
from bailiwick.library.index import partial_names, reading, repository, text_rows, walk
from bailiwick.library.index.events import emit_changes
from bailiwick.library.index.repository import KnownFile
from bailiwick.library.index.scan import NotebookScanner
from bailiwick.library.index.text_rows import ReadText, WaitingFile
from bailiwick.library.index.transcripts import Transcriber
from bailiwick.library.index.walk import DiskFile, names_of

LARGEST = 50_000_000  # bytes of a file that is read
_TOGETHER = 256
_BYTES_TOGETHER = 16_000_000
_MOST_ATTEMPTS = 3
_RESTS_SECONDS = 0.3
_EMBEDDED_TOGETHER = 64
_FAULTS = {
    TIME: "Reading it took too long.",
    CRASH: "The program that reads such files broke down over it.",
    "MemoryError": "Reading it takes more memory than there is for one file.",
}


@dataclass(slots=True)
class _Opened:
    """Files that were opened, with their contents, and those that came to an end before."""

    contents: list[tuple[WaitingFile, bytes]] = field(
        default_factory=list[tuple[WaitingFile, bytes]]
    )
    ended: list[ReadText] = field(default_factory=list[ReadText])
    moved_on: list[str] = field(default_factory=list[str])  # other than they were when seen
    rests_in: float | None = None  # seconds until something that is being written may rest


class TextReader:
    """Reads for one notebook after another."""

    def __init__(
        self, store: Store, extractor: Extractor, transcriber: Transcriber | None = None
    ) -> None:
        self._store = store
        self._extractor = extractor
        self._transcriber = transcriber
        self._after: dict[str, int] = {}

    async def read_some(self, scanner: NotebookScanner, *, only: str | None = None) -> float | None:
        """Read some files, or one; in how many seconds to come back, None if nothing waits."""
        notebook = scanner.notebook
        after = 0 if only else self._after.get(notebook.id, 0)
        async with self._store.read() as session:
            files = await text_rows.waiting(
                session, notebook.id, most=_TOGETHER, after=after, path=only
            )
        if not files:
            if after:
                self._after[notebook.id] = 0
                return 0.0
            return None
        if files[0].attempts:
            # Something stopped the office while this was read: alone it holds up no others.
            files = files[:1]
        opened = await asyncio.to_thread(_open_all, scanner, files)
        done = {one.file.number for one in opened.ended} | {f.number for f, _ in opened.contents}
        async with self._store.write() as session:
            await text_rows.try_again(session, [file.number for file, _ in opened.contents])
        read = [*opened.ended, *await self._read(opened.contents)]
        await self._store_all(scanner, read)
        if opened.moved_on:
            await scanner.look(names_of(path) for path in opened.moved_on)
        # What is being written does not hold up those behind it.
        self._after[notebook.id] = 0 if done or opened.moved_on else files[-1].number
        return 0.0 if done or opened.moved_on else (opened.rests_in or 0.0)

    async def embed_some(self, scanner: NotebookScanner) -> bool:
        """Make some embeddings; whether there were any to make."""
        async with self._store.read() as session:
            lacking = await text_rows.without_vector(
                session, scanner.notebook.id, most=4 * _EMBEDDED_TOGETHER
            )
        if not lacking:
            return False
        groups = [
            lacking[start : start + _EMBEDDED_TOGETHER]
            for start in range(0, len(lacking), _EMBEDDED_TOGETHER)
        ]
        things = [json.dumps([text for *_, text in group]).encode() for group in groups]
        answers = await self._extractor.read(reading.EMBED, things)
        made = [
            (number, seen, base64.b64decode(vector))
            for group, said in zip(groups, answers, strict=True)
            for (number, seen, _), vector in zip(group, said or [""] * len(group), strict=True)
        ]
        async with self._store.write() as session:
            await text_rows.keep_vectors(session, made)
            if len(lacking) < 4 * _EMBEDDED_TOGETHER:
                emit_changes(session, scanner.notebook, changed=len(made))
        return True

    async def _read(self, contents: list[tuple[WaitingFile, bytes]]) -> list[ReadText]:
        things = [file.name.encode() + b"\x00" + content for file, content in contents]
        answers = await self._extractor.answers(reading.READ, things)
        made = [_made(file, answer) for (file, _), answer in zip(contents, answers, strict=True)]
        if self._transcriber is None:
            return made
        return [
            await self._transcriber.heard(one, content)
            for one, (_, content) in zip(made, contents, strict=True)
        ]

    async def _store_all(self, scanner: NotebookScanner, read: list[ReadText]) -> None:
        if not read:
            return
        # Of empty files nobody can say which is which.
        new = [one for one in read if one.digest and one.file.size and not one.file.digest]
        if new and await self._adopted(scanner, new):
            # Nobody compares the names with the disk while some are given to others.
            async with scanner.lock:
                await self._keep(scanner, read, await self._adopted(scanner, new))
        else:
            await self._keep(scanner, read, {})

    async def _keep(
        self, scanner: NotebookScanner, read: list[ReadText], adopted: dict[int, WaitingFile]
    ) -> None:
        async with self._store.write() as session:
            replaced = [file.number for file in adopted.values()]
            await repository.drop(session, replaced)
            await repository.step_aside(session, list(adopted))
            await repository.move(
                session, {number: _as_disk(file) for number, file in adopted.items()}
            )
            for number, file in adopted.items():
                await repository.take_identity(session, number, file.identity)
            await text_rows.store(session, [one for one in read if one.file.number not in replaced])
            emit_changes(session, scanner.notebook, changed=len(read))

    async def _adopted(
        self, scanner: NotebookScanner, new: list[ReadText]
    ) -> dict[int, WaitingFile]:
        """New files whose content was known under a name that nothing has any more."""
        digests = {one.digest: one.file for one in new if one.digest}
        async with self._store.read() as session:
            known = await repository.with_digests(session, scanner.notebook.id, list(digests))
        if not known:
            return {}
        return await asyncio.to_thread(_missing, scanner, digests, known)


def _missing(
    scanner: NotebookScanner,
    new: dict[str, WaitingFile],
    known: list[tuple[str, KnownFile]],
) -> dict[int, WaitingFile]:
    adopted: dict[int, WaitingFile] = {}
    for digest, row in known:
        file = new.get(digest)
        if file is None or row.number == file.number or file in adopted.values():
            continue
        if walk.file_at(scanner.root, names_of(row.path)) is None:
            adopted[row.number] = file
    return adopted


def _open_all(scanner: NotebookScanner, files: list[WaitingFile]) -> _Opened:
    opened, size = _Opened(), 0
    for file in files:
        if size >= _BYTES_TOGETHER:
            break
        if reason := _not_read(file):
            opened.ended.append(ReadText(file, "skipped", reason))
            continue
        try:
            size += _open(scanner, file, opened)
        except NotFound:
            opened.moved_on.append(file.path)
        except RuleViolated as error:
            fault = "The server may not read it." if walk.is_closed(error) else str(error)
            opened.ended.append(ReadText(file, "failed", fault))
        except Unavailable as error:
            walk.identity(scanner.root)  # a root that is away says so, and nothing is marked
            opened.ended.append(ReadText(file, "failed", str(error)))
        except (BailiwickError, OSError) as error:
            opened.ended.append(ReadText(file, "failed", f"The disk does not give it: {error}"))
    return opened


def _open(scanner: NotebookScanner, file: WaitingFile, opened: _Opened) -> int:
    names = names_of(file.path)
    with scanner.root.opened(names) as (stream, facts):
        found = DiskFile.of(names[:-1], names[-1], facts)
        if found.identity != file.identity:
            opened.moved_on.append(file.path)
            return 0
        age = time.time() - found.modified_ns / 1e9
        if 0 <= age < _RESTS_SECONDS:
            opened.rests_in = min(_RESTS_SECONDS - age, opened.rests_in or _RESTS_SECONDS)
            return 0
        content = stream.read(LARGEST + 1)
    after = walk.file_at(scanner.root, names)
    if after is None or after.identity != file.identity:
        opened.moved_on.append(file.path)
        return 0
    opened.contents.append((file, content))
    return len(content)


def _not_read(file: WaitingFile) -> str | None:
    if file.size > LARGEST:
        return f"It is larger than {LARGEST // 1_000_000} MB, so only its name is found."
    if not walk.is_usable(file.path):
        return (
            "Its name has characters that could mislead, so nobody opens it from here. Rename it."
        )
    if partial_names.is_partial(file.name):
        return "It looks half-written: a download that is not finished, or a program's own copy."
    if partial_names.is_machinery(file.folder):
        return "It lies in a folder that programs keep for themselves; only its name is found."
    if file.attempts >= _MOST_ATTEMPTS:
        return "It was tried three times, and each time the office stopped meanwhile."
    return None


def _made(file: WaitingFile, answer: dict[str, object]) -> ReadText:
    said = answer.get("said")
    if not isinstance(said, dict):
        fault = _FAULTS.get(str(answer.get("failed")), "It could not be read.")
        return ReadText(file, "failed", fault)
    return ReadText(
        file,
        said["state"],
        said["problem"],
        digest=said["digest"],
        kind=said["type"],
        properties=said["properties"],
        tags=said["tags"],
        texts={by: (text, size) for by, (text, size) in said["texts"].items()},
    )


def _as_disk(file: WaitingFile) -> DiskFile:
    inode, _, _ = file.identity.rpartition(":")[0].rpartition(":")
    return DiskFile(file.folder, file.name, file.size, 0, inode, file.identity)
