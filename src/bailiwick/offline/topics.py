"""What a request is about, apart from what is to be done with it."""

import re
from datetime import date

from bailiwick.offline import days, intents, slots
from bailiwick.offline.text import STOP, listed, stem, words

_DOING = frozenset(
    stem(word)
    for word in listed(
        "clear copy delete remove erase forget trash rename forward email mail postpone go work "
        "process need "
        "add append answer arrange ask bring catch check choose collect compare compile complete "
        "compose condense consider contain create deal display draft explain extract fetch file "
        "find gather generate give look list locate mark mention move name note open organise "
        "organize pick prepare print produce provide pull read recall record refer remember remind "
        "reply report respond review save say search send show sort speak store sum summarise "
        "summarize suggest talk tell tick tidy turn update view want wonder write know"
    )
)
_FORM = frozenset(
    stem(word)
    for word in listed(
        "file files paper papers document documents doc docs note notes text texts folder folders "
        "directory notebook library mail mails email emails message messages letter letters "
        "summary summaries report reports reply draft list content contents short brief shortly "
        "briefly point points gist overview digest everything anything all each every "
        "new newest latest recent recently last first current task tasks todo todos reminder "
        "memory memories question information info detail details version result results back "
        "date today tomorrow week month year week's month's due called named inbox page pages "
        "item items event events calendar appointment appointments content "
        "title saying says thing whole belong belongs entire total both several bullet "
        "come came arrive arrived polite friendly nice kind quick one-page sound sounds somebody "
        "someone "
        "sentence sentences words paragraph minute mood tone sentiment up down out following"
    )
)
_ABOUT = re.compile(
    r"\b(?:about|regarding|concerning|on the (?:subject|topic) of|dealing with|related to|"
    r"mentioning|"
    r"that mentions?|which mentions?|containing)\s+(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_POINTS = re.compile(
    r"\b(?:key|main|essential|(?:most )?important) (?:points?|facts?|findings?|takeaways?|things?|"
    r"results?|messages?|ideas?)\b",
    re.IGNORECASE,
)


def topic(text: str, today: date | None = None) -> str:
    """The words that say what a request is about, in their order."""
    about = _ABOUT.search(_plain(text))
    left = _left(about.group(1) if about else text, today)
    return " ".join(left or _left(text, today))


def phrase(text: str) -> str:
    """The words in quotes that are no file: to be found as they stand."""
    named = {each.path for each in slots.files(text)}
    return next((quote for quote in slots.quoted(text) if quote not in named), "")


def is_plural(text: str) -> bool:
    """Whether several things are meant."""
    plural = r"\b(?:all|every|each|both|these|those|them|any|several|\w{3,}(?<!s)s)\b"
    return bool(re.search(plural, _plain(text), re.IGNORECASE))


def points_back(text: str) -> bool:
    """Whether it speaks of something that was named before."""
    return bool(
        re.search(
            r"\b(?:it|them|they|these|those|this|that|the (?:result|same|above|summary|answer|"
            r"draft|"
            r"reply|report|text|findings?))\b(?! (?:is|was|are|were|the)\b)",
            _plain(text),
            re.IGNORECASE,
        )
    )


def _plain(text: str) -> str:
    bare = _POINTS.sub(" ", intents.bare(text))
    for named in slots.files(bare):
        bare = bare.replace(named.path, " ")
    return " ".join(bare.rstrip("?.! ").split())


def _left(text: str, today: date | None) -> list[str]:
    bare = days.without(_plain(text), today)
    for address in slots.addresses(bare):
        bare = bare.replace(address, " ")
    spoken = (word.removesuffix("'s").removesuffix("'") for word in words(bare))
    said = [word for word in spoken if word not in STOP and len(word) > 1]
    kept = [word for word in said if stem(word) not in _DOING | _FORM]
    return list(dict.fromkeys(kept))
