"""Fails when a generated file is not what it would be now; `make generate` makes them anew."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "ui" / "src" / "api" / "openapi.json"


def main() -> int:
    """Compare the committed OpenAPI document with the app's."""
    command = [str(Path(sys.executable).parent / "bailiwick"), "openapi"]
    now = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if DOCUMENT.read_text() != now:
        sys.stderr.write("ui/src/api/openapi.json is out of date. Run: make generate\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
