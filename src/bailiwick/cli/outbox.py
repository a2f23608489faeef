"""`outbox`: mail on its way out, from a terminal."""

from typing import Annotated, Any

import typer

from bailiwick.cli.options import AsJson, show, show_json

app = typer.Typer(no_args_is_help=True)

OutgoingArgument = Annotated[str, typer.Argument(help="Such as out-4fk29dm1x0aa.")]
_WORDS = {
    "held": "waits",
    "sending": "is being sent",
    "sent": "sent",
    "failed": "failed",
    "cancelled": "taken back",
    "unknown": "nobody knows whether it was sent",
}


@app.command("list")
def list_outgoing(
    status: Annotated[
        str | None, typer.Option(help="held, sending, sent, failed, cancelled or unknown.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What is in the outbox, newest first."""
    from bailiwick.cli.office import every

    found = [row for row in every("/outbox") if status in (None, row["status"])]
    if as_json:
        show_json(found)
        return
    for row in found:
        _show(row)
    if not found:
        show("The outbox is empty.")


@app.command("cancel")
def cancel(id: OutgoingArgument) -> None:
    """Take a mail back before it is sent."""
    from bailiwick.cli.office import call

    _show(call("POST", f"/outbox/{id}/cancel"))


@app.command("send-again")
def send_again(id: OutgoingArgument) -> None:
    """Send a mail now: one that waits, one that failed, or one that was not sent after all."""
    from bailiwick.cli.office import call

    if call("GET", f"/outbox/{id}")["status"] == "unknown":
        _show(call("POST", f"/outbox/{id}/resolve", {"sent": False}))
        return
    _show(call("POST", f"/outbox/{id}/send-now"))


def _show(row: dict[str, Any]) -> None:
    to = ", ".join([*row["to"], *row["cc"], *row["bcc"]])
    show(f"{row['createdAt'][:19]}  {row['id']}  {_WORDS[row['status']]}  to {to}")
    show(f"    {row['subject'][:100]}")
    if row["problem"]:
        show(f"    {row['problem']}")
