"""`notebook`: what the office keeps sealed, copied out. `library`: files. `search`: finds them."""

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

import typer

from bailiwick.cli import notebook_files
from bailiwick.cli.options import AsJson, settings, show, show_json

commands = typer.Typer()
app = typer.Typer(no_args_is_help=True)
commands.add_typer(app, name="notebook", help="Notebooks that the office keeps: list, copy out.")
commands.add_typer(
    notebook_files.app, name="library", help="Files of the notebooks: list, print, put, versions."
)


@app.command("list")
def list_notebooks(as_json: AsJson = False) -> None:
    """The notebooks in the data folder, open or closed, by their ids."""
    from bailiwick.library import copies

    found = [{"id": id, "sealedWith": key} for id, key in copies.kept(settings().data)]
    if as_json:
        show_json(found)
        return
    for each in found:
        key = each["sealedWith"]
        show(f"{each['id']}  {f'sealed with the data key {key}' if key else 'in plain text'}")
    if not found:
        show("The office keeps none yet.")


@app.command("copy")
def copy_notebook(
    notebook: Annotated[str, typer.Argument(help="Its id, as `bailiwick notebook list` shows it.")],
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.")],
) -> None:
    """Copy a notebook's files out in plain text, also of one that was closed."""
    from bailiwick.library import copies
    from bailiwick.office import data_keys

    given = settings()
    source = data_keys(given)
    keys = source.read() if source else []
    done = copies.copy(given.data, notebook, folder.absolute(), keys=keys)
    show(f"Copied {done.files} file(s) to {folder}, in plain text.")
    if done.broken:
        show("These were altered on the disk and do not open:")
        for path in done.broken:
            show(f"    {path}")
        raise typer.Exit(1)


@commands.command("search")
def search(
    query: Annotated[
        str, typer.Argument(help="Words of the name or the text; none: the newest.")
    ] = "",
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kind", help="Only such things: file, mail, memory or case; repeatable."),
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Only files with this tag.")] = None,
    untagged: Annotated[
        bool, typer.Option("--untagged", help="Only files without any tag.")
    ] = False,
    kind: Annotated[
        str | None, typer.Option("--type", help="Only such files: pdf, md, image/ …")
    ] = None,
    folder: Annotated[str | None, typer.Option(help="Only in notebook/folder.")] = None,
    after: Annotated[
        str | None, typer.Option(help="Only files written to since: 2026-01-31.")
    ] = None,
    before: Annotated[str | None, typer.Option(help="Only files written to before.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many of each kind at most.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Find files by names, words and meaning, beside mail, memories and cases."""
    from bailiwick.cli.office import call

    given = {"q": query, "tag": tag, "type": kind, "folder": folder, "limit": limit}
    given |= {"after": _moment(after), "before": _moment(before), "kinds": kinds}
    given |= {"untagged": "true"} if untagged else {}
    asked = {name: value for name, value in given.items() if value}
    found = call("GET", f"/search?{urlencode(asked, doseq=True)}")
    if as_json:
        show_json(found)
        return
    for each in found["files"]:
        _show_hit("file", each["path"], each["snippet"])
    for each in found["others"]:
        _show_hit(each["kind"], f"{each['title']} ({each['about']})", each["snippet"])
    if not found["files"] and not found["others"]:
        show("Nothing was found. What was written a moment ago may not be in the index yet.")


def _show_hit(kind: str, title: str, snippet: list[dict[str, Any]]) -> None:
    show(f"{kind:8}{title}")
    if said := "".join(piece["text"] for piece in snippet).strip():
        show(f"        {said}")


def _moment(day: str | None) -> str | None:
    """A day as a moment; what is a moment already stays."""
    return f"{day}T00:00:00Z" if day and "T" not in day else day
