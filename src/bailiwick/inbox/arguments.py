"""What the tools of the inbox are called with, and what they answer."""

from pydantic import BaseModel, Field

from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.paths import LONGEST_PATH


class CreateSuggestion(ToolArguments):
    """A file in the inbox, and where it belongs."""

    file_path: str = Field(
        min_length=1,
        max_length=LONGEST_PATH,
        description="The file to move, in an inbox.",
        examples=["inbox/W2_2024.pdf"],
    )
    target_folder: str = Field(
        min_length=1,
        max_length=LONGEST_PATH,
        description="The folder that it belongs in.",
        examples=["work/hotstar/compensation/"],
    )
    reasoning: str = Field(
        min_length=1,
        max_length=2_000,
        description="Why this is the right folder, in one or two sentences.",
        examples=["W-2 is a tax form from the employer Hotstar."],
    )
    confidence: float = Field(
        ge=0, le=1, description="How sure you are, from 0 to 1.", examples=[0.92]
    )


class ReadGuideline(ToolArguments):
    """Whose guideline."""

    notebook: Omittable[str] = Field(
        None, max_length=200, description="A notebook; left out: those of all.", examples=["Files"]
    )


class ShownSuggestion(BaseModel):
    """A suggestion that was made."""

    id: str
    file_path: str
    target_folder: str
    confidence: float
    status: str


class ShownGuideline(BaseModel):
    """What people wrote about where things belong."""

    guideline: str
