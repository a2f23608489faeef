"""`fetch` and `fetcher`: new mail from a terminal."""

import sys
from typing import Annotated, Any

import typer

from bailiwick.cli import outbox
from bailiwick.cli.options import AsJson, show, show_json
from bailiwick.errors import Conflict, Invalid

commands = typer.Typer()
fetcher = typer.Typer(no_args_is_help=True)

_STATES = {"idle": "well", "fetching": "fetching now", "failed": "failed"}


@commands.command("fetch")
def fetch(
    account: Annotated[
        str | None, typer.Option(help="Its label, address or id; left out: all accounts.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch new mail now, and say what came. A server must be running."""
    from bailiwick.cli.office import call

    _needs_server()
    body = {"accountId": _account(account) if account else None}
    found = call("POST", "/fetcher/run", body)["items"]
    if as_json:
        show_json(found)
    else:
        for each in found:
            show(f"{each['label']}: {_went(each)}")
        if not found:
            show("There is no account yet. Connect one in the page, under Accounts.")
    if any(each["outcome"] == "failed" for each in found):
        sys.exit(1)


@fetcher.command("status")
def status(as_json: AsJson = False) -> None:
    """Whether mail is fetched by itself, and how that goes."""
    from bailiwick.cli.office import call

    _show_status(call("GET", "/fetcher/status"), as_json=as_json)


@fetcher.command("start")
def start(as_json: AsJson = False) -> None:
    """Fetch mail by itself from now on."""
    from bailiwick.cli.office import call

    _show_status(call("POST", "/fetcher/start"), as_json=as_json)


@fetcher.command("stop")
def stop(as_json: AsJson = False) -> None:
    """Fetch mail only when asked to."""
    from bailiwick.cli.office import call

    _show_status(call("POST", "/fetcher/stop"), as_json=as_json)


def _show_status(found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        show_json(found)
        return
    every = f"every {found['intervalMinutes']} minutes, or when a provider tells of news"
    show(f"Mail is fetched {every}." if found["running"] else "Mail is fetched only when asked.")
    for each in found["accounts"]:
        last = each["lastFetch"] and each["lastFetch"][:19]
        detail = f"  {each['problemDetail']}" if each["problemDetail"] else ""
        state = _STATES[each["state"]] if each["enabled"] else "switched off"
        show(f"{each['accountId']}  {each['label']}  {state}, last {last or 'never'}{detail}")


def _went(each: dict[str, Any]) -> str:
    match each["outcome"]:
        case "done":
            return f"{each['fetched']} new"
        case "failed":
            return f"failed. {each['problemDetail'] or ''}".strip()
        case "working":
            return f"{each['fetched']} new so far; the server goes on"
        case _:
            return "the server has not begun yet, and will"


def _account(given: str) -> str:
    from bailiwick.cli.office import call

    found = call("GET", "/fetcher/status")["accounts"]
    wanted = given.casefold()
    for name in ("accountId", "label", "address"):
        named = [each["accountId"] for each in found if each[name].casefold() == wanted]
        if len(named) == 1:
            return named[0]
    known = ", ".join(each["label"] for each in found) or "none yet"
    raise Invalid(f"There is no account {given!r}, or more than one. There are: {known}.")


def _needs_server() -> None:
    from bailiwick.cli.options import settings
    from bailiwick.kit.folder import DataFolder

    if DataFolder(settings().data).server() is None:
        raise Conflict("Mail is fetched by a running office. Start it first: bailiwick serve")


commands.add_typer(fetcher, name="fetcher", help="New mail by itself: status, start, stop.")
commands.add_typer(outbox.app, name="outbox", help="Mail on its way out: list, cancel, send again.")
