"""Which folders of this machine may be opened as notebooks."""

from pathlib import Path

from bailiwick.errors import Invalid

_THE_SYSTEMS = tuple(map(Path, ("/proc", "/sys", "/dev")))


def checked(text: str, *, data: Path) -> Path:
    """The folder that the text names, without links in it; refused if it must stay closed."""
    given = Path(text)
    if "\x00" in text or not given.is_absolute():
        raise Invalid.field("path", "give the whole path of a folder, from the root of the disk")
    try:
        path = given.resolve(strict=True)
        is_folder = path.is_dir()
        ours = data.resolve()
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be followed"
        raise Invalid.field("path", f"that folder cannot be opened: {reason}") from None
    if not is_folder:
        raise Invalid.field("path", "that is not a folder")
    if path == Path(path.anchor) or any(overlap(path, place) for place in _THE_SYSTEMS):
        raise Invalid.field("path", "that folder is the system's own and stays closed")
    if overlap(path, ours):
        raise Invalid.field("path", "that folder holds the data of this office and stays closed")
    return path


def overlap(one: Path, other: Path) -> bool:
    """Whether one of them is, or contains, the other."""
    return one.is_relative_to(other) or other.is_relative_to(one)
