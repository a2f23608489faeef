"""Watches the folders of all open notebooks at once, and says which paths may have changed.

Nothing depends on it: what it misses, the next scan finds. Where the system gives no more watches,
that is said, and the scans alone follow the disk.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from pathlib import Path

import structlog

from bailiwick.kit.eventlog.bus import stopped
from bailiwick.library.root import PathNames, Root

log = structlog.stdlib.get_logger("bailiwick.library")
# The watcher's thread looks at its list so often, and waits for a crowd of changes to end. Both
# together stay below the second within which a change is noticed.
_STEP_MILLISECONDS = 200
_CROWD_MILLISECONDS = 600
_LONGEST_WAIT = 3_600_000
Noticed = dict[str, set[PathNames]]


class WatchFailed(Exception):
    """The system does not watch these folders, for the reason that is said."""


async def changes(roots: Mapping[str, Root], stop: asyncio.Event) -> AsyncGenerator[Noticed]:
    """Which paths changed, by notebook, until told to stop; nothing at first, once it watches."""
    import watchfiles

    there = {id: root for id, root in roots.items() if root.path.is_dir()}
    if not there:
        yield {}
        await stop.wait()
        return
    watching = watchfiles.awatch(
        *(root.path for root in there.values()),
        watch_filter=None,
        step=_STEP_MILLISECONDS,
        debounce=_CROWD_MILLISECONDS,
        rust_timeout=_LONGEST_WAIT,
        stop_event=stop,
        ignore_permission_denied=True,
    )
    try:
        async with aclosing(watching):
            following = asyncio.ensure_future(anext(watching, None))
            try:
                # Its first step begins the watch, and then waits.
                await asyncio.sleep(0)
                yield {}
                while some := await following:
                    if noticed := _sorted({path for _, path in some}, there):
                        yield noticed
                    following = asyncio.ensure_future(anext(watching, None))
            finally:
                await stopped(following)
    except (OSError, RuntimeError) as error:
        raise WatchFailed(str(error) or "it does not say why") from None


def _sorted(paths: set[str], roots: Mapping[str, Root]) -> Noticed:
    noticed: Noticed = {}
    for path in paths:
        for id, root in roots.items():
            place = Path(path)
            if place.is_relative_to(root.path) and (names := _names(root, place)) is not None:
                noticed.setdefault(id, set()).add(names)
    return noticed


def _names(root: Root, place: Path) -> PathNames | None:
    """The names beneath the root; None of what is nobody's business."""
    names: PathNames = ()
    for written in place.relative_to(root.path).parts:
        readable = written.encode("utf-8", "surrogateescape").decode(errors="replace")
        name = root.name_of(readable, names)
        if name is None or name.startswith(".bailiwick-"):
            return None
        names = (*names, name)
    return names
