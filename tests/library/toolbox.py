"""The tools of an installation, run as the gate runs them, but without its checks."""

import itertools
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jsonschema_rs

from bailiwick import features
from bailiwick.config import Settings
from bailiwick.feature import Feature
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.folder import DataFolder
from bailiwick.library.models import Notebook
from bailiwick.office import Office, opened
from bailiwick.tools.registry import Registry
from bailiwick.tools.scope import ALL, Scope
from bailiwick.tools.tool import Ref, ToolContext, ToolOutput
from bailiwick.tools.trust import Label, lowest
from bailiwick.workspaces.models import Workspace

WORKSPACE = "wsp-000000000001"
OTHER_WORKSPACE = "wsp-000000000002"


@dataclass
class Done:
    """A tool's output, with what is needed to undo it."""

    tool: str
    arguments: dict[str, Any]
    output: ToolOutput

    @property
    def data(self) -> Any:
        return plain(self.output.data)

    @property
    def label(self) -> Label:
        return lowest(source.label for source in self.output.sources)


@dataclass
class Toolbox:
    office: Office
    registry: Registry
    context: ToolContext
    folder: Path  # an opened folder outside the data folder, the notebook "Papers"
    keys: Any = field(default_factory=itertools.count)

    @property
    def storage(self) -> Storage:
        return self.office.storage

    def acting(self, **changes: Any) -> "Toolbox":
        """The same tools in other hands."""
        return replace(self, context=replace(self.context, **changes))

    def within(self, **patterns: Any) -> "Toolbox":
        return self.acting(scope=Scope(**{"notebooks": ("*",), **patterns}))

    async def use(self, tool: str, /, *, key: str | None = None, **arguments: Any) -> Done:
        known = self.registry.get(tool)
        assert known
        context = replace(self.context, key=key or f"key-{next(self.keys)}")
        done = Done(tool, arguments, await known.run(context, known.arguments.checked(arguments)))
        assert known.output
        jsonschema_rs.validate(dict(known.output), done.data)
        json.dumps(done.output.receipt)
        return done

    async def undo(self, done: Done) -> Done:
        known = self.registry.get(done.tool)
        assert known
        assert known.undo
        assert done.output.receipt is not None
        receipt = json.loads(json.dumps(done.output.receipt))
        output = await known.undo(self.context, known.arguments.recalled(done.arguments), receipt)
        return Done(done.tool, done.arguments, output)

    async def look_up(self, tool: str, /, *, key: str, **arguments: Any) -> Done | None:
        known = self.registry.get(tool)
        assert known
        assert known.lookup
        output = await known.lookup(
            replace(self.context, key=key), known.arguments.recalled(arguments)
        )
        return Done(tool, arguments, output) if output else None

    async def preview(self, tool: str, /, **arguments: Any) -> Any:
        known = self.registry.get(tool)
        assert known
        assert known.preview
        return await known.preview(self.context, known.arguments.checked(arguments))

    async def trust(self, *, trusted: bool = True) -> None:
        async with self.storage.app.write() as session:
            (await session.get_one(Notebook, "ntb-papers")).trusted = trusted


def plain(data: Any) -> Any:
    match data:
        case Ref():
            return f"{data.kind}:{data.id}"
        case dict():
            return {key: plain(value) for key, value in data.items()}
        case list():
            return [plain(value) for value in data]
        case _:
            return data


def new_folder(folder: Path) -> str:
    folder.mkdir(exist_ok=True)
    return str(folder.resolve())


@asynccontextmanager
async def opened_toolbox(
    settings: Settings, folder: Path, more: Sequence[Feature] = ()
) -> AsyncIterator[Toolbox]:
    DataFolder(settings.data).prepare()
    path = new_folder(folder)
    async with opened(settings, [*features.installed(), *more]) as office:
        now = clock.now()
        async with office.storage.app.write() as session:
            session.add(Workspace(id=WORKSPACE, name="Home", created_at=now))
            session.add(Workspace(id=OTHER_WORKSPACE, name="Away", created_at=now))
            await session.flush()
            session.add(
                Notebook(
                    id="ntb-papers",
                    workspace_id=WORKSPACE,
                    name="Papers",
                    path=path,
                    trusted=False,
                    created_at=now,
                )
            )
        registry = office[Registry]
        context = ToolContext(WORKSPACE, "usr-1", "agt-1", "Tester", ALL, "owner", "key")
        yield Toolbox(office, registry, context, folder)
