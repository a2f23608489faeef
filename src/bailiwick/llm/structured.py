"""Answers in a form: a pydantic model goes in with the question, and comes back filled in.

How the form is asked for is the provider's matter (`messages.form_mode`). What does not fit is
asked for once more, with what was wrong; then it is a failure in words.
"""

import json
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from bailiwick.kit.plain_schema import plain
from bailiwick.llm.adapter import Models
from bailiwick.llm.chat import AnswerForm, ModelReply, ModelRequest, OnAttempt, TokenUsage
from bailiwick.llm.config import Config
from bailiwick.llm.errors import ModelFailed

_Filled = TypeVar("_Filled", bound=BaseModel)
_MOST_PROBLEMS = 5
_LONGEST_REPEATED = 4_000


@dataclass(frozen=True, slots=True)
class FormReply(Generic[_Filled]):
    """What was filled in, and what all tries used."""

    value: _Filled
    spent: TokenUsage


class FormFailed(ModelFailed):
    """A model answered, twice, in another form than it was asked for."""

    def __init__(self, detail: str, *, model_id: str, spent: TokenUsage) -> None:
        super().__init__(detail, model_id=model_id)
        self.spent = spent


async def ask_for(
    models: Models,
    config: Config,
    ask: ModelRequest,
    form: type[_Filled],
    *,
    on_attempt: OnAttempt | None = None,
) -> FormReply[_Filled]:
    """Ask a model for a form; `FormFailed` if what it says does not fit, even when told why."""
    named = AnswerForm(form.__name__, plain(form.model_json_schema()))
    ask = replace(ask, tools=(), output=named)
    first = await models.reply(config, ask, on_attempt=on_attempt)
    try:
        return FormReply(read(first.content, form), first.spent)
    except ValueError as problem:
        again = replace(ask, messages=[*ask.messages, *_corrected(first, problem, named)])
    second = await models.reply(config, again, on_attempt=on_attempt)
    spent = first.spent + second.spent
    try:
        return FormReply(read(second.content, form), spent)
    except ValueError as problem:
        said = f"The model “{config.name}” did not answer in the form that was asked for: "
        raise FormFailed(said + described(problem), model_id=config.id, spent=spent) from None


def read(text: str, form: type[_Filled]) -> _Filled:
    """The form that a text holds, also amid other words; `ValueError` with what does not fit."""
    found = _objects(text)
    if not found:
        raise ValueError("there is no JSON object in it")
    # Models think aloud before they answer: the last that fits is the answer.
    for value in reversed(found[1:]):
        try:
            return form.model_validate(value)
        except ValidationError:
            continue
    return form.model_validate(found[0])


def described(problem: ValueError) -> str:
    """What does not fit, without repeating what was said."""
    if not isinstance(problem, ValidationError):
        return str(problem)
    found = problem.errors(include_url=False, include_context=False, include_input=False)
    places = [f"{'.'.join(map(str, one['loc'])) or 'all'}: {one['msg']}" for one in found]
    return "; ".join(places[:_MOST_PROBLEMS])


def _corrected(reply: ModelReply, problem: ValueError, form: AnswerForm) -> list[dict[str, Any]]:
    # With the schema: a server may have passed over the one that it was given.
    text = (
        f"That does not fit: {described(problem)}. Answer again, with one JSON object alone, of "
        f"this schema: {json.dumps(form.schema, ensure_ascii=False)}"
    )
    return [
        {"role": "assistant", "content": reply.content[:_LONGEST_REPEATED]},
        {"role": "user", "content": text},
    ]


def _objects(text: str) -> list[Any]:
    """The JSON objects of a text that stand in no other."""
    decoder, found, at = json.JSONDecoder(), list[Any](), 0
    while (at := text.find("{", at)) >= 0 and len(found) < _MOST_PROBLEMS * 10:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            found.append(value)
    return found
