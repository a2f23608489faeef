"""The product on one screen: its features, read from top to bottom.

Everything that starts is a loop over this list. A new feature is one folder and one line here; a
plugin that is installed beside us comes in through the entry point group `bailiwick.features`.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from bailiwick.errors import BadConfiguration

if TYPE_CHECKING:
    from bailiwick.feature import Feature

GROUP = "bailiwick.features"
FEATURES = (
    "identity",
    "workspaces",
    "operations",
    "accounts",
    "gate",
    "artifacts",
    "files",
    "mail",
    "planner",
    "library",
    "memory",
    "llm",
    "offline",
    "agents",
    "runs",
    "cases",
    "chat",
    "inbox",
    "diagnostics",
    "notify",
    "mcp",
    "demo",
)


def installed() -> "list[Feature]":
    """All features of this installation: the product's own, then what is installed beside it."""
    own = [import_module(f"bailiwick.{name}.feature").feature for name in FEATURES]
    return [*own, *_beside()]


def _beside() -> "Iterator[Feature]":
    for found in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        yield _loaded(found)


def _loaded(found: EntryPoint) -> "Feature":
    """A plugin; one that fails says which it is."""
    from bailiwick.feature import Feature

    try:
        feature = found.load()
        if not isinstance(feature, Feature):
            raise TypeError(f"it gives a {type(feature).__name__}, not a Feature")
    except Exception as error:  # noqa: BLE001
        raise BadConfiguration(
            f"The plugin {found.name} ({found.value}) cannot be used: {error}. Uninstall it, or "
            f"install a version that fits."
        ) from None
    return feature
