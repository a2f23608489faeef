"""Failures of an account, in the four categories that a person can act on."""

from typing import Literal

ConnectionProblem = Literal["missing_refresh_token", "invalid_grant", "network", "other"]


class ConnectorFailed(Exception):
    """The provider did not do what was asked; the text is for a person and holds no secret."""

    def __init__(
        self,
        problem: ConnectionProblem,
        detail: str,
        *,
        retry_after: float | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.problem: ConnectionProblem = problem
        self.detail = detail
        self.retry_after = retry_after  # seconds, if the provider said
        self.field = field  # the field of the account's form that it is about, if any


class SubmissionFailed(ConnectorFailed):
    """A message was not submitted, or the outcome is unknown."""

    def __init__(
        self,
        problem: ConnectionProblem,
        detail: str,
        *,
        sent: Literal["no", "unknown"],
        permanent: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(problem, detail, retry_after=retry_after)
        self.sent: Literal["no", "unknown"] = sent
        self.permanent = permanent  # trying again would give the same answer


class NotInUse(ConnectorFailed):
    """The account or its connector is switched off or removed; nothing is broken."""

    def __init__(self, detail: str) -> None:
        super().__init__("other", detail)
