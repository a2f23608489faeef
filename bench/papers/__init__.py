"""Papers with the folders where they belong, laid out as a notebook before its inbox is sorted."""

import random
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
GUIDELINE = "guideline.md"
INBOX = "inbox"
_MARK = "=== "


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, and the folder where its owner keeps it."""

    folder: str
    name: str
    text: str


def papers(of: Path = HERE) -> list[Paper]:
    """All of a set, folder by folder."""
    return [paper for file in sorted(of.glob("*.txt")) for paper in _written_in(file)]


def laid_out(root: Path, *, of: Path = HERE, seed: int | None = None) -> dict[str, str]:
    """Write half of each folder there, the rest to the inbox; the right folders by name.

    The first half, or with a seed any.
    """
    by_folder: dict[str, list[Paper]] = {}
    for paper in papers(of):
        by_folder.setdefault(paper.folder, []).append(paper)
    right: dict[str, str] = {}
    for folder, kept in by_folder.items():
        if seed is not None:
            random.Random(f"{seed} {folder}").shuffle(kept)
        half = (len(kept) + 1) // 2
        for paper in kept[:half]:
            _write(root / folder, paper)
        for paper in kept[half:]:
            _write(root / INBOX, paper)
            right[paper.name] = folder
    (root / GUIDELINE).write_text((of / GUIDELINE).read_text("utf-8"), "utf-8")
    return right


def _written_in(file: Path) -> list[Paper]:
    folder = file.stem.replace("__", "/")
    found: list[Paper] = []
    for part in f"\n{file.read_text('utf-8')}".split(f"\n{_MARK}")[1:]:
        name, _, text = part.partition("\n")
        found.append(Paper(folder, name.strip(), text.strip() + "\n"))
    return found


def _write(folder: Path, paper: Paper) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / paper.name).open("x", encoding="utf-8") as file:
        file.write(paper.text)
