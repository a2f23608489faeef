"""What goes wrong with models.

Unavailable
└── ModelFailed    no model answered; the text says which, what it said and what to do
    └── RequestTooLong  it does not fit a window: something has to go
"""

from dataclasses import dataclass

from bailiwick.errors import Unavailable


@dataclass
class AttemptFailed(Exception):
    """One try that did not work; `again` says whether another one may."""

    said: str
    again: bool
    status: int | None = None  # of HTTP
    retry_after: float | None = None  # seconds
    advice: str = ""
    too_long: bool = False  # for the model's window
    limit: int | None = None  # of the window, if the model told

    def __str__(self) -> str:
        return self.said


class ModelFailed(Unavailable):
    """A model did not answer, and neither did its fallback if it has one."""

    def __init__(self, detail: str, *, model_id: str = "", status: int | None = None) -> None:
        super().__init__(detail)
        self.model_id = model_id
        self.http_status = status


class RequestTooLong(ModelFailed):
    """A request does not fit the window of the model or of its fallback."""

    def __init__(self, detail: str, *, model_id: str, window: int) -> None:
        super().__init__(detail, model_id=model_id)
        self.window = window
