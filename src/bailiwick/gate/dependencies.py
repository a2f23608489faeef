"""What the checks work with, made once."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from bailiwick.gate.call import Caller
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
from bailiwick.office import Office
from bailiwick.tools.facts import KnowsTarget, SwitchesTools
from bailiwick.tools.registry import Registry
from bailiwick.tools.tool import TargetKind, Tool


@dataclass(frozen=True, slots=True)
class GateDependencies:
    """Everything that a check may need."""

    office: Office
    storage: Storage
    settings: SettingsStore
    registry: Registry
    ledger: Ledger
    rulebooks: RuleBookCache
    redactors: RedactorCache
    names: VirtualNames
    readings: ReadStates
    meters: Meters
    halts: Halts
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

    async def knows(self, caller: Caller, kind: TargetKind, value: str) -> bool:
        """Whether any feature knows a target as the own of whom the caller acts for."""
        for fact in self.office.facts(KnowsTarget):
            if await fact.knows(self.office, caller.workspace_id, caller.user_id, kind, value):
                return True
        return False

    def _is_offered(self, tool: Tool) -> bool:
        switches = self.office.facts(SwitchesTools)
        return all(fact.is_offered(self.office, tool) for fact in switches)
