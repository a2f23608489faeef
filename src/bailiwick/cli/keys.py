"""`key`."""

from typing import Annotated

import typer

from bailiwick.cli.options import settings, show

app = typer.Typer(no_args_is_help=True)


@app.command("new")
def new() -> None:
    """Print a new random key, for BAILIWICK_DATA_KEY or BAILIWICK_VAULT_KEY."""
    from bailiwick.kit.keys import generate

    show(generate().reveal().hex())


@app.command("show")
def show_keys() -> None:
    """The ids of the vault's keys, the active one first; never the keys."""
    from bailiwick.cli.office import call

    for number, id in enumerate(call("GET", "/vault")["keys"]):
        show(f"{id}{'' if number else '  active'}")


@app.command("rotate")
def rotate() -> None:
    """Seal everything with a new key; can be killed half-way and run again."""
    from bailiwick.cli.office import call

    done = call("POST", "/vault/rotate")
    verb = "Finished the rotation that was cut short" if done["resumed"] else "Rotated"
    show(f"{verb}: {done['resealed']} value(s) are sealed with {done['active']}.")
    show("The old key is kept, because older backups need it; `bailiwick key prune` drops it.")


@app.command("prune")
def prune() -> None:
    """Drop the keys that nothing is sealed with any more."""
    from bailiwick.cli.office import call

    dropped = call("POST", "/vault/prune")["dropped"]
    show(f"Dropped {len(dropped)} key(s)." if dropped else "There is no old key.")


@app.command("reset")
def reset(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Give up what a lost key sealed: everyone signs in again, accounts are connected again."""
    import asyncio

    from bailiwick.cli.stores import stores
    from bailiwick.kit.db import migrate
    from bailiwick.kit.vault import Vault
    from bailiwick.office import vault_keys
    from bailiwick.operations import keys

    if not yes:
        typer.confirm(
            "All sealed credentials, sessions and tokens are lost then. Go on?", abort=True
        )

    async def run() -> int:
        given = settings()
        async with stores(given) as storage:
            await migrate.upgrade(storage)
            return await keys.reset(storage, Vault(vault_keys(given)))

    show(f"Gave up {asyncio.run(run())} sealed value(s). The server can start again.")
