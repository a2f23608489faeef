"""What the checks work with."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import pluggy

from bailiwick.gate.call import Caller, CallerKind
from bailiwick.gate.halts.service import Halts
from bailiwick.gate.meters import Meters
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.gate.trust.reads import ReadStates
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.instance.settings import SettingsStore
from bailiwick.kit import ids
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger import Ledger
from bailiwick.tools.facts import Office
from bailiwick.tools.registry import Registry
from bailiwick.tools.tool import Tool


# Who a caller is now, from what was stored of them; None if they are gone.
class FindCaller(Protocol):
    """Finds a caller by id."""

    async def __call__(
        self, id: str, workspace_id: str, context_id: str | None, /
    ) -> Caller | None:
        """Who they are now in that workspace, and in the run that the context names."""
        ...


@dataclass(frozen=True, slots=True)
class GateDependencies:
    """Everything that a check may need, made once."""

    storage: Storage
    settings: SettingsStore
    office: Office
    plugins: pluggy.PluginManager
    registry: Registry
    ledger: Ledger
    rulebooks: RuleBookCache
    redactors: RedactorCache
    names: VirtualNames
    readings: ReadStates
    meters: Meters
    halts: Halts
    callers: dict[CallerKind, FindCaller] = field(default_factory=dict["CallerKind", "FindCaller"])
    # The connectors there are, and whether one's own tools are offered now.
    connectors: tuple[str, ...] = ()
    is_open: Callable[[str], bool] = lambda _: True
    # This process: an open intent of another one may be a dead one's.
    process: str = field(default_factory=lambda: ids.new("prc"))

    def find_tool(self, caller: Caller, name: str) -> Tool | None:
        """A tool of the office, or one that this caller alone has."""
        own = (tool for tool in caller.own_tools if tool.name == name)
        tool = self.registry.get(name) or next(own, None)
        return tool if tool and self._is_offered(tool) else None

    def offered(self, caller: Caller) -> Iterator[Tool]:
        """The tools of the office that are not switched off, and those of this caller alone."""
        return filter(self._is_offered, (*self.registry, *caller.own_tools))

    def _is_offered(self, tool: Tool) -> bool:
        return not tool.native or self.is_open(tool.connector)
