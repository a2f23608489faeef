"""A file while it comes: counted, and refused as soon as it is known that it cannot be taken."""

from dataclasses import dataclass

from bailiwick.errors import Invalid, TooLarge
from bailiwick.files import kinds
from bailiwick.files.schemas import LARGEST
from bailiwick.kit.blobs import BlobFolder

_LONGEST_TITLE = 255


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """What is known of a file that has come, and that is kept nowhere yet."""

    title: str
    size: int
    mime_type: str
    checksum: str


class IncomingFile:
    """Takes a file piece by piece."""

    def __init__(self, folder: BlobFolder, name: str) -> None:
        self.title = titled(name)
        self.blob = folder.incoming()
        self._head = b""
        self._kind: str | None = None

    def write(self, piece: bytes) -> None:
        """Take the next piece, unless it is one too many or of a kind that is not taken."""
        if self.blob.size + len(piece) > LARGEST:
            raise too_large()
        self.blob.write(piece)
        if self._kind is None:
            self._head += piece[: kinds.HEAD - len(self._head)]
            if len(self._head) >= kinds.HEAD:
                self._kind = taken_kind(self._head, self.title)

    def end(self) -> ReceivedFile:
        """There is no more of it."""
        kind = self._kind or taken_kind(self._head, self.title)
        self.blob.end()
        return ReceivedFile(self.title, self.blob.size, kind, self.blob.checksum)


def taken_kind(head: bytes, name: str) -> str:
    """The kind of a file that begins so, or why it is not taken."""
    kind = kinds.found(head, name)
    if not kinds.is_taken(kind):
        said = "a program" if kind == "application/x-executable" else f"of a kind ({kind})"
        raise Invalid.field(
            "file",
            f"is {said} that is not taken; documents, pictures, sheets, slides, archives, sound "
            "and film are",
        )
    return kind


def too_large() -> TooLarge:
    """It has too many bytes."""
    words = f"a file may have {LARGEST // 1024**2} MB at most"
    return TooLarge(f"file: {words}", errors={"file": [words]})


def titled(name: str) -> str:
    """The name of a file without the folders that it came from, in letters that can be shown."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    plain = "".join(letter if letter.isprintable() else " " for letter in last)
    clean = " ".join(plain.encode(errors="replace").decode().split()).strip(". ")
    stem, dot, suffix = clean.rpartition(".")
    if len(clean) > _LONGEST_TITLE and dot and len(suffix) <= 10:
        return f"{stem[: _LONGEST_TITLE - len(suffix) - 1]}.{suffix}"
    return clean[:_LONGEST_TITLE] or "file"
