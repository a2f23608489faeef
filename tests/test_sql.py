"""Where statements are made, and where the proof of access is minted."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "bailiwick"
VERBS = {"delete", "exists", "insert", "select", "text", "union", "union_all", "update"}
# Each is all there is about one table or index, and its first lines say that its SQL is there.
WITH_THEIR_OWN = {
    "accounts/leases.py",
    "accounts/shares.py",
    "cases/states.py",
    "gate/meters.py",
    "gate/trust/reads.py",
    "gate/virtual_names.py",
    "identity/links.py",
    "identity/providers.py",
    "identity/sessions.py",
    "identity/signins.py",
    "identity/tokens.py",
    "identity/users.py",
    "instance/changes.py",
    "instance/settings.py",
    "library/index/scan_rows.py",
    "library/index/tag_rows.py",
    "library/index/text_rows.py",
    "library/index/profiles.py",
    "library/labels.py",
    "library/versions.py",
    "mail/intake/placements.py",
    "mail/search/conditions.py",
    "mail/search/run.py",
    "mail/threads.py",
}
TREES = {
    str(path.relative_to(ROOT)): ast.parse(path.read_text())
    for path in sorted(ROOT.rglob("*.py"))
    if "migrations" not in path.parts
}


def verbs(tree: ast.Module) -> set[str]:
    """What of SQLAlchemy makes statements, and is imported here."""
    return {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sqlalchemy")
        for name in node.names
        if name.name in VERBS
    }


def has_room_for_sql(name: str) -> bool:
    own = name.endswith(("/repository.py", "/queries.py")) or name in WITH_THEIR_OWN
    # Tables declare their indexes in SQL.
    return own or name.startswith("kit/") or name.endswith("/models.py")


def test_statements_are_made_in_repositories_and_by_those_who_say_so_alone():
    assert {
        name for name, tree in TREES.items() if verbs(tree) and not has_room_for_sql(name)
    } == set()


@pytest.mark.parametrize("name", sorted(WITH_THEIR_OWN))
def test_a_module_with_sql_of_its_own_says_so_in_its_first_lines(name: str):
    assert verbs(TREES[name])
    assert "SQL" in (ast.get_docstring(TREES[name]) or "")


def test_nothing_but_entering_a_workspace_makes_the_proof_that_one_may():
    makers = {
        name
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and (node.func.id == "AccessibleWorkspaceID" or _is_cast_to_it(node))
    }
    assert makers == {"workspaces/access.py"}


def _is_cast_to_it(call: ast.Call) -> bool:
    is_cast = isinstance(call.func, ast.Name) and call.func.id == "cast"
    return is_cast and "AccessibleWorkspaceID" in ast.unparse(call.args[0])
