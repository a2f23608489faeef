"""`account`. A secret is asked for, or read from standard input; it is never an argument."""

import sys
from typing import Annotated, Any

import typer

from bailiwick.cli.options import AsJson, show, show_json
from bailiwick.errors import Conflict, Invalid

app = typer.Typer(no_args_is_help=True)

_AT_REST = {
    "sealed": "kept by the office, sealed with the data key",
    "plain": "kept by the office in plain text: there is no data key",
    "yours": "a folder of yours, which stays as it is",
}
Which = Annotated[str, typer.Argument(help="Its id, or its label where only one has it.")]


@app.command("list")
def list_accounts(as_json: AsJson = False) -> None:
    """The accounts that this office is connected to, and how they are."""
    from bailiwick.cli.office import every

    found = every("/accounts")
    if as_json:
        show_json(found)
        return
    for account in found:
        first = "  (primary)" if account["isPrimary"] else ""
        show(f"{account['id']}  {account['label']}  {account['connectorTitle']}{first}")
        for reason in (
            _AT_REST.get(account["atRest"]),
            account["unusedBecause"],
            account["problemDetail"],
        ):
            if reason:
                show(f"    {reason}")
    if not found:
        show("None is connected yet: `bailiwick account connect CONNECTOR` connects one.")


@app.command("connect")
def connect(
    connector: Annotated[str, typer.Argument(help="Such as imap or local.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="A field of its form: host=imap.example.org; repeatable."),
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="The mail address; it often tells the rest.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="Your word for it.")] = None,
    workspace: Annotated[
        str | None, typer.Option(help="The id of the workspace; needed if there are several.")
    ] = None,
) -> None:
    """Connect an account; its password is asked for, or read from standard input."""
    from bailiwick.cli.office import call

    known = call("GET", f"/connectors/{connector}")
    if known["usesOauth"]:
        raise Conflict(f"{known['title']} is connected in the browser: Settings → Accounts.")
    form = known["settingsForm"]
    values = _suggested(connector, address) | _given(form, settings or [])
    if address and "address" in form["properties"]:
        values.setdefault("address", address)
    body = {
        "workspaceId": workspace or _only_workspace(),
        "connector": connector,
        "label": label,
        "settings": values | _secrets(form),
    }
    made = call("POST", "/accounts", body)
    show(f"{made['id']} is connected: {made['label']}.")


@app.command("probe")
def probe(which: Which) -> None:
    """Whether an account works at this moment."""
    from bailiwick.cli.office import call

    answer = call("GET", f"/accounts/{_find(which)['id']}/test")
    if answer["ok"]:
        show(f"It works: {answer['address']}")
        return
    show(f"It does not work ({answer['error']}): {answer['detail']}")
    if answer["authorizeUrl"]:
        show(f"Authorise it again in the browser: {answer['authorizeUrl']}")
    sys.exit(1)


@app.command("primary")
def primary(which: Which) -> None:
    """Let an account be the one that is meant where none is named."""
    from bailiwick.cli.office import call

    account = call("POST", f"/accounts/{_find(which)['id']}/primary")
    show(f"{account['label']} is the primary account.")


@app.command("share")
def share(
    which: Which,
    member: Annotated[
        str | None, typer.Option("--with", help="An address, or everyone; without it: who may now.")
    ] = None,
    right: Annotated[str, typer.Option("--to", help="read, send or nothing")] = "read",
) -> None:
    """Share an account with a member of its workspace, or say with whom it is shared."""
    from bailiwick.cli.office import call, every

    account = _find(which)
    if member is None:
        for found in every(f"/accounts/{account['id']}/shares"):
            show(f"{found['name']} may {found['right']}.")
        return
    target = f"/accounts/{account['id']}/shares/{_member(account['workspaceId'], member)}"
    if right == "nothing":
        call("DELETE", target)
        show(f"{account['label']} is not shared with {member} any more.")
        return
    made = call("PUT", target, {"right": right})
    show(f"{made['name']} may {made['right']} {account['label']}.")


@app.command("disconnect")
def disconnect(
    which: Which,
    remove_files: Annotated[
        bool, typer.Option("--remove-files", help="A mailbox on this machine too.")
    ] = False,
) -> None:
    """Disconnect an account; its secrets and its mail here are deleted."""
    from bailiwick.cli.office import call

    account = _find(which)
    query = "?removeFiles=true" if remove_files else ""
    answer = call("DELETE", f"/accounts/{account['id']}{query}")
    show(f"{account['label']} is disconnected.")
    if answer["revoked"] is False:
        show("The provider could not be told: take the access back on its own page.")


def _member(workspace_id: str, said: str) -> str:
    from bailiwick.cli.office import every

    if said == "everyone":
        return "*"
    for member in every(f"/workspaces/{workspace_id}/members"):
        if said.casefold() in (member["email"].casefold(), member["userId"].casefold()):
            return member["userId"]
    raise Invalid.field("with", f"nobody in the account's workspace has the address {said}")


def _find(which: str) -> dict[str, Any]:
    from bailiwick.cli.office import every

    found = every("/accounts")
    named = [each for each in found if which.casefold() in (each["id"], each["label"].casefold())]
    if len(named) == 1:
        return named[0]
    known = ", ".join(f"{each['label']} ({each['id']})" for each in found) or "none yet"
    raise Invalid(f"Which account is {which!r}? There are: {known}.")


def _only_workspace() -> str:
    from bailiwick.cli.office import every

    found = every("/workspaces")
    if len(found) == 1:
        return found[0]["id"]
    known = ", ".join(f"{each['id']} ({each['name']})" for each in found) or "none yet"
    raise Invalid(f"Name the workspace with --workspace. There are: {known}.")


def _suggested(connector: str, address: str | None) -> dict[str, Any]:

    from bailiwick.cli.office import every

    if address is None:
        return {}
    found = every("/connectors/suggest", address=address)
    return next((each["settings"] for each in found if each["connector"] == connector), {})


def _given(form: dict[str, Any], pairs: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        field = form["properties"].get(name, {})
        if not equals or field.get("writeOnly"):
            raise Invalid(f"--set {name}=…: it is no field that can be given here.")
        values[name] = _typed(field.get("type"), text)
    return values


def _typed(kind: str | None, text: str) -> Any:
    match kind:
        case "integer" if text.lstrip("-").isdigit():
            return int(text)
        case "boolean" if text.lower() in ("true", "false", "yes", "no"):
            return text.lower() in ("true", "yes")
        case _:
            return text


def _secrets(form: dict[str, Any]) -> dict[str, str]:
    """The form's secrets, asked for at a terminal, or read line by line from standard input."""
    asked: dict[str, str] = {}
    for name, field in form["properties"].items():
        if not field.get("writeOnly"):
            continue
        title = field.get("title", name)
        if sys.stdin.isatty():
            needed = name in form.get("required", ())
            asked[name] = typer.prompt(title, hide_input=True, default=None if needed else "")
        else:
            asked[name] = sys.stdin.readline().rstrip("\r\n")
    return asked


commands = typer.Typer()
commands.add_typer(app, name="account", help="Accounts: list, connect, probe, primary, disconnect.")
