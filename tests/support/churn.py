"""Another program that does what it likes in a folder: `churn.py FOLDER SEED STEPS`.

Files whose names begin with "kept" are moved about, and never written to or deleted.
"""

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

FOLDERS = ("", "a", "b", "b/deep", "c")


class Meddling:
    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        self.made = seed * 1_000

    def step(self) -> None:
        steps: list[Callable[[], object]] = [
            self.create,
            self.create,
            self.rewrite,
            self.replace,
            self.rename,
            self.rename,
            self.swap,
            self.delete,
            self.rename_folder,
            self.take_folder_away,
            self.link,
        ]
        self.chance.choice(steps)()

    def create(self) -> Path:
        path = self.place()
        path.write_text(self.words())
        return path

    def rewrite(self) -> None:
        if path := self.some(kept=False):
            path.write_text(self.words())

    def replace(self) -> None:
        """As editors save: another file takes the name."""
        if path := self.some(kept=False):
            fresh = self.create()
            fresh.replace(path)

    def rename(self) -> None:
        if path := self.some():
            kept = path.name.startswith("kept")
            path.rename(self.place("kept" if kept else "file"))

    def swap(self) -> None:
        one, other = self.some(), self.some()
        if one and other and one != other and one.name[:4] == other.name[:4]:
            aside = self.root / "aside"
            one.rename(aside)
            other.rename(one)
            aside.rename(other)

    def delete(self) -> None:
        if path := self.some(kept=False):
            path.unlink()

    def rename_folder(self) -> None:
        aside = self.root / f"moved{self.made}"
        (self.root / "c").rename(aside)
        self.create_in(aside)
        aside.rename(self.root / "c")

    def take_folder_away(self) -> None:
        away = self.root.with_name(f"{self.root.name}-away")
        (self.root / "loose").rename(away)
        self.create_in(away)
        away.rename(self.root / "loose")

    def create_in(self, folder: Path) -> None:
        self.made += 1
        (folder / f"in{self.made}.txt").write_text(self.words())

    def link(self) -> None:
        link = self.root / f"link{self.made}"
        link.symlink_to(self.root.parent)
        if self.chance.random() < 0.5:
            link.unlink()
        self.made += 1

    def some(self, *, kept: bool = True) -> Path | None:
        found = [
            Path(folder) / name
            for folder, _, names in os.walk(self.root)
            for name in names
            if kept or not name.startswith("kept")
        ]
        files = sorted(path for path in found if not path.is_symlink())
        # Those in the folder that goes away stay there: what is kept is only moved about.
        files = [path for path in files if path.parent.name != "loose"]
        return self.chance.choice(files) if files else None

    def place(self, stem: str = "file") -> Path:
        self.made += 1
        folder = self.root / self.chance.choice(FOLDERS)
        return folder / f"{stem}{self.made}.txt"

    def words(self) -> str:
        self.made += 1
        return f"content number{self.made} " * self.chance.randint(1, 40)


def main(root: Path, seed: int, steps: int) -> None:
    meddling = Meddling(root, seed)
    for _ in range(steps):
        meddling.step()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
