"""`agent` and `run`: agents from a terminal."""

import sys
import time
from typing import Annotated, Any

import typer

from bailiwick.cli.options import AsJson, show, show_json
from bailiwick.errors import Conflict, Invalid

agents = typer.Typer(no_args_is_help=True)
runs = typer.Typer(no_args_is_help=True)

RunArgument = Annotated[str, typer.Argument(help="Such as run-4fk29dm1x0aa.")]
_LIVE = ("pending", "running")
_LOOK_SECONDS = 0.3


@agents.command("list")
def list_agents(as_json: AsJson = False) -> None:
    """The agents of this office."""
    from bailiwick.cli.office import every

    found = every("/agents")
    if as_json:
        show_json(found)
        return
    for agent in found:
        state = "" if agent["isActive"] else "  (switched off)"
        show(f"{agent['id']}  {agent['name']}  {agent['kind']}, {agent['modelLabel']}{state}")
    if not found:
        show("There are no agents yet. Make one in the page, under Agents.")


@agents.command("ask")
def ask(
    agent: Annotated[str, typer.Argument(help="Its name or id.")],
    words: Annotated[str, typer.Argument(help="What it shall do.")],
    wait: Annotated[bool, typer.Option(help="Wait for the answer.")] = True,
) -> None:
    """Ask an agent to do something, and see what it answers. A server must be running."""
    from bailiwick.cli.office import call

    _needs_server()
    found = _agent(agent)
    session = call("POST", f"/agents/{found['id']}/sessions", {"content": words})
    if not wait:
        show(session["id"])
        return
    _follow(session["id"])


@agents.command("try")
def try_director(
    director: Annotated[str, typer.Argument(help="Its name or id.")],
    mail: Annotated[
        str | None, typer.Option(help="The id of a mail; left out: the newest that it may get.")
    ] = None,
) -> None:
    """Let a director work on a mail without any effect, and see what it would have done."""
    from bailiwick.cli.office import call

    _needs_server()
    path = f"/agents/{_agent(director)['id']}"
    if mail is None:
        newest = call("GET", f"{path}/mails?PageSize=1")["items"]
        if not newest:
            raise Conflict("No mail of its accounts is open to you. Name one with --mail.")
        mail = newest[0]["id"]
        show(f'On the mail "{newest[0]["subject"]}":')
    _follow(call("POST", f"{path}/trials", {"mailId": mail})["id"])


@runs.command("list")
def list_runs(
    live: Annotated[bool, typer.Option("--live", help="Only those that are not over.")] = False,
    as_json: AsJson = False,
) -> None:
    """What agents did and do, newest first."""
    from bailiwick.cli.office import every

    found = [row for row in every("/runs") if not live or row["status"] in (*_LIVE, "waiting")]
    if as_json:
        show_json(found)
        return
    for run in found:
        detail = f"{run['steps']} steps, {run['tokensUsed']} tokens"
        show(f"{run['createdAt'][:19]}  {run['id']}  {run['status']}  {run['agentName']}: {detail}")
        show(f"    {run['title'][:100]}")
    if not found:
        show("Nothing ran yet.")


@runs.command("show")
def show_run(id: RunArgument, as_json: AsJson = False) -> None:
    """The transcript of a run."""
    from bailiwick.cli.office import call

    session = call("GET", f"/sessions/{id}")
    if as_json:
        show_json(session)
        return
    for message in session["messages"]:
        if message["kind"] != "prompt":
            _show_message(message)
    show(_stands(session))


@runs.command("cancel")
def cancel(id: RunArgument) -> None:
    """End a run."""
    from bailiwick.cli.office import call

    show(_stands(call("POST", f"/sessions/{id}/cancel")))


def _follow(id: str) -> None:
    from bailiwick.cli.office import call

    shown = 0
    while True:
        session = call("GET", f"/sessions/{id}")
        for message in session["messages"][shown:]:
            if message["kind"] != "prompt" and message["role"] != "user":
                _show_message(message)
        shown = len(session["messages"])
        if session["status"] not in _LIVE:
            break
        time.sleep(_LOOK_SECONDS)
    for action in session["pendingActions"]:
        show(f"It wants {action['type']}: {action['approval']['reason']}")
        show(f"    bailiwick approval allow {action['id']}   (or deny)")
    show(_stands(session))
    if session["status"] not in ("completed", "waiting"):
        sys.exit(1)


def _show_message(message: dict[str, Any]) -> None:
    for called in message["toolCalls"] or ():
        function = called["function"]
        show(f"  · {function['name']}({function['arguments'][:200]})")
    for called in (message["sent"] or {}).get("toolCalls") or ():
        show(f"    (the model saw: {called['function']['arguments'][:200]})")
    if message["role"] == "tool":
        show(f"    {message['content'][:300]}")
    elif message["content"]:
        show(message["content"])
    if message["sent"] and message["sent"]["content"] is not None:
        show(f"    (the model saw: {message['sent']['content'][:300]})")


def _stands(session: dict[str, Any]) -> str:
    detail = f" {session['errorMessage']}" if session["errorMessage"] else ""
    used = f"{session['steps']} steps, {session['tokensUsed']} tokens, ${session['money']:.4f}"
    return f"[{session['id']} is {session['status']}: {used}.{detail}]"


def _needs_server() -> None:
    from bailiwick.cli.options import settings
    from bailiwick.kit.folder import DataFolder

    if DataFolder(settings().data).server() is None:
        raise Conflict("Agents work in a running office. Start it first: bailiwick serve")


def _agent(given: str) -> dict[str, Any]:
    from bailiwick.cli.office import every

    found = every("/agents")
    named = [each for each in found if given.casefold() in (each["id"], each["name"].casefold())]
    if len(named) == 1:
        return named[0]
    known = ", ".join(each["name"] for each in found) or "none yet"
    raise Invalid(f"There is no agent {given!r}. There are: {known}.")


commands = typer.Typer()
commands.add_typer(
    agents, name="agent", help="Agents: list, ask one to do something, try a director."
)
commands.add_typer(runs, name="run", help="Runs: list, show, cancel.")
