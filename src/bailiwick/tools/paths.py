"""Paths beneath a virtual root: text from anyone becomes names, or is refused.

A path is `<notebook>/<folder>/…/<name>`. What could mean another place than it says is refused
rather than repaired: `..`, absolute paths, NUL and control characters, backslashes and look-alike
separators, device names, and names that some disk would fold or trim into another.
"""

import re
import unicodedata
from dataclasses import dataclass

from bailiwick.errors import Invalid

LONGEST_NAME = 255
LONGEST_PATH = 1024
# Characters that some font or normalisation shows as a slash, a backslash or a dot.
_LOOK_ALIKES = frozenset(
    "\\\u2215\u2044\u29f8\uff0f\u27cb\u2571\u20e5\u29f5\ufe68\uff3c\u29f9\u2024\u2025\u2026\uff0e\u3002\uff61"
)
# Letters and marks that no font shows, so that two names would look the same.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_DEVICES = re.compile(r"(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)")


@dataclass(frozen=True, slots=True)
class VirtualPath:
    """Names from the virtual root downwards; none: the root itself, one: a notebook."""

    names: tuple[str, ...]

    @classmethod
    def parse(cls, text: str, *, field: str = "path") -> "VirtualPath":
        """The path that the text means, or `Invalid` that names the field."""
        if text in ("", ".", "/"):
            return cls(())
        # Checked in the form that is used: normalising can make a name longer.
        names = tuple(_normal(name) for name in text.removesuffix("/").split("/"))
        if len(text) > LONGEST_PATH or len("/".join(names)) > LONGEST_PATH:
            raise Invalid.field(field, f"is longer than {LONGEST_PATH} characters")
        for name in names:
            if fault := _fault(name):
                raise Invalid.field(field, fault)
        return cls(names)

    @classmethod
    def of_file(cls, text: str, *, field: str = "path") -> "VirtualPath":
        """The same of what has to be a file: a bare notebook is none."""
        path = cls.parse(text, field=field)
        if not path.inner:
            raise Invalid.field(field, "name a file: the notebook, its folders and the file's name")
        return path

    @property
    def notebook(self) -> str:
        """The first name."""
        return self.names[0] if self.names else ""

    @property
    def inner(self) -> tuple[str, ...]:
        """The names within the notebook."""
        return self.names[1:]

    @property
    def folder(self) -> str:
        """The folder of the file, with the notebook."""
        return "/".join(self.names[:-1])

    @property
    def name(self) -> str:
        """The last name."""
        return self.names[-1] if self.names else ""

    @property
    def suffix(self) -> str:
        """The end of the name, with its dot; empty if it has none."""
        stem, dot, end = self.name.rpartition(".")
        return f".{end}" if dot and stem else ""

    def __str__(self) -> str:
        return "/".join(self.names)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _fault(name: str) -> str | None:
    if name in ("", "."):
        return "has an empty name in it; start with the notebook's name and use single slashes"
    if name == "..":
        return "must not contain '..'"
    if _UNSEEN.intersection(name) or any(
        unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
        for letter in name
    ):
        return "contains a control or invisible character"
    if found := _LOOK_ALIKES.intersection(name):
        return f"contains {min(found)!r}, which could be taken for a separator or a dot"
    if any(mark in unicodedata.normalize("NFKC", name) for mark in ("/", "\\")) or (
        unicodedata.normalize("NFKC", name) in (".", "..")
    ):
        return "contains a character that could be taken for a separator"
    if ":" in name:
        return "must not contain ':'"
    if name != name.strip() or name.endswith("."):
        return "has a name that begins or ends with a space, or ends with a dot"
    if _DEVICES.match(name):
        return f"contains {name!r}, which is a device on some systems"
    if len(name.encode()) > LONGEST_NAME:
        return f"has a name longer than {LONGEST_NAME} bytes"
    return None
