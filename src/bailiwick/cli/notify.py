"""`webhook`."""

from typing import Annotated, Any

import typer

from bailiwick.cli.options import AsJson, show, show_json

app = typer.Typer(no_args_is_help=True)

WebhookArgument = Annotated[str, typer.Argument(help="The webhook's id, such as whk-4fk29dm1x0aa.")]


@app.command("list")
def list_webhooks(as_json: AsJson = False) -> None:
    """All webhooks, and how the last delivery of each went."""
    from bailiwick.cli.office import every

    found = every("/webhooks")
    if as_json:
        show_json(found)
        return
    for webhook in found:
        last = webhook["lastDelivery"]
        state = last["status"] if last else "nothing sent yet"
        show(f"{webhook['id']}  {webhook['name']}  {webhook['url']}  {_state(webhook, state)}")
    if not found:
        show("There is no webhook yet: `bailiwick webhook add NAME URL` makes one.")


@app.command("add")
def add_webhook(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    url: Annotated[str, typer.Argument(help="Where events are sent.")],
    types: Annotated[
        list[str] | None,
        typer.Option("--type", help="An event, or all of a kind: workspace.*; may be repeated."),
    ] = None,
    workspace: Annotated[
        str | None, typer.Option(help="The id of a workspace; only its events are sent.")
    ] = None,
    format: Annotated[str, typer.Option(help="bailiwick or cloudevents")] = "bailiwick",
    as_json: AsJson = False,
) -> None:
    """Send events to an address; prints the secret that signs them, once."""
    from bailiwick.cli.office import call

    body = {
        "name": name,
        "url": url,
        "types": types or ["*"],
        "workspaceId": workspace,
        "format": format,
    }
    made = call("POST", "/webhooks", body)
    if as_json:
        show_json(made)
        return
    show(f"{made['id']} sends to {made['url']}. Its secret, shown once:\n{made['secret']}")


@app.command("remove")
def remove_webhook(id: WebhookArgument) -> None:
    """Remove a webhook; what is being sent to it stops."""
    from bailiwick.cli.office import call

    call("DELETE", f"/webhooks/{id}")
    show(f"Removed {id}.")


@app.command("test")
def test_webhook(id: WebhookArgument) -> None:
    """Send a test event to one webhook."""
    from bailiwick.cli.office import call

    sent = call("POST", f"/webhooks/{id}/test")
    show(f"{sent['id']} is on its way (as soon as a server runs): `bailiwick webhook deliveries`.")


@app.command("deliveries")
def list_deliveries(id: WebhookArgument, as_json: AsJson = False) -> None:
    """What was sent to a webhook, newest first."""
    from bailiwick.cli.office import every

    found = every(f"/webhooks/{id}/deliveries")
    if as_json:
        show_json(found)
        return
    for sent in found:
        error = f"  {sent['lastError']}" if sent["lastError"] else ""
        times = f"{sent['attempts']} attempt(s)"
        when = f"{sent['createdAt'][:19]}  {sent['id']}"
        show(f"{when}  {sent['eventType']}  {sent['status']}, {times}{error}")
    if not found:
        show("Nothing was sent yet.")


def _state(webhook: Any, last: str) -> str:
    if webhook["active"]:
        return f"({last})"
    reason = webhook["disabledReason"]
    return f"(switched off: {reason})" if reason else "(switched off)"


commands = typer.Typer()
commands.add_typer(
    app, name="webhook", help="Webhooks: list, add, remove, test, see what was sent."
)
