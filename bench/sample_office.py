"""How long the sample office takes on the offline model, from the button to the last case.

A server of its own, on which somebody has just moved in. To reach: a minute on a quiet machine. It
ends when every routed mail has a case that is done or waits, and prints what these hold. Seen on
two busy cores: the first case after 18 s, all 18 after 22 s.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

# Not this folder: `mcp` and `dbos` are libraries.
HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path.insert(0, str(HERE.parent / "tests"))

PATIENCE = 300.0


def main() -> None:
    """Print the seconds, and what came of it."""
    from faults.test_killed_cases import every_case
    from support.office import API
    from support.server import running

    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "data") as server:
        owner = server.owner()
        owner.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
        workspace = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
        started = time.perf_counter()
        assert owner.post(f"{API}/workspaces/{workspace}/demo").is_success
        first = None
        while time.perf_counter() - started < PATIENCE:
            found = owner.get(f"{API}/cases", params={"PageSize": 1}).json()
            first = first or (found["states"].get("done") and time.perf_counter() - started)
            state = owner.get(f"{API}/workspaces/{workspace}/demo").json()["state"]
            if state == "ready" and "working" not in found["states"]:
                break
            time.sleep(0.2)
        taken = time.perf_counter() - started
        cases = every_case(owner)
        types = Counter(
            item["mimeType"]
            for case in cases
            for item in owner.get(f"{API}/cases/{case['id']}/items").json()["items"]
        )
        print(f"the sample office: first case after {first or 0:.1f} s, all after {taken:.1f} s")
        print(f"  {len(cases)} cases: {dict(Counter(case['state'] for case in cases))}")
        print(
            f"  without items: {[case['mail']['subject'] for case in cases if not case['items']]}"
        )
        print(f"  items: {dict(types)}")
        if "-v" in sys.argv:
            for case in cases:
                print(" ", case["state"], case["items"], case["mail"]["subject"], case["reason"])
                if case["items"] != 4 or case["state"] != "done":
                    for item in owner.get(f"{API}/cases/{case['id']}/items").json()["items"]:
                        print("     ", item["label"], "|", str(item["data"])[:300])


if __name__ == "__main__":
    main()
