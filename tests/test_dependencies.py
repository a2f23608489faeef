"""What is imported is declared, and who goes out goes through `kit/net`."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "bailiwick"
# These ask the office itself, on this machine or where its own address says.
ASK_THE_OFFICE = {"cli/office.py", "mcp/office_route.py", "mcp/stdio.py"}
# Words what is asked otherwise, and hands it to the client that it was given.
TRANSLATES = {"llm/ollama.py"}
# Libraries of providers that are installed on demand, each as an extra.
ON_DEMAND = {"anthropic"}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {normal(re.split(r"[\[<>=; ]", line)[0]) for line in project["dependencies"]}


def test_whatever_the_product_imports_is_declared():
    known, providers = declared(), packages_distributions()
    missing = set[str]()
    for path in SOURCES.rglob("*.py"):
        for module in imported(path):
            top = module.split(".")[0]
            if top in sys.stdlib_module_names or top in ("bailiwick", *ON_DEMAND):
                continue
            if not known & {normal(name) for name in providers.get(top, [top])}:
                missing.add(f"{path.relative_to(SOURCES)}: {module}")
    assert missing == set()


def test_only_one_place_makes_clients_for_the_world():
    makers = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if re.search(
            r"httpx2?\.(Async)?(Client|HTTPTransport)\(|httpcore2?\.\w*Pool\(|urlopen\(",
            path.read_text(),
        )
    }
    assert makers == {"kit/net/client.py", "kit/net/transport.py", *ASK_THE_OFFICE, *TRANSLATES}
