"""Uploading a file of 100 MB over HTTP: megabytes a second and memory, beside `cp` in the same run.

The office is a process of its own; its memory is read from the system before, at its highest while
the file comes, and after. `python bench/upload.py [megabytes]`
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path[:0] = [str(HERE.parent / "tests")]

import httpx  # noqa: E402

from support.office import API  # noqa: E402  # pyright: ignore[reportMissingImports]
from support.server import environment, free_port  # noqa: E402  # pyright: ignore[reportMissingImports]

ROUNDS = 3
KEY = "ab" * 32


def resident(pid: int) -> float:
    """Megabytes that a process has in memory."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


class Peak:
    """The most memory that a process had while the block ran."""

    def __init__(self, pid: int) -> None:
        self.pid, self.most, self._over = pid, 0.0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self._over.wait(0.02):
            self.most = max(self.most, resident(self.pid))

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def started(folder: Path, **extra: str) -> tuple[subprocess.Popen[str], httpx.Client]:
    """A server of its own, and its owner."""
    port = free_port()
    env = environment(folder / "data", BAILIWICK_PORT=str(port), **extra)
    process = subprocess.Popen(
        [sys.executable, "-m", "bailiwick", "serve"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    told, link = "", None
    assert process.stdout
    for line in process.stdout:
        told += line
        link = link or re.search(r"/setup#(\S+)", told)
        if link and "is ready" in told:
            break
    threading.Thread(target=process.stdout.read, daemon=True).start()
    assert link
    origin = f"http://127.0.0.1:{port}"
    client = httpx.Client(base_url=origin, headers={"Origin": origin}, timeout=300)
    who = {"email": "o@example.com", "name": "O", "password": "four unrelated garden words"}
    client.post(f"{API}/auth/setup", json={"link": link[1], **who}).raise_for_status()
    return process, client


def measured(size: int, folder: Path, **extra: str) -> None:
    """Uploads of new contents, each beside a copy of the same file."""
    folder.mkdir()
    process, client = started(folder, **extra)
    sent, copied, peaks = list[float](), list[float](), list[float]()
    try:
        client.post(f"{API}/files", files={"file": ("warm.wav", b"RIFF____WAVE")})
        before = resident(process.pid)
        for number in range(ROUNDS):
            source = folder / f"{number}.wav"
            source.write_bytes(b"RIFF____WAVE" + os.urandom(size - 12))
            with source.open("rb") as file, Peak(process.pid) as peak:
                sent.append(seconds(partial(_made, client, {"file": ("film.wav", file)})))
            peaks.append(peak.most - before)
            copy = ["sh", "-c", f"cp '{source}' '{source}.copy' && sync '{source}.copy'"]
            copied.append(seconds(partial(subprocess.run, copy, check=True)))
    finally:
        client.close()
        process.terminate()
        process.wait()
    kind = "encrypted" if extra else "plain"
    rate, floor = (size / 1e6 / statistics.median(each) for each in (sent, copied))
    print(f"{kind}: upload {rate:.0f} MB/s, cp and sync {floor:.0f} MB/s, ratio {rate / floor:.2f}")
    print(f"{kind}: memory {before:.0f} MB before, at most {max(peaks):.0f} MB more meanwhile")


def _made(client: httpx.Client, upload: dict[str, object]) -> None:
    client.post(f"{API}/files", files=upload).raise_for_status()  # pyright: ignore[reportArgumentType]


if __name__ == "__main__":
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as place:
        measured(megabytes * 2**20, Path(place) / "plain")
        measured(megabytes * 2**20, Path(place) / "encrypted", BAILIWICK_DATA_KEY=KEY)
