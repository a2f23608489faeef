"""`inbox`: what the organiser suggests, answered from a terminal."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bailiwick.cli.options import AsJson, show, show_json
from bailiwick.errors import Invalid, NotFound

commands = typer.Typer()
app = typer.Typer(no_args_is_help=True)
commands.add_typer(
    app, name="inbox", help="Papers in the inbox: list, accept, reject, organise, undo, guideline."
)
InboxWorkspace = Annotated[
    str | None,
    typer.Option("--workspace", help="The id of a workspace; left out where there is only one."),
]
SuggestionArgument = Annotated[
    list[str],
    typer.Argument(help="Suggestions by their ids, as `bailiwick inbox list` shows them."),
]


@app.command("list")
def list_papers(workspace: InboxWorkspace = None, as_json: AsJson = False) -> None:
    """What waits in the inbox, and where it belongs."""
    from bailiwick.cli.office import every

    found = every("/inbox/files", workspaceId=_workspace(workspace))
    if as_json:
        show_json(found)
        return
    for each in found:
        show(_paper(each))
    if not found:
        show("The inbox is empty.")


@app.command("accept")
def accept(
    ids: SuggestionArgument,
    to: Annotated[str | None, typer.Option("--to", help="Another folder.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="Another name for the file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Move a file where it is suggested, or to another folder; nothing is overwritten."""
    if (to or name) and len(ids) > 1:
        raise Invalid("Another folder or name is for one suggestion at a time.")
    if len(ids) > 1:
        _many(ids, "accept", as_json)
        return
    body = {"action": "accept", "target_folder": to, "name": name}
    _show_one(ids[0], body, as_json)


@app.command("reject")
def reject(ids: SuggestionArgument, as_json: AsJson = False) -> None:
    """Leave files where they are; the suggestions are answered."""
    if len(ids) > 1:
        _many(ids, "reject", as_json)
        return
    _show_one(ids[0], {"action": "reject"}, as_json)


@app.command("undo")
def undo(
    id: Annotated[str, typer.Argument(help="A suggestion, or a batch that was answered at once.")],
    as_json: AsJson = False,
) -> None:
    """Take an answer back: the file returns, and the suggestion waits again."""
    if not id.startswith("bat-"):
        back = _called("POST", f"/inbox/suggestions/{id}/undo")
        show_json(back) if as_json else show(f"{back['file_path']} waits for an answer again.")
        return
    done = _called("POST", f"/inbox/batches/{id}/undo")
    if as_json:
        show_json(done)
    else:
        show(f"{done['reopened']} wait for an answer again.")
        _show_problems(done["problems"])
    if done["problems"]:
        raise typer.Exit(1)


@app.command("organise")
def organise(workspace: InboxWorkspace = None, as_json: AsJson = False) -> None:
    """Let the organiser look at everything that has no suggestion; it works while a server runs."""
    done = _called("POST", f"/inbox/organize?workspaceId={_workspace(workspace)}")
    if as_json:
        show_json(done)
        return
    counts = f"{done['suggested']} suggested, {done['failed']} failed, {done['files']} in all"
    show(f"{done['atWork']} are being looked at; {counts}.")


@app.command("guideline")
def guideline(
    source: Annotated[
        Path | None, typer.Argument(help="A file with the new text; - reads the standard input.")
    ] = None,
    notebook: Annotated[
        str | None, typer.Option(help="Its name; left out where there is only one.")
    ] = None,
    workspace: InboxWorkspace = None,
) -> None:
    """Print what the organiser goes by in a notebook, or write it anew."""
    from bailiwick.cli.office import every

    found = every("/inbox/guidelines", workspaceId=_workspace(workspace))
    chosen = [each for each in found if notebook in (None, each["notebook"])]
    if not chosen:
        raise NotFound("There is no such notebook.")
    if len(chosen) > 1:
        names = ", ".join(each["notebook"] for each in chosen)
        raise Invalid(f"Say which notebook: --notebook NAME. There are: {names}.")
    now = chosen[0]
    if source is None:
        sys.stdout.write(now["text"])
        return
    try:
        text = sys.stdin.read() if str(source) == "-" else source.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(f"{source} cannot be read as text: {error}.") from None
    body = {"text": text, "digest": now["digest"]}
    _called("PUT", f"/inbox/guidelines/{now['notebookId']}", body)
    show(f"The guideline of {now['notebook']} is written.")


def _paper(file: dict[str, Any]) -> str:
    made = file["suggestion"]
    if made is None:
        words = f"copy of {file['copyOf']}" if file["copyOf"] else file["state"]
        return f"{'':16}  {_plain(file['path'])}  ({words}{_why(file['problem'])})"
    mark = ", less sure than the settings ask for" if made["below_minimum"] else ""
    where = f"{_plain(file['path'])} -> {_plain(made['target_folder'])}"
    return f"{made['id']}  {where}  ({made['confidence']:.0%}{mark}) {_plain(made['reasoning'])}"


def _why(problem: str | None) -> str:
    return f": {_plain(problem)}" if problem else ""


def _plain(text: str) -> str:
    """Without what would move the terminal's cursor or turn the line around."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def _show_one(id: str, body: dict[str, Any], as_json: bool) -> None:
    done = _called("POST", f"/inbox/suggestions/{id}/resolve", body)
    if as_json:
        show_json(done)
    elif done["approval_id"]:
        show(f"Waits for an answer, {done['approval_id']}.")
    else:
        where = f"Moved to {_plain(done['new_path'])}" if done["file_moved"] else "It stays"
        show(f"{where}. To take it back: bailiwick inbox undo {id}")


def _many(ids: list[str], action: str, as_json: bool) -> None:
    done = _called("POST", "/inbox/suggestions/resolve", {"ids": ids, "action": action})
    problems = [f"{each['id']}: {each['problem']}" for each in done["results"] if each["problem"]]
    if as_json:
        show_json(done)
    else:
        count = len(done["results"]) - len(problems)
        show(f"{count} answered. To take all back: bailiwick inbox undo {done['batch_id']}")
        _show_problems(problems)
    if problems:
        raise typer.Exit(1)


def _show_problems(problems: list[str]) -> None:
    for problem in problems:
        show(f"    {_plain(problem)}")


def _called(method: str, path: str, body: Any = None) -> Any:
    from bailiwick.cli.office import call

    return call(method, path, body)


def _workspace(given: str | None) -> str:
    from bailiwick.cli.gate import chosen_workspace

    return chosen_workspace(given)
