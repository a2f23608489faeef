"""The tools that are offered, by what they do and to what: list files, add a task, read a mail.

A tool is known by the words of its name, and else by those of its description; none by heart.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bailiwick.llm.chat import OfferedTool
from bailiwick.offline.text import listed, stem, words

Verb = Literal["list", "read", "search", "create", "edit", "move", "delete", "complete", "send"]
AGENT = "agent__"

_VERBS: dict[Verb, str] = {
    "list": "list enumerate browse tree recent all",
    "read": "read get open retrieve show view load fetch describe",
    "search": "search find query lookup seek grep locate",
    "create": "create add new make put insert remember post record schedule propose",
    "edit": "edit update write change modify replace set patch append overwrite",
    "move": "move rename relocate transfer",
    "delete": "delete remove forget erase trash drop",
    "complete": "complete finish close tick done check",
    "send": "send reply forward mail",
}
_NOUNS: dict[str, str] = {
    "file": "file files filesystem document documents paper note content contents page path",
    "folder": "folder folders directory directories tree notebook",
    "task": "task tasks todo todos to-do reminder",
    "memory": "memory memories memo",
    "email": "email emails mail mails message messages inbox",
    "event": "event events calendar appointment meeting",
    "item": "item items artifact deliverable",
    "suggestion": "suggestion suggestions proposal",
    "guideline": "guideline guidelines",
    "agent": "agent agents",
    "tool": "tool tools params api docs",
    "draft": "draft drafts",
    "contact": "contact contacts person people",
}
_VERB_OF: dict[str, Verb] = {
    stem(word): verb for verb, words in _VERBS.items() for word in words.split()
}
_NOUN_OF = {stem(word): noun for noun, words in _NOUNS.items() for word in words.split()}
_QUALIFIERS = frozenset(map(stem, listed("the a an all in of to for local workspace my")))


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool, and what its name says of it."""

    tool: OfferedTool
    verb: Verb | None
    nouns: frozenset[str]
    rest: frozenset[str]  # words of its name that neither verb nor noun explain


@dataclass(frozen=True, slots=True)
class Toolbox:
    """All tools that are offered."""

    known: Sequence[KnownTool]

    def find(self, verb: Verb, noun: str) -> OfferedTool | None:
        """The tool that does this to such a thing; the plainest, if there are several."""
        fitting = [each for each in self.known if each.verb == verb and noun in each.nouns]
        fitting.sort(
            key=lambda each: (
                len(each.rest),
                len(each.nouns),
                not each.tool.name.startswith(verb),
                len(each.tool.name),
            )
        )
        return fitting[0].tool if fitting else None

    def any_of(self, verbs: Sequence[Verb], noun: str) -> OfferedTool | None:
        """The first of several kinds of tool that is there."""
        return next((tool for verb in verbs if (tool := self.find(verb, noun))), None)

    def changes(self, name: str) -> bool:
        """Whether a tool does more than look."""
        verbs = {each.tool.name: each.verb for each in self.known}
        return verbs.get(name) not in (None, "list", "read", "search")

    @property
    def tools(self) -> list[OfferedTool]:
        """Each of them, as it is offered."""
        return [each.tool for each in self.known]

    @property
    def agents(self) -> list[OfferedTool]:
        """The tools that ask another agent."""
        return [each.tool for each in self.known if each.tool.name.startswith(AGENT)]

    @property
    def nouns(self) -> set[str]:
        """The kinds of things that there are tools for."""
        return {noun for each in self.known for noun in each.nouns}


def open(tools: Sequence[OfferedTool]) -> Toolbox:
    """Look at what is offered."""
    return Toolbox([_known(tool) for tool in tools])


def nouns_in(text: str) -> list[str]:
    """The kinds of things that a text speaks of, in its order."""
    found = (_NOUN_OF.get(stem(word)) for word in words(text))
    return list(dict.fromkeys(noun for noun in found if noun))


def _known(tool: OfferedTool) -> KnownTool:
    if tool.name.startswith(AGENT):
        return KnownTool(tool, None, frozenset({AGENT}), frozenset())
    name = [stem(word) for word in words(re.sub(r"(?<=[a-z])(?=[A-Z])|[_.\-/:]+", " ", tool.name))]
    said = [stem(word) for word in words(tool.description)[:16]]
    verb: Verb | None = next((_VERB_OF[word] for word in name if word in _VERB_OF), None)
    nouns = {_NOUN_OF[word] for word in name if word in _NOUN_OF}
    if verb is None:
        verb = next((_VERB_OF[word] for word in said if word in _VERB_OF), None)
    # "search_content" finds files, though its name does not say so.
    first = next((_NOUN_OF[word] for word in said if word in _NOUN_OF), None)
    if first and not nouns:
        nouns.add(first)
    rest = {
        word
        for word in name
        if word not in _VERB_OF and word not in _NOUN_OF and word not in _QUALIFIERS
    }
    return KnownTool(tool, _exact(verb, name), frozenset(nouns), frozenset(rest))


def _exact(verb: Verb | None, name: Sequence[str]) -> Verb | None:
    """A name may hold two: get_folder_tree and list_recent_files list."""
    spoken = [_VERB_OF[word] for word in name if word in _VERB_OF]
    return "list" if verb == "read" and "list" in spoken else verb
