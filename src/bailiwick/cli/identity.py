"""`user`."""

from typing import Annotated, Any

import typer

from bailiwick.cli.options import show, show_json

app = typer.Typer(no_args_is_help=True)

EmailArgument = Annotated[str, typer.Argument(help="The user's e-mail address.")]


@app.command("list")
def list_users(
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Everyone who has an account."""
    from bailiwick.cli.office import every

    found = every("/users")
    if as_json:
        show_json(found)
        return
    for user in found:
        state = "" if user["active"] else "  (switched off)"
        show(f"{user['id']}  {user['role']:<5}  {user['email']}  {user['name']}{state}")
    if not found:
        show("There is nobody yet: `bailiwick serve` prints the link that makes the owner.")


@app.command("add")
def add_user(
    email: EmailArgument,
    name: Annotated[str, typer.Option(help="The person's name.")],
    role: Annotated[str, typer.Option(help="admin or user")] = "user",
) -> None:
    """Invite a person; prints the link with which they choose a password."""
    from bailiwick.cli.office import call

    made = call("POST", "/users", {"email": email, "name": name, "role": role})
    show(f"{made['user']['email']} can come in with this link, once:\n{made['link']}")


@app.command("role")
def change_role(
    email: EmailArgument, role: Annotated[str, typer.Argument(help="admin or user")]
) -> None:
    """Make someone an admin, or no longer."""
    from bailiwick.cli.office import call

    user = call("PATCH", f"/users/{_find(email)['id']}", {"role": role})
    show(f"{user['email']} is now {user['role']}.")


@app.command("disable")
def disable(email: EmailArgument) -> None:
    """Switch an account off; its sessions and tokens end."""
    _set_active(email, active=False)


@app.command("enable")
def enable(email: EmailArgument) -> None:
    """Switch an account on again."""
    _set_active(email, active=True)


@app.command("link")
def password_link(email: EmailArgument) -> None:
    """A link with which a user who cannot come in chooses a new password."""
    from bailiwick.cli.office import call

    made = call("POST", f"/users/{_find(email)['id']}/password-link")
    show(made["link"])


def _set_active(email: str, *, active: bool) -> None:
    from bailiwick.cli.office import call

    user = call("PATCH", f"/users/{_find(email)['id']}", {"active": active})
    show(f"{user['email']} is switched {'on' if user['active'] else 'off'}.")


def _find(email: str) -> Any:
    from bailiwick.cli.office import every
    from bailiwick.errors import NotFound

    for user in every("/users"):
        if user["email"] == email.strip().lower():
            return user
    raise NotFound(f"Nobody has the address {email}.")


commands = typer.Typer()
commands.add_typer(app, name="user", help="People: list, invite, change roles, new password links.")
