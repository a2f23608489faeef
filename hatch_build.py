"""Builds the web app into the wheel. Editable installs use what `make ui` built."""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildUi(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        subprocess.run([root / "ui" / "build.sh"], check=True)
        if not (root / "src" / "bailiwick" / "web" / "dist" / "index.html").exists():
            raise RuntimeError("the web app was not built: see ui/build.sh")
