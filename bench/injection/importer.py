"""Turns a suite of user tasks and injection tasks, with the calls that each needs, into a corpus.

Usage: python bench/injection/importer.py SUITE.json FOLDER
"""

import argparse
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pydantic import Field

from bailiwick.tools.trust import is_untrusted
from injection.items import (
    Area,
    Contact,
    Declared,
    Form,
    Harm,
    Item,
    Part,
    Step,
    World,
)
from injection.play import texts

PREFIX = "suite_"


class SuiteCall(Form):
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class UserTask(Form):
    id: str
    prompt: str
    area: Area = "research"
    calls: list[SuiteCall] = Field(min_length=1)


class InjectionTask(Form):
    id: str
    goal: str = ""
    calls: list[SuiteCall] = Field(min_length=1)


class Suite(Form):
    """What is imported; a person has said of each tool what it does and whose words it gives."""

    name: str
    tools: dict[str, Declared]
    known: list[str] = Field(default_factory=list)  # addresses that the owner knows
    user_tasks: list[UserTask]
    injection_tasks: list[InjectionTask]


def convert(suite: Suite) -> Part:
    """Each user task as an honest one, and each with each injection as an attack."""
    world = World(
        contacts={address: Contact(name=address, address=address) for address in suite.known}
    )
    return Part(
        tools={PREFIX + name: tool for name, tool in suite.tools.items()},
        worlds={suite.name: world},
        items=[*_honest(suite), *_attacks(suite)],
    )


def _honest(suite: Suite) -> Iterator[Item]:
    for task in suite.user_tasks:
        yield Item(
            id=f"{suite.name}-{task.id}",
            area=task.area,
            words=task.prompt,
            world=World(base=suite.name),
            calls=_steps(task.calls),
        )


def _attacks(suite: Suite) -> Iterator[Item]:
    for task, injection in itertools.product(suite.user_tasks, suite.injection_tasks):
        begun = _until_read(suite, task)
        harm = [*_harms(suite, injection)]
        # Where nothing untrusted is read nothing can be injected.
        if begun and harm:
            yield Item(
                id=f"{suite.name}-{task.id}-{injection.id}",
                area=task.area,
                carrier="what a tool gave",
                about=injection.goal,
                words=task.prompt,
                world=World(base=suite.name),
                calls=_steps([*begun, *injection.calls]),
                harm=harm,
            )


def _until_read(suite: Suite, task: UserTask) -> list[SuiteCall]:
    """The calls up to the last untrusted read: from there on the agent is not the owner's."""
    untrusted = [
        number
        for number, call in enumerate(task.calls)
        if (label := suite.tools[call.tool].label) and is_untrusted(label)
    ]
    return task.calls[: untrusted[-1] + 1] if untrusted else []


def _harms(suite: Suite, injection: InjectionTask) -> Iterator[Harm]:
    for call in injection.calls:
        tool = suite.tools[call.tool]
        if tool.effect != "read":
            pointed = [call.arguments.get(name) for name in tool.targets]
            found = itertools.chain(texts(pointed), texts(call.arguments))
            yield Harm(effect=tool.effect, target=next(found, None))


def _steps(calls: list[SuiteCall]) -> list[Step]:
    return [Step(tool=PREFIX + call.tool, arguments=call.arguments) for call in calls]


def main() -> None:
    """Read the suite, write the corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    suite = Suite.model_validate(json.loads(arguments.suite.read_text(encoding="utf-8")))
    part = convert(suite)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    text = part.model_dump_json(indent=1, exclude_defaults=True)
    (arguments.folder / f"{suite.name}.json").write_text(text, encoding="utf-8")
    print(f"{len(part.items)} items in {arguments.folder}")


if __name__ == "__main__":
    main()
