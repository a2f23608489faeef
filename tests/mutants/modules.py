"""The modules whose mutants are run, each group with the quick tests that speak about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bailiwick

SOURCES = Path(bailiwick.__file__).parent

# Tests that start processes or take seconds: a mutant can be found without them.
SLOW = (
    "test_audit_command",
    "test_kill_9",
    "test_a_command_that_opens_the_office_itself",
    "test_the_index_changes_nothing_but_the_time",
    "test_injection_bench",
    "postgresql",
)


@dataclass(frozen=True)
class Group:
    """Modules that the same tests speak about."""

    modules: Sequence[str]
    tests: Sequence[str]


GROUPS = (
    Group(
        ["gate/checks/policy.py", "gate/checks/provenance.py", "gate/checks/intent.py"],
        [
            f"tests/gate/test_{name}.py"
            for name in ("policy", "protection", "intent", "grounding", "facts", "undo")
        ],
    ),
    Group(
        [
            f"gate/checks/{name}.py"
            for name in (
                "approval",
                "halt",
                "schema",
                "scope",
                "virtual_ids",
            )
        ],
        [
            f"tests/gate/test_{name}.py"
            for name in (
                "approval_cards",
                "approvals",
                "halt",
                "pipeline",
                "schema",
                "scope_check",
                "undo",
                "virtual_ids",
            )
        ],
    ),
    Group(["gate/checks/limits.py"], ["tests/gate/test_limits_check.py"]),
    Group(["gate/checks/redaction.py"], ["tests/gate/test_redaction.py"]),
    Group(
        ["gate/checks/audit.py"],
        [
            "tests/gate/audit/test_lines.py",
            *(f"tests/gate/test_{name}.py" for name in ("intent", "pipeline", "redaction")),
        ],
    ),
    Group(
        ["tools/scope.py", "tools/paths.py"],
        [
            "tests/tools/test_scope.py",
            "tests/tools/test_paths.py",
            "tests/gate/test_scope_check.py",
        ],
    ),
    Group(
        [f"gate/trust/{name}.py" for name in ("grounding", "orders", "grammar", "typed")],
        [f"tests/gate/test_{name}.py" for name in ("orders", "typed", "grounding", "protection")],
    ),
    Group(["kit/vault.py"], ["tests/kit/test_vault.py"]),
    Group(
        ["gate/approvals/service.py", "gate/approvals/answers.py"],
        ["tests/gate/test_approvals.py", "tests/gate/test_approval_cards.py"],
    ),
    Group(
        [
            f"kit/ledger/{name}.py"
            for name in (
                "checkpoints",
                "connections",
                "file",
                "keys",
                "ledger",
                "lines",
                "links",
                "report",
                "rows",
                "sealer",
                "status",
                "verify",
                "writer",
            )
        ],
        ["tests/kit/ledger"],
    ),
)
