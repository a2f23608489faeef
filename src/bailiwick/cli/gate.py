"""`halt`, `approval`, `activity`, `undo`, `tool`: the gate from a terminal."""

import json
from typing import Annotated, Any

import typer

from bailiwick.cli import audit
from bailiwick.cli.options import AsJson, show, show_json
from bailiwick.errors import Invalid

commands = typer.Typer()
approvals = typer.Typer(no_args_is_help=True)
tools = typer.Typer(no_args_is_help=True)

ApprovalArgument = Annotated[str, typer.Argument(help="Such as apv-4fk29dm1x0aa.")]
WorkspaceOption = Annotated[
    str | None, typer.Option(help="The id of a workspace; left out where there is only one.")
]


@commands.command()
def halt(
    reason: Annotated[str, typer.Argument(help="Why, for those who find it stopped.")] = "",
    release: Annotated[bool, typer.Option("--release", help="Let calls through again.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only say who stopped it.")] = False,
) -> None:
    """Stop every agent and refuse every tool call, until `halt --release`."""
    from bailiwick.cli.office import call

    if status:
        now = call("GET", "/halt")
        if not now["stopped"]:
            show("Nothing is stopped.")
            return
        why = f": {now['reason']}" if now["reason"] else "."
        show(f"Everything is stopped since {now['at'][:19]} (by {now['by']}){why}")
        return
    if release:
        call("DELETE", "/halt")
        show("Calls pass again.")
        return
    stopped = call("POST", "/halt", {"reason": reason})
    show(f"Everything is stopped since {stopped['at'][:19]} (by {stopped['by']}).")
    show("`bailiwick halt --release` lets calls through again.")


@commands.command()
def activity(as_json: AsJson = False) -> None:
    """What agents and people changed, newest first."""
    from bailiwick.cli.office import every

    found = every("/actions")
    if as_json:
        show_json(found)
        return
    for action in found:
        state = "undone" if action["undoneBy"] else action["status"]
        who = action["caller"]["name"]
        detail = action["error"] or action["summary"] or ""
        show(
            f"{action['createdAt'][:19]}  {action['id']}  {who}: {action['tool']} {state}  {detail}"
        )
    if not found:
        show("Nothing was changed yet.")


@commands.command()
def undo(id: Annotated[str, typer.Argument(help="Such as act-4fk29dm1x0aa.")]) -> None:
    """Take an action back; if something changed since, that is said and nothing is lost."""
    from bailiwick.cli.office import call

    undone = call("POST", f"/actions/{id}/undo")
    show(f"Taken back: {undone['tool']} of {undone['caller']['name']}.")


@approvals.command("list")
def list_approvals(
    everything: Annotated[bool, typer.Option("--all", help="Answered ones too.")] = False,
    as_json: AsJson = False,
) -> None:
    """The calls that wait for a person."""
    from bailiwick.cli.office import every

    found = [row for row in every("/approvals") if everything or row["status"] == "pending"]
    if as_json:
        show_json(found)
        return
    for row in found:
        arguments = json.dumps(row["arguments"], ensure_ascii=False)[:200]
        show(f"{row['id']}  {row['status']}  {row['caller']['name']} wants {row['tool']}")
        show(f"    {arguments}\n    {row['reason']}")
    if not found:
        show("Nothing waits for you.")


@approvals.command("allow")
def allow(
    id: ApprovalArgument,
    arguments: Annotated[
        str | None, typer.Option(help="Other arguments, as JSON; all of them.")
    ] = None,
) -> None:
    """Let a call through, once."""
    from bailiwick.cli.office import call

    body = {"arguments": _parsed(arguments)} if arguments else {}
    row = call("POST", f"/approvals/{id}/allow", body)
    show(f"Allowed: {row['tool']}. It runs as soon as a server does.")


@approvals.command("deny")
def deny(
    id: ApprovalArgument,
    note: Annotated[str | None, typer.Option(help="What the caller is told.")] = None,
) -> None:
    """Refuse a call for good."""
    from bailiwick.cli.office import call

    row = call("POST", f"/approvals/{id}/deny", {"note": note})
    show(f"Denied: {row['tool']}.")


@tools.command("list")
def list_tools(workspace: WorkspaceOption = None, as_json: AsJson = False) -> None:
    """What can be done here."""
    from bailiwick.cli.office import every

    found = every(f"/workspaces/{chosen_workspace(workspace)}/tools")
    if as_json:
        show_json(found)
        return
    for tool in found:
        show(f"{tool['name']}  ({tool['effect']})  {tool['title']}")


@tools.command("call")
def call_tool(
    name: Annotated[str, typer.Argument(help="The tool.")],
    arguments: Annotated[str, typer.Argument(help="Its arguments, as JSON.")] = "{}",
    workspace: WorkspaceOption = None,
) -> None:
    """Use a tool under your own name; through the gate, like everyone."""
    from bailiwick.cli.office import call

    body = {"arguments": _parsed(arguments)}
    show_json(call("POST", f"/workspaces/{chosen_workspace(workspace)}/tools/{name}", body))


def chosen_workspace(given: str | None) -> str:
    """The workspace that is named, or the only one."""
    from bailiwick.cli.office import every

    if given:
        return given
    found = every("/workspaces")
    if len(found) != 1:
        known = ", ".join(f"{space['id']} ({space['name']})" for space in found) or "none yet"
        raise Invalid(f"Say which workspace: --workspace ID. There are: {known}.")
    return found[0]["id"]


def _parsed(text: str) -> Any:
    from bailiwick.kit import json_depth

    if field := json_depth.deep_field(text.encode(), whole="arguments"):
        raise Invalid.field(field, json_depth.message())
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise Invalid(f"The arguments are no JSON: {error}.") from None
    if not isinstance(parsed, dict):
        raise Invalid('The arguments must be a JSON object, such as {"path": "Files"}.')
    return parsed


commands.add_typer(approvals, name="approval", help="Approvals: list, allow, deny.")
commands.add_typer(tools, name="tool", help="Tools: list, and call under your own name.")
commands.add_typer(audit.app, name="audit", help="The audit: verify, export.")
