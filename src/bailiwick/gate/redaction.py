"""Redaction: a rule's fields leave the arguments and the result, patterns leave the result."""

from dataclasses import replace

from bailiwick.gate.call import Denied, Outcome, Result
from bailiwick.gate.passage import Passage, Step
from bailiwick.gate.redactions.fields import take_out
from bailiwick.gate.rules.book import Verdict
from bailiwick.gate.services import Services


async def check(services: Services, passage: Passage, proceed: Step) -> Outcome:
    """Take out what must not be executed, then what must not be seen."""
    verdict = passage.verdict
    fields = verdict.fields if verdict and verdict.action == "REDACT" else ()
    if fields:
        passage.arguments, gone = take_out(passage.arguments, fields, of="args")
        passage.redacted += [f"arguments.{name}" for name in gone]
        validator = services.registry.validator(passage.known_tool.name)
        if gone and not validator.is_valid(passage.arguments):
            return _needed(verdict, gone)
    outcome = await proceed(services, passage)
    if not isinstance(outcome, Result):
        return outcome
    data, taken = take_out(outcome.data, fields, of="result") if fields else (outcome.data, [])
    redactor = await services.redactors.current()
    data, changed = redactor.value(data)
    passage.redacted += [f"result.{name}" for name in dict.fromkeys((*taken, *changed))]
    return replace(outcome, data=data, redacted=tuple(passage.redacted))


def _needed(verdict: Verdict | None, gone: list[str]) -> Denied:
    rule = verdict.rule_name if verdict else None
    told = f"The rule “{rule}” takes out {', '.join(gone)}, without which this cannot be done."
    return Denied("blocked", told, rule_id=verdict.rule_id if verdict else None)
