"""Shared by all commands: settings in, text out."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bailiwick.config import Settings

AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


def settings(**overrides: Any) -> "Settings":
    """Settings from the environment and the command's own options."""
    from bailiwick import config

    return config.load(**overrides)


def show(text: str) -> None:
    """Print a line for a person."""
    typer.echo(text)


def show_json(value: Any) -> None:
    """Print a value for a program."""
    import json

    typer.echo(json.dumps(value, indent=2))
