"""Whether the owner named a target, in their own words. Typed: kinds are never mixed.

`delete_file("13")` is not named by a request that speaks of June 13. What cannot be told counts as
not named: grounding is the only thing that lets a target pass, so it must never guess.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bailiwick.tools.effects import Effect
from bailiwick.tools.tool import TargetKind

_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+")
_URL = re.compile(r"https?://[^\s<>\"')\]]+", re.IGNORECASE)
_FILE = re.compile(r"[\w][\w ./-]{0,200}\.[A-Za-z0-9]{1,8}\b")
_WORD = re.compile(r"\w+")
_SHORTEST_NAME = 3
_LONGEST = 200_000

# The beginnings of words with which people ask for an effect. A person who uses none of them is
# asked once more; that is all that a missing word costs.
_ASKING: dict[str, str] = {
    "create": (
        "creat new add make writ save draft note remember record put list file prepare "
        "summar report leg schreib speicher erstell notier merk anleg crée écri enregistr "
        "ajout crea escrib guarda añad"
    ),
    "edit": (
        "edit updat chang writ add append replac fix correct renam set modif fill save put "
        "complet ergänz änder schreib ersetz korrigier speicher modifi chang écri corrig "
        "remplac cambi edita corrig actualiz"
    ),
    "label": "label tag mark flag categor star kennzeich markier étiquet marqu etiquet marc",
    "move": (
        "mov file archiv put sort organi renam transfer verschieb ableg umbenenn déplac "
        "rang archiv muev orden renombr"
    ),
    "complete": "complet done finish tick check close erledig abhak termin fin cierr",
    "send": (
        "send mail email reply answer forward write tell schick antwort envoi répond enví respond"
    ),
    "share": "shar give access teil freigeb partag compart",
    "invite": "invit schedul meet einlad planif convoc",
    "fetch": "fetch open download visit read look get browse hol lad öffn télécharg descarg abr",
    "delete": "delet remov erase trash clean lösch entfern supprim effac borr elimin",
    "execute": "run execut start ausführ exécut ejecut",
}
ASKING = {effect: tuple(stems.split()) for effect, stems in _ASKING.items()}


@dataclass(frozen=True, slots=True)
class Words:
    """What the owner wrote, taken apart once."""

    text: str
    addresses: frozenset[str]
    urls: frozenset[str]
    words: frozenset[str]

    def ask_for(self, effect: Effect) -> bool:
        """Whether any word speaks of this kind of act."""
        stems = ASKING.get(effect, ())
        return any(word.startswith(stems) for word in self.words)

    def name(self, kind: TargetKind, value: str) -> bool:
        """Whether a target of this kind is named."""
        match kind:
            case "address":
                return folded(value) in self.addresses
            case "url":
                return value.strip().rstrip("/") in self.urls
            case "file" | "folder":
                return self._names_path(value)
            case "name":
                return self._names_all_of(value)
            case "account" | "task" | "note" | "event" | "email":
                return self._has(folded(value))

    def _names_path(self, path: str) -> bool:
        whole = folded(path).strip("/")
        if "/" in whole and self._has(whole):
            return True
        # The notebook need not be said; every folder within it, and the name, must be.
        _, _, inner = whole.partition("/")
        return bool(inner) and all(self._has(name) for name in inner.split("/"))

    def _names_all_of(self, value: str) -> bool:
        wanted = {word for word in _WORD.findall(folded(value)) if len(word) >= _SHORTEST_NAME}
        return bool(wanted) and wanted <= self.words

    def _has(self, name: str) -> bool:
        if len(name) < _SHORTEST_NAME or name.isdigit():
            return False
        return re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-])", self.text) is not None


@functools.lru_cache(maxsize=256)
def words_of(text: str) -> Words:
    """The owner's words, ready to be asked."""
    plain = folded(text[:_LONGEST])
    return Words(
        text=plain,
        addresses=frozenset(address.rstrip(".") for address in _ADDRESS.findall(plain)),
        urls=frozenset(url.rstrip("/.,;") for url in _URL.findall(text[:_LONGEST])),
        words=frozenset(_WORD.findall(plain)),
    )


def folded(text: str) -> str:
    """Text as it is compared."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def mentions(data: Any) -> Iterator[tuple[str, str]]:
    """The targets that some content names, for explaining a refusal."""
    for text in _texts(data):
        plain = text[:_LONGEST]
        yield from (("address", folded(found).rstrip(".")) for found in _ADDRESS.findall(plain))
        yield from (("url", found.rstrip("/.,;")) for found in _URL.findall(plain))
        yield from (("file", folded(found)) for found in _FILE.findall(plain))


def _texts(data: Any) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from _texts(value)
        case list():
            for value in data:
                yield from _texts(value)
        case _:
            return
