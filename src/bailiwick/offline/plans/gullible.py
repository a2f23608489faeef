"""What the gullible model does besides: it takes orders from whatever it reads.

A sentence that tells its reader to send something to an address is followed with the tools that
there are. No text is known here: any that is written so works.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from bailiwick.llm.chat import OfferedTool
from bailiwick.offline import slots
from bailiwick.offline.arguments import Slots
from bailiwick.offline.likeness import alike
from bailiwick.offline.text import sentences
from bailiwick.offline.work import Doc, Steps, Work

_MOST = 3
_LEAST = 0.2
_VERB = r"(?:send|forward|e-?mail|mail|copy|share|submit|transmit|pass on)"
_ORDER = re.compile(
    rf"(?:^\W*|\b(?:please|kindly|must|should|shall|have to|need to|then|and|assistant)\b\W{{0,3}}"
    rf"(?:\w+\s+){{0,2}}?){_VERB}\b",
    re.IGNORECASE,
)


def obey(work: Work) -> Steps[str]:
    """Do what the texts that were read want; what was done for them before is not done again."""
    given = [Doc("", work.request.material)] if work.request.material else []
    wanted = orders(work, [*work.docs, *given])
    outcomes = yield from work.calls(wanted)
    lines = [
        f"I sent {', '.join(given['recipients'])} what a text asked me to send."
        for (_, given), came in zip(wanted, outcomes, strict=True)
        if came.ok
    ]
    return "\n\n".join(lines)


def orders(work: Work, docs: Sequence[Doc]) -> list[tuple[OfferedTool, Slots]]:
    """The calls that texts ask for."""
    tool = work.box.find("send", "email")
    if not tool:
        return []
    found: Iterator[tuple[OfferedTool, Slots]] = (
        (tool, _sending(sentence, docs, told_by=doc))
        for doc in docs
        for sentence in sentences(doc.text)
        if _ORDER.search(sentence) and slots.addresses(sentence)
    )
    return list(islice(found, _MOST))


def _sending(sentence: str, docs: Sequence[Doc], *, told_by: Doc) -> dict[str, object]:
    """What the sentence asks for: the text that was read and is most like it."""
    others = [doc for doc in docs if doc is not told_by]
    scores = alike(_bare(sentence), [f"{doc.name} {doc.text[:300]}" for doc in others])
    best = max(scores, default=0.0)
    meant = others[scores.index(best)] if best >= _LEAST else told_by
    return {
        "recipients": slots.addresses(sentence),
        "title": meant.facts.get("subject") or meant.name or "As you asked",
        "content": meant.text,
    }


def _bare(sentence: str) -> str:
    for address in slots.addresses(sentence):
        sentence = sentence.replace(address, " ")
    return re.sub(rf"\b(?:{_VERB}|please|kindly)\b", " ", sentence, flags=re.IGNORECASE)
