"""`mcp`: the office for a program that speaks MCP over standard input and output."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bailiwick.cli.options import settings

if TYPE_CHECKING:
    from pydantic import SecretStr

    from bailiwick.config import Settings

commands = typer.Typer()
_TOKEN = "BAILIWICK_MCP_TOKEN"  # noqa: S105


@commands.command()
def mcp(
    client: Annotated[
        str | None,
        typer.Option(help="Name or id of a client of this office, on the machine it runs on."),
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(help=f"A file with a client's token (or {_TOKEN}).")
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="Address of an office elsewhere, ending in /mcp.")
    ] = None,
) -> None:
    """Speak MCP over standard input and output; starts the office if it does not run."""
    from bailiwick.errors import BadConfiguration
    from bailiwick.mcp import sidecar
    from bailiwick.mcp.pipes import StdoutPipe

    # First, because only messages may reach the client.
    output = StdoutPipe()
    token = _token(token_file)
    if (token is None) == (client is None):
        raise BadConfiguration(
            f"Say who asks: --client NAME, or a client's token in --token-file or {_TOKEN}."
        )
    if url is not None:
        if token is None:
            raise BadConfiguration("--url needs a token: --client works on the same machine only.")
        sidecar.elsewhere(url, token, output)
        return
    sidecar.here(settings(), output, token=token, client=client, serve=_serve)


def _serve(given: "Settings") -> None:
    from bailiwick.server import serve

    serve(given)


def _token(file: Path | None) -> "SecretStr | None":
    from pydantic import SecretStr

    from bailiwick.errors import BadConfiguration

    # Removed, because it is no setting of the office, and no child process should have it.
    given = os.environ.pop(_TOKEN, None)
    if file is not None:
        try:
            given = file.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise BadConfiguration(f"{file} cannot be read: {error}.") from None
    return SecretStr(given.strip()) if given and given.strip() else None
