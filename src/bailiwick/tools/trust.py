"""Trust labels: whose words something is. What is derived from several takes the lowest."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Label = Literal["owner", "contact", "stranger", "web"]
_RANK: dict[Label, int] = {"owner": 3, "contact": 2, "stranger": 1, "web": 0}


@dataclass(frozen=True, slots=True)
class Source:
    """A piece of content that was read: what it is, in words for a person, and its label."""

    label: Label
    about: str  # "the file Papers/inbox/offer.txt"


def lowest(labels: Iterable[Label]) -> Label:
    """The label of what rests on all of these; of nothing, the owner's."""
    least: Label = "owner"
    for label in labels:
        if _RANK[label] < _RANK[least]:
            least = label
    return least


def is_untrusted(label: Label) -> bool:
    """Whether these are the words of someone whom the owner does not know."""
    return _RANK[label] <= _RANK["stranger"]
