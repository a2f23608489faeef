"""What a program with someone's token is shown: redacted, and remembered as read.

A person sees a thing as it is. A program that reads approvals, actions, sessions or the audit gets
whoever's words are in them, and what it does afterwards is judged by that, as if it had read mail.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from bailiwick.gate.checks.redaction import redacted
from bailiwick.gate.people import context_of
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.trust import grounding
from bailiwick.gate.trust.reads import ReadStates
from bailiwick.identity.principal import Principal
from bailiwick.office import Office
from bailiwick.tools.trust import Source

ProgramView = TypeVar("ProgramView", bound=BaseModel)


async def shown_to(
    office: Office,
    who: Principal,
    shown: Sequence[ProgramView],
    *,
    workspace_id: str,
    sources: Iterable[Source],
    words: Collection[str],
) -> Sequence[ProgramView]:
    """The same for a person; for a program redacted as below, and remembered as read."""
    if context_of(who) is None or not shown:
        return shown
    said = [each.model_dump(include=set(words)) for each in shown]
    await heard(office, who, said, workspace_id=workspace_id, sources=sources)
    return [await redacted_for(office, who, each, words) for each in shown]


async def heard(
    office: Office, who: Principal, said: Any, *, workspace_id: str, sources: Iterable[Source]
) -> None:
    """Remember whose words a program has now; of a person nothing is remembered."""
    context_id = context_of(who)
    foreign = [source for source in sources if source.label != "owner"]
    if context_id and foreign:
        await office[ReadStates].read(
            context_id,
            workspace_id=workspace_id,
            sources=foreign,
            mentions=grounding.mentions(said),
        )


async def text_for(office: Office, who: Principal, text: str) -> str:
    """A text as this person, or a program of theirs, may see it."""
    if context_of(who) is None:
        return text
    return cast("str", (await redacted(office[RedactorCache], text))[0])


async def redacted_for(
    office: Office, who: Principal, shown: ProgramView, words: Collection[str]
) -> ProgramView:
    """The same for a person; for a program, with the fields named `words` redacted."""
    if context_of(who) is None:
        return shown
    said, _ = await redacted(office[RedactorCache], shown.model_dump(include=set(words)))
    return shown.model_validate({**shown.model_dump(), **said})
