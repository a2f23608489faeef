"""How often the organiser's first suggestion is right, offline: `placing.py [FOLDER] [SEED]`.

Of each folder of a labelled tree, half of the files are already filed and the rest arrive in the
inbox. Printed are the share of right first suggestions, the share among those above 0.7, and both
for the second half of the inbox before and after a person has answered the first half: yes where
it was right, the right folder where it was not. The peer is the commonest folder for all. Without a
folder of your own it takes `papers/`, on which the weights were tuned; `institute` is another set,
on which nothing was tuned. A seed splits the written sets otherwise.
"""

import asyncio
import logging
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

# Not this folder: `mcp` and `dbos` are libraries.
HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path.insert(0, str(HERE.parent / "tests"))

import structlog  # noqa: E402

SURE = 0.7
Right = dict[str, str]


def laid_out(given: str, seed: int | None, root: Path) -> Right:
    """The right folder of each file in the inbox."""
    written = HERE / "papers" / given
    if not given or (given.isidentifier() and written.is_dir()):
        sys.path.append(str(HERE))
        from papers import laid_out

        return laid_out(root, of=written, seed=seed)
    source = Path(given)
    right: Right = {}
    (root / "inbox").mkdir(parents=True)
    for folder in sorted({path.parent for path in source.rglob("*") if path.is_file()}):
        files = sorted(path for path in folder.iterdir() if path.is_file())
        inner = folder.relative_to(source)
        for number, path in enumerate(files):
            name = path.name
            if inner == Path() or number < (len(files) + 1) // 2:
                place = root / inner
            else:
                place = root / "inbox"
                name = f"{len(right):04} {path.name}"
                right[name] = str(inner)
            place.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place / name)
    return right


def told(label: str, made: list[dict[str, Any]], right: Right, names: list[str]) -> None:
    """Print how good suggestions are for these papers."""
    given = {each["file_path"].rpartition("/")[2]: each for each in made}
    hits = {name: _is_right(given.get(name), right[name]) for name in names}
    sure = [name for name in names if name in given and given[name]["confidence"] > SURE]
    precise = sum(hits[name] for name in sure) / len(sure) if sure else 0.0
    print(
        f"{label:<34} first right {sum(hits.values()) / len(names):6.1%} of {len(names)}; "
        f"above {SURE}: {precise:6.1%} of {len(sure)}"
    )


def _is_right(made: dict[str, Any] | None, folder: str) -> bool:
    return made is not None and made["target_folder"].partition("/")[2] == folder


async def main(given: str, seed: int | None) -> None:
    """Lay out, organise, decide, and organise again."""
    from bailiwick.config import Settings
    from bailiwick.inbox import judging, reconciliation, repository
    from support.office import every, opened_office
    from support.tray import tray_in

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        async with opened_office(Settings(data=folder / "data")) as office:
            tray = await tray_in(office, folder / "papers")
            right = laid_out(given, seed, tray.folder)
            names = sorted(right)
            random.Random(7 if seed is None else seed).shuffle(names)
            known, later = names[: len(names) // 2], names[len(names) // 2 :]
            await tray.arrived()
            first = await every(tray.owner, "/inbox/suggestions")
            told("all", first, right, names)
            told("second half, before", first, right, later)
            commonest = max(set(right.values()), key=list(right.values()).count)
            peer = sum(folder == commonest for folder in right.values()) / len(right)
            print(f"{'the commonest folder for all':<34} first right {peer:6.1%}")
            for each in first:
                name = each["file_path"].rpartition("/")[2]
                if name in known:
                    good = _is_right(each, right[name])
                    more = {} if good else {"target_folder": f"Papers/{right[name]}"}
                    await tray.resolve(each, "accept", **more)
            async with office.product.storage.app.write() as session:
                for row, _, _ in await repository.pending_with_files(
                    session, tray.shop.workspace_id
                ):
                    reconciliation.expire(row)
                digests = [
                    each.file.digest or ""
                    for each in await repository.files(session, [tray.shop.workspace_id])
                ]
            await tray.indexed()
            await judging.judge_anew(office.product, tray.shop.workspace_id, digests)
            await tray.ended()
            told(
                "second half, after the decisions",
                await every(tray.owner, "/inbox/suggestions", status="pending"),
                right,
                later,
            )


if __name__ == "__main__":
    words = sys.argv[1:]
    number = int(words.pop()) if words and words[-1].isdecimal() else None
    asyncio.run(main(words[0] if words else "", number))
