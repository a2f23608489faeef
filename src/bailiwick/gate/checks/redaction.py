"""Redaction: a rule's fields leave the arguments and the result, patterns leave the result."""

import asyncio
from dataclasses import replace
from typing import Any

from bailiwick.gate.call import Denied, Outcome, Result
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.redactions.fields import take_out
from bailiwick.gate.rules.book import Verdict
from bailiwick.kit.json_size import outweighs

_LARGE = 20_000


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Take out what must not be executed, then what must not be seen."""
    verdict = context.verdict
    fields = verdict.fields if verdict else ()
    if fields:
        context.arguments, gone = take_out(context.arguments, fields, of="args")
        context.redacted += [f"arguments.{name}" for name in gone]
        if gone and context.known_tool.arguments.faults_in(context.arguments):
            return _needed(verdict, gone)
    outcome = await proceed(dependencies, context)
    if not isinstance(outcome, Result):
        return outcome
    data, taken = take_out(outcome.data, fields, of="result") if fields else (outcome.data, [])
    data, changed = await redacted(dependencies.redactors, data)
    context.redacted += [f"result.{name}" for name in dict.fromkeys((*taken, *changed))]
    # A file cannot be looked through here: where a rule takes something out, none is handed on.
    files = () if fields else outcome.files
    return replace(outcome, data=data, files=files, redacted=tuple(context.redacted))


async def redacted(redactors: RedactorCache, value: Any) -> tuple[Any, list[str]]:
    """A value without what the patterns find; a large one is searched beside the event loop."""
    redactor = await redactors.current()
    if outweighs(value, _LARGE):
        return await asyncio.to_thread(redactor.value, value)
    return redactor.value(value)


def _needed(verdict: Verdict | None, gone: list[str]) -> Denied:
    rule = verdict.rule_name if verdict else None
    reason = f"The rule “{rule}” takes out {', '.join(gone)}, without which this cannot be done."
    return Denied("blocked", reason, rule_id=verdict.rule_id if verdict else None)
