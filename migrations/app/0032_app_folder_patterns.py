"""folder patterns: `notes` is the folder and all beneath it; what agents had keeps its meaning"""

import json
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0032_app"
down_revision = "0031_app"


def upgrade() -> None:
    _rewrite(_kept)


def downgrade() -> None:
    _rewrite(_before)


def _rewrite(change: Callable[[str], list[str]]) -> None:
    """Whatever stands in the scopes of agents."""
    agents = sa.table("agents", sa.column("id", sa.String), sa.column("scope", sa.JSON))
    connection = op.get_bind()
    for id, scope in connection.execute(sa.select(agents.c.id, agents.c.scope)).all():
        given = json.loads(scope) if isinstance(scope, str) else scope
        folders = [new for pattern in given.get("folders", []) for new in change(pattern)]
        if folders != given.get("folders", []):
            changed = sa.update(agents).where(agents.c.id == id)
            connection.execute(changed.values(scope={**given, "folders": folders}))


def _kept(pattern: str) -> list[str]:
    """What meant the files directly in these folders, in today's words."""
    # What begins with a slash covered nothing, and says now what whoever wrote it meant.
    if pattern == "**" or pattern.endswith("/**") or pattern.startswith("/"):
        return [pattern]
    if not pattern:
        return ["*"]
    if not all(pattern.split("/")):
        return []  # it covered nothing
    direct = f"{pattern}/*"
    return ["*", direct] if not pattern.strip("*") else [direct]


def _before(pattern: str) -> list[str]:
    """Never more than today: what cannot be said in the old words is left out."""
    if pattern == "**" or pattern.endswith("/**"):
        return [pattern.removeprefix("/")]
    if pattern.endswith("/*"):
        return [pattern.removeprefix("/").removesuffix("/*")]
    name = pattern.removeprefix("/").removesuffix("/")
    return [f"{name}/**"] if name and "*" not in name.rpartition("/")[2] else []
