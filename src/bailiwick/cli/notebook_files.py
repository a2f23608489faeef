"""`library`: files of the notebooks from a terminal."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bailiwick.cli.options import AsJson, show, show_json
from bailiwick.errors import Invalid

app = typer.Typer(no_args_is_help=True)
FilesWorkspace = Annotated[
    str | None,
    typer.Option("--workspace", help="The id of a workspace; left out where there is only one."),
]
FileArgument = Annotated[str, typer.Argument(help="The file: notebook/folder/name.")]
EtagOption = Annotated[
    str | None, typer.Option(help="What you saw of it; refused if it was changed since.")
]


@app.command("ls")
def list_folder(
    path: Annotated[str, typer.Argument(help="notebook/folder; left out: the notebooks.")] = "",
    workspace: FilesWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """What is in a folder."""
    found = part = _asked("GET", "", workspace, path=path).json()
    while part["nextOffset"]:
        part = _asked("GET", "", workspace, path=path, offset=part["nextOffset"]).json()
        found["files"] += part["files"]
    found |= {"more": part["more"], "nextOffset": None}
    if as_json:
        show_json(found)
        return
    for each in found["files"]:
        slash = "" if each["kind"] == "file" else "/"
        size = "" if each["size"] is None else f"{each['size']:>12,}"
        show(f"{(each['modified'] or '')[:16]:16}  {size:12}  {each['name']}{slash}")
    if found["more"]:
        show("There is more than is shown.")


@app.command("cat")
def print_file(path: FileArgument, workspace: FilesWorkspace = None) -> None:
    """Print a file as it is."""
    content = _asked("GET", "/content", workspace, path=path, download="true").content
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


@app.command("put")
def put_file(
    source: Annotated[Path, typer.Argument(help="A file of yours; - reads the standard input.")],
    path: FileArgument,
    etag: EtagOption = None,
    workspace: FilesWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Put a file into a notebook; one that is there is replaced only with its etag."""
    try:
        content = sys.stdin.buffer.read() if str(source) == "-" else source.read_bytes()
    except OSError as error:
        raise Invalid(f"{source} cannot be read: {error.strerror}.") from None
    _show_done(_changed("PUT", "/content", workspace, etag, content=content, path=path), as_json)


@app.command("mv")
def move_file(
    path: FileArgument,
    to: Annotated[str, typer.Argument(help="Its new path.")],
    etag: EtagOption = None,
    workspace: FilesWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Give a file another name or folder; nothing is overwritten."""
    body = {"path": path, "to": to}
    _show_done(_changed("POST", "/move", workspace, etag, json=body), as_json)


@app.command("rm")
def remove_file(
    path: FileArgument,
    etag: EtagOption = None,
    workspace: FilesWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Delete a file; undoing the action brings it back."""
    _show_done(_changed("DELETE", "", workspace, etag, path=path), as_json)


@app.command("versions")
def list_versions(
    path: FileArgument, workspace: FilesWorkspace = None, as_json: AsJson = False
) -> None:
    """The versions of a file, newest first; also of one that was deleted."""
    found = _asked("GET", "/versions", workspace, path=path).json()
    if as_json:
        show_json(found)
        return
    for each in found["versions"]:
        now = "  (now)" if each["isCurrent"] else ""
        by = each["by"] or "another program"
        show(f"{each['id']}  {each['at'][:19]}  {each['size']:>12,}  {each['change']} by {by}{now}")
    if not found["versions"]:
        show("There are none yet: they are kept from the first change through the office.")


@app.command("restore")
def restore_file(
    path: FileArgument,
    version: Annotated[str, typer.Argument(help="Its id, as `library versions` shows it.")],
    etag: EtagOption = None,
    workspace: FilesWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Give a file the content of one of its versions."""
    body = {"version": version}
    _show_done(_changed("POST", "/restore", workspace, etag, json=body, path=path), as_json)


def _changed(
    method: str, at: str, workspace: str | None, etag: str | None, **about: Any
) -> dict[str, Any]:
    headers = {"If-Match": etag} if etag else {}
    return _asked(method, at, workspace, headers=headers, **about).json()


def _asked(method: str, at: str, workspace: str | None, **about: Any) -> Any:
    from bailiwick.cli.office import exchange

    sent = {name: about.pop(name) for name in ("json", "content", "headers") if name in about}
    path = f"/workspaces/{_workspace(workspace)}/files{at}"
    return exchange(method, path, params=about or None, **sent)


def _workspace(given: str | None) -> str:
    from bailiwick.cli.gate import chosen_workspace

    return chosen_workspace(given)


def _show_done(done: dict[str, Any], as_json: bool) -> None:
    if as_json:
        show_json(done)
    elif done["status"] == "pending":
        show(f"Waits for an answer, {done['approvalId']}: {done['reason']}")
    else:
        undo = f" To take it back: bailiwick undo {done['actionId']}" if done["undoable"] else ""
        show(f"Done: {done['path'] or ''}.{undo}")
