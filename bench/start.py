"""How soon it is there, and how much it takes: `--help`, a warm start, memory, the page's scripts.

Each time is given beside a floor measured in the same run: a bare interpreter, and a bare FastAPI
app that is ready when it answers its first request.
"""

import gzip
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

BIN = Path(sys.executable).parent
DIST = Path(__file__).parents[1] / "src" / "bailiwick" / "web" / "dist"
ROUNDS = 5
BARE = """
import uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.get("/healthz")
async def alive() -> dict[str, str]: return {"status": "ok"}
uvicorn.run(app, port=PORT, log_level="error")
"""


def seconds(*command: str) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def median(measure: Callable[[], float]) -> float:
    measure()
    return statistics.median(measure() for _ in range(ROUNDS))


def ready(command: list[str], port: int, env: dict[str, str]) -> tuple[float, float]:
    """Seconds until the first answer, and resident megabytes then."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1).read()
                break
            except OSError:
                time.sleep(0.005)
        took = time.perf_counter() - started
        pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
        return took, pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main() -> None:
    floor = median(lambda: seconds(sys.executable, "-c", "pass"))
    shown = median(lambda: seconds(str(BIN / "bailiwick"), "--help"))
    print(f"bailiwick --help        {shown:.3f} s   bare python {floor:.3f} s   (to reach 0.5)")
    with tempfile.TemporaryDirectory() as folder:
        ours, bare = [], []
        for _ in range(ROUNDS):
            port = free_port()
            env = {**os.environ, "BAILIWICK_DATA": f"{folder}/data", "BAILIWICK_PORT": str(port)}
            ours.append(ready([str(BIN / "bailiwick"), "serve"], port, env))
            port = free_port()
            code = BARE.replace("PORT", str(port))
            bare.append(ready([sys.executable, "-c", code], port, dict(os.environ)))
    took, memory = (statistics.median(column) for column in zip(*ours[1:], strict=True))
    bare_took, bare_memory = (statistics.median(column) for column in zip(*bare[1:], strict=True))
    print(f"warm start to answer    {took:.2f} s    bare FastAPI {bare_took:.2f} s   (to reach 3)")
    beside = f"bare FastAPI {bare_memory:.0f} MB"
    print(f"resident memory         {memory:.0f} MB    {beside}   (to reach 180)")
    if DIST.exists():
        first = (DIST / "index.html").read_text()
        loaded = [p for p in DIST.rglob("*.js") if p.name in first]
        size = sum(len(gzip.compress(p.read_bytes())) for p in loaded) / 1024
        print(f"first load of script    {size:.0f} KB gzipped   (to reach 350)")


if __name__ == "__main__":
    main()
