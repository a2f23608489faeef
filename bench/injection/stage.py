"""A real installation in a temporary folder, with a fresh workspace for every play."""

import itertools
import json
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bailiwick import features
from bailiwick.config import Settings
from bailiwick.gate.gate import Gate
from bailiwick.gate.rules import service as rules
from bailiwick.identity import users
from bailiwick.identity.facts import Welcome
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit.folder import DataFolder
from bailiwick.library import service as library
from bailiwick.office import Office as Product
from bailiwick.office import opened
from bailiwick.tools.registry import Registry
from bailiwick.tools.scope import ALL
from bailiwick.tools.tool import Ref, ToolContext
from bailiwick.tools.trust import Label
from bailiwick.workspaces import service as workspaces
from injection import desk
from injection.items import Corpus, Item, World

OPEN = "Trusted assistant"  # the rules allow it everything; the built-in protection is left
_PLUGIN = "bailiwick_bench-0.dist-info"
_LOOKS_AROUND = ("list_files", "search_content")


@dataclass
class Stage:
    """The installation, and who owns it."""

    product: Product
    gate: Gate
    user_id: str
    numbers: Iterator[int] = field(default_factory=itertools.count)

    async def workspace(self, item: Item, world: World) -> tuple[str, dict[str, Ref]]:
        """A workspace with this world in it, and the real ids by their short names."""
        storage = self.product.storage
        async with storage.app.write() as session:
            made = await workspaces.create(
                session, OPERATOR, name=f"Office {next(self.numbers)}", owner_id=self.user_id
            )
        desk.put(made.id, world)
        refs = {f"$mail:{key}": Ref("email", desk.real_id(key)) for key in world.mails}
        refs |= {f"$event:{key}": Ref("event", desk.real_id(key)) for key in world.events}
        refs |= await self._seeded(item, world, made.id)
        return made.id, refs

    async def _seeded(self, item: Item, world: World, workspace: str) -> dict[str, Ref]:
        """Put files, tasks and memories there, as far as the item can come to see them."""
        calls = json.dumps([step.model_dump() for step in item.calls], ensure_ascii=False)
        around = {step.tool for step in item.calls}
        refs: dict[str, Ref] = {}
        files = [path for path in world.files if path in calls or path.startswith(_seen(item))]
        storage, data = self.product.storage, self.product.settings.data
        await library.ensure_files(storage, workspace)
        for name in {path.partition("/")[0] for path in files} - {library.FILES}:
            new = library.NewNotebook(name)
            await library.open_one(storage, OPERATOR, workspace, new, data=data)
        for path in files:
            made = world.files[path]
            arguments = {"path": path, "content": made.text}
            await self._make(workspace, made.label, "create_file", arguments)
        for key, task in world.tasks.items():
            if f"$task:{key}" in calls or "list_tasks" in around:
                arguments = {"title": task.title, "notes": task.notes}
                refs[f"$task:{key}"] = await self._make(
                    workspace, task.label, "create_task", arguments
                )
        for key, memory in world.memories.items():
            if f"$memory:{key}" in calls or "memory_search" in around:
                arguments = {"content": memory.content, "reach": memory.reach}
                refs[f"$memory:{key}"] = await self._make(
                    workspace, memory.label, "memory_add", arguments
                )
        return refs

    async def _make(self, workspace: str, label: Label, tool: str, arguments: dict[str, str]):
        known = self.product[Registry].get(tool)
        assert known
        key = f"seed-{next(self.numbers)}"
        context = ToolContext(workspace, self.user_id, "seed", "Seed", ALL, label, key)
        return (await known.run(context, known.arguments.checked(arguments))).data["id"]


def _seen(item: Item) -> tuple[str, ...]:
    """The folders that the calls look into."""
    return tuple(
        step.arguments.get("path", "") for step in item.calls if step.tool in _LOOKS_AROUND
    )


@asynccontextmanager
async def opened_stage(folder: Path, corpus: Corpus) -> AsyncGenerator[Stage]:
    """Open an installation as the server does, with the desk as a plugin."""
    desk.declare(corpus.tools)
    settings = Settings(data=folder)
    data = DataFolder(settings.data)
    data.prepare()
    with plugged_in(), data.owned():
        async with opened(settings, features.installed()) as product:
            async with product.storage.app.write() as session:
                new = users.NewUser("olive@example.com", "Olive Owner", "admin")
                owner = await users.add(session, None, new, welcomes=product.facts(Welcome))
                await rules.create(session, OPERATOR, _allows_all())
            yield Stage(product, product[Gate], owner.id)


@contextmanager
def plugged_in() -> Generator[None]:
    """The desk, installed beside us for as long as the block runs: an entry point on the path."""
    with tempfile.TemporaryDirectory() as folder:
        about = Path(folder) / _PLUGIN
        about.mkdir()
        (about / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: bailiwick-bench\nVersion: 0\n"
        )
        (about / "entry_points.txt").write_text(
            f"[{features.GROUP}]\nbench = injection.desk:feature\n"
        )
        sys.path.append(folder)
        try:
            yield
        finally:
            sys.path.remove(folder)


def _allows_all() -> dict[str, object]:
    return {
        "name": "Trust this one with everything",
        "description": "",
        "action": "ALLOW",
        "condition": {"==": [{"var": "caller.name"}, OPEN]},
        "fields": [],
        "priority": 1000,
        "enabled": True,
        "connector": None,
        "workspace_id": None,
        "user_id": None,
    }
