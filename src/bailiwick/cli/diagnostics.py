"""`diagnostics`: how the office stands, and what directors did last."""

from typing import Annotated

import typer

from bailiwick.cli.options import show, show_json

commands = typer.Typer()


@commands.command()
def diagnostics(
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """How the office stands, and the latest fetch cycles."""
    from bailiwick.cli.office import call

    status = call("GET", "/diagnostics/runtime")
    cycles = call("GET", "/diagnostics/unified?PageSize=10")["items"]
    if as_json:
        show_json({"runtime": status, "cycles": cycles})
        return
    show(f"Bailiwick {status['versions']['bailiwick']}, {status['database']}")
    show(f"Data folder: {status['dataFolder']}")
    show(f"Encryption:  {status['encryption']}. {status['encryptionDetail']}")
    show(", ".join(f"{name} {count}" for name, count in status["counts"].items()))
    for cycle in cycles:
        states = ", ".join(f"{count} {state}" for state, count in cycle["states"].items())
        show(f"{cycle['at']}  {cycle['id']:<18} {states}; {cycle['agents']} agent sessions")
