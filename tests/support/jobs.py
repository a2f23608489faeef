"""Jobs under test: start processes that do them, kill those, and ask what was done.

DBOS is one per process, so it never runs in pytest's own. The children (`support.jobber`) share a
folder with the test: each body that runs leaves a line in its trace, and each keyed effect a file,
whoever is killed.
"""

import json
import os
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from support.jobber import Life, main
from support.processes import origin
from support.server import PATIENCE, wait_for


@dataclass
class Place:
    """An installation's data, and the children that work on it."""

    folder: Path
    url: str | None = None
    key: str | None = None
    children: list["Jobber"] = field(default_factory=list)

    def start(self, **life: Any) -> "Jobber":
        """A child that is ready for work."""
        self.children.append(Jobber(self.life(**life)))
        return self.children[-1].wait_ready()

    def life(self, **life: Any) -> Life:
        return Life(folder=self.folder, url=self.url, key=self.key, **life)

    def trace(self, kind: str = "", **facts: Any) -> list[dict[str, Any]]:
        """What the children did, in order; only lines with these facts."""
        try:
            whole = (self.folder / "trace").read_text()
        except FileNotFoundError:
            return []
        # The last line may be under way.
        lines = [json.loads(line) for line in whole.rpartition("\n")[0].splitlines()]
        wanted = {**facts, **({"kind": kind} if kind else {})}
        return [line for line in lines if wanted.items() <= line.items()]

    def runs(self) -> Counter[tuple[str, int]]:
        """How often the body of each step began, by job and step."""
        return Counter((line["job"], line["step"]) for line in self.trace("began"))

    def effects(self) -> list[str]:
        """The keys under which something was done."""
        return sorted(unquote(path.name) for path in (self.folder / "effects").glob("*"))

    def open_gate(self, name: str) -> None:
        """Let those who wait at a gate go on."""
        (self.folder / f"gate-{name}").touch()

    def end(self) -> None:
        """End the children that are left."""
        for child in self.children:
            child.kill()


class Jobber:
    """A child process."""

    def __init__(self, life: Life) -> None:
        life.folder.mkdir(parents=True, exist_ok=True)
        self.life = life
        self.log = life.folder / f"child-{time.monotonic_ns()}.log"
        self._pipe, theirs = origin().Pipe()
        self.process = origin().Process(target=main, args=(life, theirs, self.log))
        self.process.start()
        theirs.close()

    def wait_ready(self) -> "Jobber":
        self.executor_id = self.answer()
        return self

    def ask(self, verb: str, **given: Any) -> Any:
        """Let the child do something, and return what came of it."""
        self.tell(verb, **given)
        return self.answer()

    def tell(self, verb: str, **given: Any) -> None:
        """Let the child do something, and do not wait."""
        self._pipe.send((verb, given))

    def begin(self, job: str, *args: Any, id: str, **given: Any) -> None:
        self.ask("begin", job=job, args=args, id=id, **given)

    def jobs(self) -> dict[str, dict[str, Any]]:
        """All jobs by id: name, status, output, and who has it."""
        return self.ask("jobs")

    def statuses(self) -> dict[str, str]:
        return {id: job["status"] for id, job in self.jobs().items()}

    def wait_done(self, *ids: str, patience: float = PATIENCE) -> dict[str, dict[str, Any]]:
        """Wait until these jobs, or all, have ended well."""

        def done() -> bool:
            found = self.statuses()
            return all(found.get(id) == "SUCCESS" for id in ids or found)

        wait_for(done, patience)
        return self.jobs()

    def wait_died(self) -> None:
        """Wait until the child has killed itself."""
        self.process.join(PATIENCE)
        assert self.process.exitcode == -signal.SIGKILL, self.log.read_text()

    def signal(self, number: signal.Signals) -> None:
        assert self.process.pid
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        """As a power cut would."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join(PATIENCE)
        self._pipe.close()

    def stop(self) -> None:
        """Ask it to end."""
        self.process.terminate()
        self.process.join(PATIENCE)
        assert self.process.exitcode == 0, self.log.read_text()

    def _doing(self) -> str:
        """What it says, and where each of its threads is."""
        if self.process.is_alive():
            self.signal(signal.SIGUSR1)
            time.sleep(1)
        return self.log.read_text()

    def answer(self) -> Any:
        """What came of the oldest thing that it was told to do."""
        assert self._pipe.poll(PATIENCE), f"waited in vain: {self._doing()}"
        try:
            fine, answer = self._pipe.recv()
        except EOFError:
            raise AssertionError(self.log.read_text()) from None
        assert fine, answer
        return answer
