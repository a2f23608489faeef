"""`settings`."""

from typing import Annotated, Any

import typer

from bailiwick.cli.options import show, show_json

app = typer.Typer(no_args_is_help=True)


@app.command("list")
def list_settings(
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """All settings, with what they mean."""
    from bailiwick.cli.office import every

    found = every("/settings")
    if as_json:
        show_json(found)
        return
    for item in found:
        show(f"{item['name']} = {item['value']!r}\n    {item['description']}")


@app.command("set")
def set_setting(
    name: str, value: Annotated[str, typer.Argument(help="Text, a number, true, or JSON.")]
) -> None:
    """Change one setting, at once."""
    _patch(name, _parsed(value))


@app.command("reset")
def reset_setting(name: str) -> None:
    """Return one setting to its default."""
    _patch(name, None)


def _patch(name: str, value: Any) -> None:
    from bailiwick.cli.office import call

    for item in call("PATCH", "/settings", {name: value})["items"]:
        if item["name"] == name:
            show(f"{name} = {item['value']!r}")


def _parsed(value: str) -> Any:
    import json

    from bailiwick.errors import Invalid
    from bailiwick.kit import json_depth

    if json_depth.is_too_deep(value.encode()):
        raise Invalid(f"The value {json_depth.message()}.")
    try:
        return json.loads(value)
    except ValueError:
        return value
