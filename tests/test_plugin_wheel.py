"""A plugin from outside, installed as anyone would: the example of docs/plugins.md, as a wheel."""

import base64
import hashlib
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from support.office import API
from support.server import running, wait_for

ROOT = Path(__file__).parents[1]
ABOUT = "greetings-1.0.dist-info"


def example() -> str:
    """The plugin as the documentation shows it."""
    text = (ROOT / "docs" / "plugins.md").read_text()
    return re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]  # pyright: ignore[reportOptionalSubscript]


def wheel(folder: Path) -> Path:
    """The example, packed."""
    files = {
        "greetings.py": example(),
        f"{ABOUT}/METADATA": "Metadata-Version: 2.1\nName: greetings\nVersion: 1.0\n",
        f"{ABOUT}/WHEEL": "Wheel-Version: 1.0\nGenerator: a test\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n",
        f"{ABOUT}/entry_points.txt": "[bailiwick.features]\ngreetings = greetings:feature\n",
    }
    lines = [f"{name},{_digest(text)},{len(text.encode())}" for name, text in files.items()]
    made = folder / "greetings-1.0-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        archive.writestr(f"{ABOUT}/RECORD", "\n".join([*lines, f"{ABOUT}/RECORD,,", ""]))
    return made


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Where the wheel is installed."""
    place = tmp_path / "site"
    installer = ROOT / ".venv" / "bootstrap" / "bin" / "uv"
    options = ("--quiet", "--offline", "--no-deps", "--target", place)
    subprocess.run([installer, "pip", "install", *options, wheel(tmp_path)], check=True)
    return place


@pytest.mark.req("ACC-02")
def test_a_wheel_from_outside_brings_a_route_a_tool_a_job_and_a_removal(
    tmp_path: Path, installed: Path
):
    with running(tmp_path / "data", PYTHONPATH=str(installed)) as server:
        owner = server.owner()
        home = owner.get(f"{API}/workspaces").json()["items"][0]["id"]

        greeted = owner.post(
            f"{API}/workspaces/{home}/tools/greet", json={"arguments": {"name": "Ann"}}
        )
        assert greeted.json()["result"] == {"greeting": "Hello, Ann."}
        audited = owner.get(f"{API}/audit", params={"tool": "greet"}).json()["items"]
        assert len(audited) == 1

        made = owner.post(f"{API}/workspaces", json={"name": "Guests"}).json()["id"]
        wait_for((server.data / "greetings.txt").exists)
        assert owner.get(f"{API}/greetings").json() == [f"welcome {made}"]
        assert server.browser().get(f"{API}/greetings").status_code == 401

        agent = owner.post(f"{API}/agents", json={"workspaceId": home, "name": "Stays"}).json()
        removed = owner.delete(f"{API}/agents/{agent['id']}")
        assert removed.status_code == 409
        assert "was greeted and stays" in removed.json()["detail"]
        assert owner.get(f"{API}/agents/{agent['id']}").status_code == 200
