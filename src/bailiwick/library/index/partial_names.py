"""Names of files that are not yet, or never, for people."""

_ENDINGS = (
    *(".part", ".partial", ".crdownload", ".download", ".opdownload", ".tmp", ".temp"),
    *(".swp", ".swx", ".filepart", ".!ut", ".aria2"),
)
_BEGINNINGS = ("~$", ".~lock.", ".#", ".goutputstream-", ".fuse_hidden", ".nfs")
_MACHINERY = frozenset(("node_modules", "__pycache__"))


def is_partial(name: str) -> bool:
    """Whether a program gives such names to what it is still writing."""
    lower = name.lower()
    return lower.endswith(_ENDINGS) or lower.startswith(_BEGINNINGS)


def is_machinery(folder: str) -> bool:
    """Whether a folder is one that programs keep for themselves."""
    return any(name.startswith(".") or name in _MACHINERY for name in folder.split("/"))
