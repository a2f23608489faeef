"""Configuration snippets that connect client programs to this office."""

import json
import shlex
from typing import Any

from bailiwick.config import Settings
from bailiwick.mcp.clients.schemas import ConfigurationItem, ConfigurationOut

PLACEHOLDER = "YOUR_TOKEN"
PATH = "/mcp"
_SERVER = "bailiwick"


def of(settings: Settings) -> ConfigurationOut:
    """The snippets for all client programs known to work."""
    url = settings.origin + PATH
    header = {"Authorization": f"Bearer {PLACEHOLDER}"}
    return ConfigurationOut(
        url=url,
        placeholder=PLACEHOLDER,
        items=[
            _claude_code(url, header),
            _json(
                "Claude Code",
                "The file .mcp.json in a project",
                {"type": "http", "url": url, "headers": header},
            ),
            _json(
                "Claude Desktop",
                "The file claude_desktop_config.json (Settings, Developer, Edit Config)",
                _by_command(settings, url),
            ),
            _json(
                "Cursor",
                "The file .cursor/mcp.json in a project, or ~/.cursor/mcp.json for all",
                {"url": url, "headers": header},
            ),
            _hosted(settings, url),
        ],
    )


def _claude_code(url: str, header: dict[str, str]) -> ConfigurationItem:
    [(name, value)] = header.items()
    text = f"claude mcp add --transport http {_SERVER} {shlex.quote(url)} --header "
    return ConfigurationItem(
        program="Claude Code",
        where="A terminal",
        format="command",
        text=text + shlex.quote(f"{name}: {value}"),
    )


def _json(program: str, where: str, server: dict[str, Any]) -> ConfigurationItem:
    text = json.dumps({"mcpServers": {_SERVER: server}}, indent=2)
    return ConfigurationItem(program=program, where=where, format="json", text=text)


def _by_command(settings: Settings, url: str) -> dict[str, Any]:
    """The snippet of a program that starts a command, which finds the office on this machine."""
    where = ["--url", url] if settings.url else []
    return {
        "command": _SERVER,
        "args": ["mcp", *where],
        "env": {"BAILIWICK_MCP_TOKEN": PLACEHOLDER},
    }


def _hosted(settings: Settings, url: str) -> ConfigurationItem:
    if settings.url and settings.url.startswith("https://"):
        text = f"Address: {url}\nHeader: Authorization: Bearer {PLACEHOLDER}"
    else:
        text = (
            "A program that runs elsewhere must reach this office by a public https address. Put "
            "the office behind a proxy with a certificate and set BAILIWICK_URL to that address."
        )
    return ConfigurationItem(
        program="A program on the web",
        where="Its settings for MCP servers or connectors",
        format="text",
        text=text,
    )
