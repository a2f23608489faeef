"""`serve` and `worker`."""

from typing import Annotated

import typer

from bailiwick.cli.options import settings

app = typer.Typer()


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Start the office: the API and the web app."""
    from bailiwick.server import serve as start

    start(settings(host=host, port=port))


@app.command()
def worker() -> None:
    """Do jobs beside the servers of an office on PostgreSQL; start as many as you like."""
    from bailiwick.worker import work

    work(settings())


@app.command(hidden=True)
def openapi() -> None:
    """Print the OpenAPI document, from which the web app's client is made."""
    import asyncio
    import json
    import tempfile
    from pathlib import Path

    from bailiwick import features
    from bailiwick.app import create_app
    from bailiwick.config import Settings
    from bailiwick.office import opened

    async def document(folder: str) -> str:
        async with opened(Settings(data=Path(folder)), features.installed()) as office:
            app = create_app(office)
            # The cookie's name contains the installation's id, which the document should not.
            text = json.dumps(app.openapi(), indent=2, sort_keys=True)
            return text.replace(office.instance_id.partition("-")[2], "instance")

    with tempfile.TemporaryDirectory() as folder:
        typer.echo(asyncio.run(document(folder)))
