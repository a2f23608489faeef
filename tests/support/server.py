"""A real `bailiwick serve` in a process of its own, that can be killed at any moment."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import CompletedProcess

import httpx

from support.office import API, PASSWORD
from support.processes import PATIENCE, Forked, bailiwick

# Below those that systems give to outgoing connections, and shuffled: workers choose at once.
_PORTS = iter(random.sample(range(20_000, 32_000), 12_000))


def free_port() -> int:
    """A port for a server that is yet to start, which no outgoing connection takes meanwhile."""
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def environment(data: Path, **extra: str) -> dict[str, str]:
    """A clean environment for a bailiwick process."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("BAILIWICK_")}
    return {**kept, "BAILIWICK_DATA": str(data), "PYTHONWARNINGS": "error", **extra}


def cli(*arguments: str, data: Path, env: Mapping[str, str] | None = None, input: str = ""):
    """Run a command to its end."""
    with tempfile.TemporaryDirectory() as folder:
        given, out, err = (Path(folder) / name for name in ("in", "out", "err"))
        given.write_text(input)
        process = Forked(
            bailiwick,
            *arguments,
            env=environment(data, **(env or {})),
            out=out,
            err=err,
            input=given,
        )
        code = process.wait()
        return CompletedProcess(arguments, code, out.read_text(), err.read_text())


def program(*arguments: str, data: Path, **extra: str) -> CompletedProcess[str]:
    """The same in a new interpreter, as a person starts it: no warning comes from an import."""
    return subprocess.run(
        [sys.executable, "-m", "bailiwick", *arguments],
        env=environment(data, **extra),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


class Server:
    """A server process."""

    def __init__(self, data: Path, port: int, **extra: str) -> None:
        self.data = data
        self.extra = extra
        self.clients: list[httpx.Client] = []
        self.origin = f"http://127.0.0.1:{port}"
        self.log = data.parent / f"server-{port}-{time.monotonic_ns()}.log"
        self.log.touch()
        env = environment(data, BAILIWICK_PORT=str(port), **extra)
        self.process = self._started(env)

    def _started(self, env: dict[str, str]) -> Forked:
        return Forked(bailiwick, "serve", env=env, out=self.log)

    def wait_ready(self) -> "Server":
        wait_for(lambda: "is ready" in self.output() or self.process.poll() is not None)
        assert self.process.poll() is None, self.output()
        return self

    def output(self) -> str:
        return self.log.read_text()

    def owner_link(self) -> str:
        found = re.search(r"/setup#(\S+)", self.output())
        assert found, self.output()
        return found[1]

    def kill(self) -> None:
        """As a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        for client in self.clients:
            client.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE)

    def browser(self) -> httpx.Client:
        return self._client({"Origin": self.origin})

    def owner(self) -> httpx.Client:
        """The first owner, signed in."""
        browser = self.browser()
        body = {
            "link": self.owner_link(),
            "email": "olive@example.com",
            "name": "Olive Owner",
            "password": PASSWORD,
        }
        made = browser.post(f"{API}/auth/setup", json=body)
        assert made.status_code == 201, made.text
        return browser

    def operator(self) -> httpx.Client:
        token = json.loads((self.data / "server.json").read_text())["token"]
        return self._client({"Authorization": f"Bearer {token}"})

    def _client(self, headers: dict[str, str]) -> httpx.Client:
        made = httpx.Client(base_url=self.origin, headers=headers, timeout=PATIENCE)
        self.clients.append(made)
        return made


@contextmanager
def running(data: Path, *, port: int | None = None, **extra: str) -> Iterator[Server]:
    """A server that is stopped at the end."""
    data.parent.mkdir(parents=True, exist_ok=True)
    server = Server(data, port or free_port(), **extra)
    try:
        yield server.wait_ready()
    finally:
        server.stop()


def wait_for(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait on a condition, bounded; asked ever less often, so that asking is not the work."""
    deadline, pause = time.monotonic() + patience, 0.01
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(pause)
        pause = min(pause * 1.4, 0.1)
