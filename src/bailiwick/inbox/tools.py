"""Tools of the inbox."""

from collections.abc import Sequence

from bailiwick.inbox.arguments import (
    CreateSuggestion,
    ReadGuideline,
    ShownGuideline,
    ShownSuggestion,
)
from bailiwick.inbox.filing import Filing
from bailiwick.office import Office
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Tool


def tools(office: Office) -> Sequence[Tool]:
    """The tools that only suggest: a person moves the file, or does not."""
    filing = Filing(office)
    return [
        Tool(
            name="create_suggestion",
            title="Suggest a folder",
            description=(
                "Suggest moving a file from an inbox to a folder. A person says yes or no to it; "
                "one suggestion for each file."
            ),
            arguments=CreateSuggestion,
            output=schema_of(ShownSuggestion),
            effect="create",
            shared=True,
            contained=True,
            run=filing.create_suggestion,
            undo=filing.withdraw,
            replay="lookup",
            lookup=filing.suggested,
            preview=filing.preview,
        ),
        Tool(
            name="read_guideline",
            title="Read the guideline",
            description="Read what the owner wrote about which papers belong in which folders.",
            arguments=ReadGuideline,
            output=schema_of(ShownGuideline),
            effect="read",
            run=filing.read_guideline,
        ),
    ]
