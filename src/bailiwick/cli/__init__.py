"""The `bailiwick` command. Commands are thin: they call the API, in the server or in process.

Nothing heavy is imported before a command runs, so that `--help` answers at once.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from bailiwick import __version__
from bailiwick.cli import (
    accounts,
    agents,
    audit,
    data,
    demo,
    gate,
    keys,
    mail,
    mcp,
    outbox,
    serving,
    settings,
    users,
    webhooks,
)

app = typer.Typer(
    name="bailiwick",
    help="A local-first office for AI agents, where every action passes one gate.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
for part in (serving, demo, data, mcp, gate, mail):
    for command in part.app.registered_commands:
        app.registered_commands.append(command)
app.add_typer(
    users.app, name="user", help="People: list, invite, change roles, new password links."
)
app.add_typer(
    accounts.app, name="account", help="Accounts: list, connect, probe, primary, disconnect."
)
app.add_typer(agents.agents, name="agent", help="Agents: list, and ask one to do something.")
app.add_typer(agents.runs, name="run", help="Runs: list, show, cancel.")
app.add_typer(gate.approvals, name="approval", help="Approvals: list, allow, deny.")
app.add_typer(gate.tools, name="tool", help="Tools: list, and call under your own name.")
app.add_typer(mail.fetcher, name="fetcher", help="New mail by itself: status, start, stop.")
app.add_typer(keys.app, name="key", help="Keys: make, rotate, prune.")
app.add_typer(settings.app, name="settings", help="Settings that change while the server runs.")
app.add_typer(
    webhooks.app, name="webhook", help="Webhooks: list, add, remove, test, see what was sent."
)
app.add_typer(outbox.app, name="outbox", help="Mail on its way out: list, cancel, send again.")
app.add_typer(audit.app, name="audit", help="The audit: verify, export.")
app.add_typer(data.database, name="db", help="The database's schema.")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    data_folder: Annotated[
        Path | None, typer.Option("--data", help="The data folder (BAILIWICK_DATA).")
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    if data_folder:
        os.environ["BAILIWICK_DATA"] = str(data_folder)


def main() -> None:
    """Run a command; our own errors are one clear message and exit code 2."""
    from bailiwick.errors import BailiwickError

    os.umask(0o077)
    try:
        app()
    except BailiwickError as error:
        typer.echo(f"bailiwick: {error.detail}", err=True)
        sys.exit(2)
