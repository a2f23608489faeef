"""Wire forms of the panic stop."""

from datetime import datetime

from bailiwick.kit.http.wire import Line, Wire


class HaltIn(Wire):
    """Stop everything."""

    reason: Line = ""


class HaltOut(Wire):
    """Whether everything is stopped."""

    stopped: bool
    at: datetime | None = None
    by: str | None = None
    reason: str | None = None
