"""A program's claims about itself, cut to size and never trusted."""

import re
from typing import Any

from bailiwick.mcp.clients.directory import ClientProgram

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def agent(info: Any, protocol: Any) -> ClientProgram:
    """Its name, version and protocol, as far as it reports them."""
    said = info if isinstance(info, dict) else {}
    return _text(said.get("name"), 200), _text(said.get("version"), 64), _text(protocol, 16)


def _text(value: Any, longest: int) -> str | None:
    return _UNPRINTABLE.sub("", value)[:longest] or None if isinstance(value, str) else None
