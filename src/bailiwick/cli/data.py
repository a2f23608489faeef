"""`backup`, `restore` and `db`."""

from pathlib import Path
from typing import Annotated

import typer

from bailiwick.cli.options import settings, show, show_json

app = typer.Typer()
database = typer.Typer(no_args_is_help=True)
_PROOFS = {
    "vault_key": "Its signature is right: whoever made it held this installation's vault key.",
    "own_key": "Its signature is right, but the key for it comes from the backup itself: the file\n"
    "is whole, and nothing here proves who made it.",
    "nothing": "Nothing here proves who made it: the key that would is not here.",
}


@app.command()
def backup(
    path: Annotated[
        Path | None, typer.Argument(help="File to write; default: in the data folder.")
    ] = None,
    with_keys: Annotated[
        bool, typer.Option(help="Put the vault's key into the backup, unencrypted.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Back everything up into one file, while the server runs."""
    from bailiwick.cli.office import call

    body = {"path": str(path.absolute()) if path else None, "withKeys": with_keys}
    made = call("POST", "/backups", body)
    if as_json:
        show_json(made)
        return
    show(f"Backed up to {made['path']} ({made['size']:,} bytes).")
    if not made["holdsVaultKey"]:
        show(
            "The vault's key is not in it: keep a copy of it elsewhere. Without it, connected\n"
            "accounts must be connected again after a restore. With a data key it is included."
        )


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file made by `bailiwick backup`.")],
    replace: Annotated[bool, typer.Option(help="Move an existing installation aside.")] = False,
    backup_key: Annotated[
        str | None,
        typer.Option(
            help="file:/path or keyring of the data key that the backup was made with, if it is "
            "another one than BAILIWICK_DATA_KEY."
        ),
    ] = None,
    vault_key_file: Annotated[
        Path | None, typer.Option(help="The vault's key, if it is not in the backup.")
    ] = None,
    accept_unsigned: Annotated[
        bool,
        typer.Option(help="Restore also what no key of this installation has signed."),
    ] = False,
) -> None:
    """Put a backup in place. Set BAILIWICK_DATA_KEY to encrypt what is restored."""
    from pydantic import SecretStr

    from bailiwick.features import installed
    from bailiwick.kit import keys
    from bailiwick.operations.restore import restore as put_back

    given = settings()
    key = (
        keys.source(SecretStr(backup_key), name="--backup-key", entry=f"data {given.data}").read()
        if backup_key
        else []
    )
    done = put_back(
        given,
        file.absolute(),
        features=installed(),
        backup_key=key[0] if key else None,
        vault_key_file=vault_key_file,
        replace=replace,
        accept_unsigned=accept_unsigned,
    )
    show(f"Restored the backup of {done.created_at[:16]} UTC into {given.data}.")
    if done.kept_aside:
        show(f"What was there before is in {done.kept_aside}.")
    show(_PROOFS[done.proof])
    if not done.has_vault_key:
        show(
            "The vault's key is missing, and the server will not start without it: put it into\n"
            f"{given.data / 'vault.key'}, or run `bailiwick key reset` to give up what it sealed."
        )


@database.command("status")
def database_status() -> None:
    """The schema that each store is at; the server must not run."""
    import asyncio

    from bailiwick.cli.stores import stores
    from bailiwick.kit.db import migrate

    async def run() -> None:
        async with stores(settings()) as storage:
            for name in migrate.MIGRATED:
                at = await migrate.revision(storage[name])
                show(f"{name:<6} {at or 'empty'} (newest {migrate.head(name)})")

    asyncio.run(run())


@database.command("migrate")
def migrate_database(
    store: Annotated[str, typer.Argument(help="app or audit")] = "app",
    to: Annotated[str, typer.Option(help="A revision, or head, or base.")] = "head",
) -> None:
    """Bring a store's schema up or down; the server must not run."""
    import asyncio

    from bailiwick.cli.stores import stores
    from bailiwick.errors import BadConfiguration
    from bailiwick.kit.db import migrate

    if store not in migrate.MIGRATED:
        raise BadConfiguration(f"There is no store {store!r}: app or audit.")

    async def run() -> None:
        async with stores(settings()) as storage:
            await migrate.to(storage, store, to)
            show(f"{store} is at {await migrate.revision(storage[store]) or 'empty'}.")

    asyncio.run(run())
