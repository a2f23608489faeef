"""`doctor`, and the commands of the installation: backups, the database, keys, settings."""

from typing import Annotated

import typer

from bailiwick.cli import data, keys
from bailiwick.cli import settings as setting_commands
from bailiwick.cli.options import show, show_json

commands = typer.Typer()
commands.registered_commands.extend(data.app.registered_commands)
commands.add_typer(keys.app, name="key", help="Keys: make, rotate, prune.")
commands.add_typer(
    setting_commands.app, name="settings", help="Settings that change while the server runs."
)
commands.add_typer(data.database, name="db", help="The database's schema.")


@commands.command()
def doctor(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """Prove the safety settings; exit code 1 if a check failed."""
    from bailiwick.cli.office import every

    found = every("/doctor")
    if as_json:
        show_json(found)
    else:
        marks = {"ok": "ok     ", "warning": "warning", "failed": "FAILED "}
        for finding in found:
            show(f"{marks[finding['state']]}  {finding['check']:<20} {finding['detail']}")
    if any(finding["state"] == "failed" for finding in found):
        raise typer.Exit(1)
