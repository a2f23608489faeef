"""A thousand mails at once: how long, how quick the API stays meanwhile, and whether a stop stops.

A server of its own reads a Maildir; five directors get the mail and add one item each. While they
work, the lists of cases and mail are asked for again and again. At a third of the way everything
is stopped and released. The floor of the answers is the same server before the mail came.
`python bench/flood.py [mails]`; BAILIWICK_DATABASE_URL chooses PostgreSQL.
"""

import functools
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

# Not this folder first: `mcp` and `dbos` are libraries.
HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path.insert(0, str(HERE.parent / "tests"))
sys.path.append(str(HERE))

PATIENCE = 3600.0
print = functools.partial(print, flush=True)
DIRECTORS = 5
IDLE_SECONDS = 20.0


class Watch:
    """Asks for the lists, and keeps how long each answer took."""

    def __init__(self, owner: Any, workspace: str) -> None:
        self._owner, self._workspace = owner, workspace
        self.taken: dict[str, list[float]] = {"cases": [], "mail": []}

    def states(self) -> dict[str, int]:
        """How the cases stand; each list was asked for once more."""
        found = self._get("cases", PageSize=50)
        self._get("mail", PageSize=50)
        return found["states"]

    def _get(self, name: str, **params: Any) -> Any:
        from support.office import API

        started = time.perf_counter()
        asked = {"workspaceId": self._workspace, **params}
        answer = self._owner.get(f"{API}/{name}", params=asked)
        self.taken[name].append((time.perf_counter() - started) * 1000)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def told(self) -> str:
        """The middle and the slow end of what was measured; it begins anew."""
        told = []
        for name, taken in self.taken.items():
            middle, late = statistics.median(taken), statistics.quantiles(taken, n=20)[18]
            told.append(f"{name} p50 {middle:.0f} ms, p95 {late:.0f} ms")
            taken.clear()
        return "; ".join(told)


def used(pid: int) -> tuple[float, float]:
    """Megabytes that a process holds, and seconds of the processor that it has used."""
    status = Path(f"/proc/{pid}/status").read_text()
    held = int(status.partition("VmRSS:")[2].split()[0]) / 1024
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return held, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def until(condition: Any) -> float:
    """Seconds until something holds."""
    started = time.perf_counter()
    while not condition():
        assert time.perf_counter() - started < PATIENCE, "not done in time"
        time.sleep(0.25)
    return time.perf_counter() - started


def stop_and_release(owner: Any, model: Any) -> None:
    """Stop everything: how soon nobody asks a model any more; then let go again."""
    from support.office import API

    started = time.perf_counter()
    assert owner.post(f"{API}/halt", json={"reason": "Enough."}).is_success
    last, since = len(model.requests), time.perf_counter()
    while time.perf_counter() - since < 3:
        if len(model.requests) != last:
            last, since = len(model.requests), time.perf_counter()
        time.sleep(0.02)
    print(f"  stopped: the last model call came {max(since - started, 0):.2f} s after the button")
    states = owner.get(f"{API}/cases", params={"PageSize": 1}).json()["states"]
    print(f"  then: {states}")
    assert owner.delete(f"{API}/halt").is_success


def main() -> None:
    """Print what was measured."""
    import cases as few
    from faults.test_fetch import fill
    from faults.test_killed_cases import every_case
    from support.model_server import serving_model
    from support.office import API
    from support.server import running

    given = [each for each in sys.argv[1:] if each.isdigit()]
    few.MAILS = count = int(given[0]) if given else 1_000
    named = {name: os.environ[name] for name in ("BAILIWICK_DATABASE_URL",) if name in os.environ}
    with tempfile.TemporaryDirectory() as made, serving_model(few.answer) as model:
        folder = Path(made)
        with running(folder / "data", **named) as server:
            owner, pid = server.owner(), server.process.pid
            workspace, _ = few.office(owner, model.base_url, DIRECTORS)
            watch = Watch(owner, workspace)
            fill(folder / "post", 0, 10)  # nobody's: they warm the server up
            account = few.connect(owner, workspace, folder / "post")
            until(
                lambda: (
                    owner.get(
                        f"{API}/mail", params={"workspaceId": workspace, "PageSize": 1}
                    ).json()["totalItems"]
                    == 10
                )
            )
            for _ in range(40):
                watch.states()
            held, spent = used(pid)
            print(f"{count} mails, {DIRECTORS} directors\n  before: {watch.told()}; {held:.0f} MB")
            fill(folder / "post", 100, count)
            started = time.perf_counter()
            owner.post(f"{API}/fetcher/fetch", json={"accountId": account})
            until(lambda: watch.states().get("done", 0) >= count / 3)
            print(f"  meanwhile: {watch.told()}")
            stop_and_release(owner, model)
            until(lambda: sum(watch.states().values()) == count and "working" not in watch.states())
            taken = time.perf_counter() - started
            after, worked = used(pid)
            print(f"  after the release: {watch.told()}")
            cases = every_case(owner)
            states = Counter(case["state"] for case in cases)
            twice = len(cases) - len({case["mail"]["subject"] for case in cases})
            print(f"  {len(cases)} cases, {twice} twice: {dict(states)}")
            print(
                f"  {taken:.0f} s: {count / taken * 60:.0f} cases/min, "
                f"{(worked - spent) / count * 1000:.0f} ms of the processor a case; {after:.0f} MB"
            )
            time.sleep(IDLE_SECONDS)
            idle = (used(pid)[1] - worked) / IDLE_SECONDS
            print(f"  idle after it: {idle:.1%} of a processor, {used(pid)[0]:.0f} MB")


if __name__ == "__main__":
    main()
