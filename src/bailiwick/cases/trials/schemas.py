"""Wire forms of trials."""

from typing import Annotated

from pydantic import Field, StringConstraints

from bailiwick.agents.prompts.schemas import DraftMessage
from bailiwick.agents.schemas import PromptBlock
from bailiwick.kit import ids
from bailiwick.kit.http.wire import Wire

TriedMailId = Annotated[
    str,
    StringConstraints(pattern=ids.pattern("mail")),
    Field(description="A mail of an account whose mail reaches the director"),
]
_ModelId = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]+$")]
_AS_SAVED = "Left out: as it is saved"


class MailPreviewIn(Wire):
    """A prompt to look at with a real mail in it; nothing is saved."""

    mail_id: TriedMailId
    messages: Annotated[list[DraftMessage], Field(max_length=50)] | None = Field(
        default=None, description=_AS_SAVED
    )
    imprint: Annotated[list[DraftMessage], Field(max_length=50)] | None = Field(
        default=None, description=_AS_SAVED
    )


class TrialIn(Wire):
    """A mail to try a director on, and what is not saved yet of it."""

    mail_id: TriedMailId
    prompt: Annotated[list[PromptBlock], Field(max_length=50)] | None = Field(
        default=None, description=_AS_SAVED
    )
    imprint: Annotated[list[PromptBlock], Field(max_length=50)] | None = Field(
        default=None, description=_AS_SAVED
    )
    model_id: _ModelId | None = Field(default=None, description=_AS_SAVED)
