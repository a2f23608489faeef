"""The `bailiwick` command. Commands are thin: they call the API, in the server or in process.

Nothing heavy is imported before a command runs, so that `--help` answers at once.
"""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from bailiwick import __version__
from bailiwick.cli import serving
from bailiwick.features import FEATURES

app = typer.Typer(
    name="bailiwick",
    help="A local-first office for AI agents, where every action passes one gate.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _commands() -> Iterator[typer.Typer]:
    """The commands of each feature in order, and of plugins, found by name without loading them."""
    yield serving.app
    for name in FEATURES:
        if find_spec(f"bailiwick.cli.{name}"):
            yield import_module(f"bailiwick.cli.{name}").commands
    for found in entry_points(group="bailiwick.commands"):
        yield found.load()


for part in _commands():
    app.registered_commands.extend(part.registered_commands)
    app.registered_groups.extend(part.registered_groups)


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
    """Run a command; our own errors become one message and exit code 2."""
    from bailiwick.errors import BailiwickError

    os.umask(0o077)
    try:
        app()
    except BailiwickError as error:
        typer.echo(f"bailiwick: {error.detail}", err=True)
        sys.exit(2)
