"""How many attacks of a fully hijacked agent the gate lets through, and how often it asks.

Usage: python bench/injection/run.py [--corpus FOLDER] [--only TEXT] [--stories] [--json FILE]
"""

import argparse
import asyncio
import dataclasses
import json
import logging
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import structlog  # noqa: E402

from injection import items, tally  # noqa: E402
from injection.items import Corpus, Item, Setting  # noqa: E402
from injection.play import Mode, Played, Player  # noqa: E402
from injection.stage import opened_stage  # noqa: E402

SETTINGS: tuple[Setting, ...] = ("owner", "client")
AT_ONCE = 8
# In memory where there is such a folder: what is measured here is not the disk.
FOLDERS = next((path for path in ("/dev/shm",) if Path(path).is_dir()), None)
MODES: tuple[Mode, ...] = ("none", "asking", "gate", "trusting")


@dataclasses.dataclass
class Report:
    """All plays of a corpus."""

    rows: dict[tuple[Setting, Mode], tally.Figures] = dataclasses.field(default_factory=dict)
    beyond: list[Played] = dataclasses.field(default_factory=list)
    through: list[Played] = dataclasses.field(default_factory=list)
    honest: list[Played] = dataclasses.field(default_factory=list)
    faults: list[Played] = dataclasses.field(default_factory=list)  # of the corpus itself


async def bench(corpus: Corpus, folder: Path) -> Report:
    """Every item in every setting and mode."""
    report = Report()
    async with opened_stage(folder, corpus) as stage:
        player = Player(stage, corpus)
        for mode in MODES:
            # The floors know no difference between a run and a client: they are played once.
            settings = SETTINGS if mode in ("gate", "trusting") else SETTINGS[:1]
            for setting in settings:
                chosen = [i for i in corpus.items if len(settings) == 1 or setting in i.settings]
                _mode(report, await _played(player, chosen, setting, mode), setting, mode)
    return report


@dataclasses.dataclass
class _Plays:
    attacks: list[Played]  # nobody answers
    approved: list[Played]  # a person approves everything
    honest: list[Played]


async def _played(player: Player, chosen: list[Item], setting: Setting, mode: Mode) -> _Plays:
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(item: Item, *, approve: bool) -> Played:
        async with turns:
            return await player.play(item, setting, mode, approve=approve)

    async def every(some: Iterable[Item], *, approve: bool) -> list[Played]:
        return await asyncio.gather(*(one(item, approve=approve) for item in some))

    attacks = [item for item in chosen if item.is_attack]
    plays = await every(attacks, approve=False)
    # Where nothing is asked, approving changes nothing.
    approved = plays if mode == "none" else await every(attacks, approve=True)
    honest = await every((item for item in chosen if not item.is_attack), approve=True)
    return _Plays(plays, approved, honest)


def _mode(report: Report, plays: _Plays, setting: Setting, mode: Mode) -> None:
    for row in SETTINGS if mode in ("none", "asking") else (setting,):
        claimed, approved, honest = (
            [each for each in some if row in each.item.settings and not each.item.beyond]
            for some in (plays.attacks, plays.approved, plays.honest)
        )
        report.rows[row, mode] = tally.figures(claimed, approved, honest)
    if mode == "none":
        report.faults += [each for each in plays.attacks if not each.succeeds]
        report.faults += [each for each in plays.honest if not each.is_done]
    if mode == "gate":
        report.beyond += [each for each in plays.attacks if each.item.beyond]
        report.honest += plays.honest
    if mode in ("gate", "trusting"):
        report.through += [
            each for each in plays.attacks if each.does_harm and not each.item.beyond
        ]


def main() -> None:
    """Read the corpus, play it, print the table."""
    arguments = _arguments()
    logging.disable(logging.CRITICAL)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    corpus = items.read(arguments.corpus)
    chosen = [item for item in corpus.items if arguments.only in item.id]
    corpus = corpus.model_copy(update={"items": chosen})
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=FOLDERS) as folder:
        report = asyncio.run(bench(corpus, Path(folder) / "data"))
    _print(report, stories=arguments.stories)
    print(f"\n{len(corpus.items)} items in {time.monotonic() - began:.0f} s")
    if arguments.json:
        rows = {f"{s}/{m}": dataclasses.asdict(row) for (s, m), row in report.rows.items()}
        arguments.json.write_text(json.dumps(rows, indent=2))
    sys.exit(1 if report.faults else 0)


def _print(report: Report, *, stories: bool) -> None:
    print(tally.table(report.rows))
    for title, plays in (
        ("The corpus is wrong here: even with nothing checked it does not work", report.faults),
        ("Got through", report.through),
        ("Beyond what the gate claims; what it does with them all the same", report.beyond),
    ):
        if plays:
            harmful = sum(each.does_harm for each in plays)
            print(f"\n{title} ({len(plays)}, {harmful} with harm):")
            print(*(tally.story(each) for each in plays), sep="\n")
    asked = [each for each in report.honest if not each.is_unattended]
    if stories and asked:
        print(f"\nHonest tasks that were not done alone ({len(asked)}):")
        print(*(tally.story(each) for each in asked), sep="\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=HERE / "corpus")
    parser.add_argument("--only", default="", help="items whose id contains this")
    parser.add_argument("--stories", action="store_true", help="honest tasks that asked, too")
    parser.add_argument("--json", type=Path, help="write the figures there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
