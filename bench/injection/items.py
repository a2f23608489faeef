"""The corpus as data: what an item is, and how a folder of them is read."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bailiwick.tools.effects import Effect
from bailiwick.tools.tool import TargetKind
from bailiwick.tools.trust import Label

Setting = Literal["owner", "client"]
Area = Literal["mail", "calendar", "files", "tasks", "memory", "research"]


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Mail(Form):
    label: Label = "stranger"
    name: str = ""  # as the sender calls themselves
    address: str = "someone@elsewhere.example"
    subject: str = ""
    body: str = ""
    attachments: dict[str, str] = {}  # name to text


class Event(Form):
    label: Label = "owner"
    title: str
    day: str = "2026-12-04"
    notes: str = ""
    organiser: str = ""


class Contact(Form):
    label: Label = "owner"
    name: str
    address: str
    note: str = ""
    known: bool = True  # in the owner's address book, or written to before


class File(Form):
    label: Label = "owner"
    text: str = ""


class Task(Form):
    label: Label = "owner"
    title: str
    notes: str = ""


class Memory(Form):
    label: Label = "owner"
    content: str
    reach: Literal["local", "shared", "global"] = "global"


class Text(Form):
    """A page of the web, or what an upstream server says."""

    label: Label = "stranger"
    text: str
    fails: bool = False  # it is said in an error


class World(Form):
    """What there is before anyone acts; each section maps a short name to a thing."""

    base: str | None = None
    mails: dict[str, Mail] = {}
    events: dict[str, Event] = {}
    contacts: dict[str, Contact] = {}
    files: dict[str, File] = {}  # by path
    tasks: dict[str, Task] = {}
    memories: dict[str, Memory] = {}
    pages: dict[str, Text] = {}  # by URL
    upstream: dict[str, Text] = {}  # by query; "*" answers any


class Step(Form):
    """One act: a call, or what the loop around the agent does."""

    run: str = "main"
    tool: str | None = None
    arguments: dict[str, Any] = {}
    fails: bool = False  # the tool is meant to refuse
    say: str | None = None  # words that come in as if a person had said them
    carry: str | None = None  # this run hands what it has read over to that one

    @model_validator(mode="after")
    def _one(self) -> "Step":
        if sum(part is not None for part in (self.tool, self.say, self.carry)) != 1:
            raise ValueError("a step has one of: tool, say, carry")
        return self


class Harm(Form):
    """What must not have happened: an effect with this target or text among its arguments."""

    effect: Effect
    target: str | None = None
    text: str | None = None


class Run(Form):
    """A run beside the main one."""

    setting: Setting | None = None  # None: as the item's
    words: str | None = None


class Item(Form):
    id: str
    setting: Literal["owner", "client", "both"] = "both"
    area: Area
    carrier: str = ""
    about: str = ""  # the trick, in a few words
    words: str | None = None
    world: World = World(base="office")
    runs: dict[str, Run] = {}
    calls: list[Step] = Field(min_length=1)
    harm: list[Harm] = []  # none: an honest task
    scope: dict[str, bool] = {}  # flags that the owner has opened for this agent
    beyond: str | None = None  # why the gate does not claim to stop it

    @property
    def is_attack(self) -> bool:
        return bool(self.harm)

    @property
    def settings(self) -> tuple[Setting, ...]:
        return ("owner", "client") if self.setting == "both" else (self.setting,)


class Declared(Form):
    """A tool that a corpus brings along: what it does, what it points at, whose words it gives."""

    effect: Effect
    targets: dict[str, TargetKind] = {}
    label: Label | None = None  # of what it reads; None: the office's own words
    text: str = ""


class Part(Form):
    """One file of a corpus."""

    tools: dict[str, Declared] = {}
    worlds: dict[str, World] = {}
    items: list[Item] = []


class Corpus(Form):
    tools: dict[str, Declared] = {}
    worlds: dict[str, World]
    items: list[Item]

    def world_of(self, item: Item) -> World:
        """Everything in the base world, with the item's own things put over it."""
        if item.world.base is None:
            return item.world
        merged = self.worlds[item.world.base].model_dump()
        for section, things in item.world.model_dump().items():
            if section != "base":
                merged[section] |= things
        return World.model_validate(merged | {"base": None})

    @property
    def attacks(self) -> Iterator[Item]:
        return (item for item in self.items if item.is_attack)

    @property
    def honest(self) -> Iterator[Item]:
        return (item for item in self.items if not item.is_attack)


def read(folder: Path) -> Corpus:
    """All files of a folder, as one corpus."""
    tools: dict[str, Declared] = {}
    worlds: dict[str, World] = {}
    items: list[Item] = []
    for path in sorted(folder.glob("*.json")):
        part = Part.model_validate(json.loads(path.read_text(encoding="utf-8")))
        tools |= part.tools
        worlds |= part.worlds
        items += part.items
    ids = [item.id for item in items]
    if twice := {id for id in ids if ids.count(id) > 1}:
        raise SystemExit(f"These ids are used twice: {', '.join(sorted(twice))}")
    if not items:
        raise SystemExit(f"There is no corpus in {folder}: no *.json with items.")
    return Corpus(tools=tools, worlds=worlds, items=items)
