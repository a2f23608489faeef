"""`demo`: the sample office in a terminal."""

import asyncio
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bailiwick.cli.options import AsJson, settings, show, show_json
from bailiwick.errors import BailiwickError, Conflict, Invalid

if TYPE_CHECKING:
    import httpx2
    from rich.progress import Progress, TaskID

commands = typer.Typer()

_LOOK_SECONDS = 0.3
_PATIENCE_SECONDS = 180.0
_NOBODY = (
    "Nobody has moved in yet. Start the office with `bailiwick serve`, open the link that it "
    "prints, and then try this again, or press “Try with sample data” on the first page."
)


@commands.command()
def demo(
    workspace: Annotated[
        str | None, typer.Option(help="Its name or id; left out: the first one.")
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take the sample data away again.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring in a sample mailbox with agents, and watch what the gate does."""
    from bailiwick.cli.office import at_work

    async def played() -> dict[str, Any] | None:
        async with at_work(settings()) as client:
            path = f"/api/v1/workspaces/{await _workspace(client, workspace)}/demo"
            if remove:
                await _sent(client, "DELETE", path)
                return None
            return await _played(client, path, quiet=as_json)

    found = asyncio.run(played())
    if found is None:
        show("The sample data is gone, and everything that it made.")
    elif as_json:
        show_json(found)
    else:
        _show(found)


async def _played(client: "httpx2.AsyncClient", path: str, *, quiet: bool) -> dict[str, Any]:
    found = await _sent(client, "GET", path)
    if found["state"] == "absent":
        found = await _sent(client, "POST", path)
    elif not quiet:
        show("The sample data is here already (take it away with --remove).")
    end = asyncio.get_running_loop().time() + _PATIENCE_SECONDS
    with nullcontext() if quiet else _bar() as bar:
        task = bar.add_task(_stage(found), total=found["expected"] + 2) if bar else None
        while found["state"] in ("fetching", "working"):
            if asyncio.get_running_loop().time() > end:
                raise Conflict("This takes unusually long. Look at the page, or try again.")
            await asyncio.sleep(_LOOK_SECONDS)
            found = await _sent(client, "GET", path)
            if bar and task is not None:
                _advance(bar, task, found)
    return found


def _bar() -> "Progress":
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), transient=True
    )


def _advance(bar: "Progress", task: "TaskID", found: dict[str, Any]) -> None:
    done = found["mails"] + (found["runId"] is not None) + (found["state"] == "ready")
    bar.update(task, description=_stage(found), completed=done)


def _stage(found: dict[str, Any]) -> str:
    match found["state"]:
        case "fetching":
            return f"Fetching mail: {found['mails']} of {found['expected']}"
        case "working":
            return "The assistant reads and answers"
        case _:
            return "Done"


def _show(found: dict[str, Any]) -> None:
    from bailiwick.kit.folder import DataFolder

    show(f"{found['mails']} mails came in; {found['routed']} went to a director:")
    for each in found["directors"]:
        show(f"  {each['name']}: {each['routed']}")
    show(f"The assistant was asked: “{found['words']}”")
    show(found["note"])
    for each in found["findings"]:
        _show_finding(each)
    if found["problem"]:
        show(f"Something went wrong: {found['problem']}")
    running = DataFolder(settings().data).server()
    origin = running.origin if running else settings().origin
    show("Where to look:" if running else "Where to look, once `bailiwick serve` runs:")
    show(f"  what waits for you  {origin}/approvals")
    if found["runId"]:
        show(f"  the assistant       {origin}/sessions/{found['runId']}")
    show("Take it all away again with: bailiwick demo --remove")


def _show_finding(each: dict[str, Any]) -> None:
    to = ", ".join(each["recipients"])
    what = "A reply waits for you" if each["kind"] == "reply" else "STOPPED: a mail wanted this"
    show(f"{what}: “{each['subject']}” to {to}")
    show(f"  {each['reason']}")
    if each["status"] == "pending":
        show(f"  bailiwick approval allow {each['approvalId']}   (or deny)")
    else:
        show(f"  It is {each['status']}.")


async def _workspace(client: "httpx2.AsyncClient", given: str | None) -> str:
    from bailiwick.cli.office import all_pages

    known = await all_pages(client, "/workspaces")
    if not known:
        raise Conflict(_NOBODY)
    if given is None:
        return known[0]["id"]
    named = [
        each["id"] for each in known if given.casefold() in (each["id"], each["name"].casefold())
    ]
    if len(named) == 1:
        return named[0]
    names = ", ".join(each["name"] for each in known)
    raise Invalid(f"There is no workspace {given!r}, or more than one. There are: {names}.")


async def _sent(client: "httpx2.AsyncClient", method: str, path: str) -> Any:
    answer = await client.request(method, path)
    if answer.is_error:
        raise BailiwickError(answer.json()["detail"])
    return answer.json() if answer.content else None
