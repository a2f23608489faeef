"""The tools for the artifacts of a thread."""

from collections.abc import Sequence

from bailiwick.chat.artifacts.arguments import (
    ArtifactAnswer,
    ArtifactGone,
    CreateArtifact,
    ListArtifacts,
    OneArtifact,
    ShownArtifacts,
    UpdateArtifact,
)
from bailiwick.chat.artifacts.desk import ArtifactDesk
from bailiwick.office import Office
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Tool

_ONE = schema_of(ArtifactAnswer)


def tools(office: Office) -> Sequence[Tool]:
    """The artifact tools."""
    desk = ArtifactDesk(office)
    return [
        Tool(
            name="create_artifact",
            title="Make an artifact",
            description=(
                "Make a report, an insight, a table or a chart that stays beside the conversation: "
                "what is long, or will be used again."
            ),
            arguments=CreateArtifact,
            output=_ONE,
            effect="create",
            contained=True,
            run=desk.create,
            undo=desk.uncreate,
            undone_as="remove_artifact",
            preview=desk.preview_create,
            ids={"dependsOn": "item"},
        ),
        Tool(
            name="list_artifacts",
            title="List artifacts",
            description="List the artifacts of the conversation; long ones without their content.",
            arguments=ListArtifacts,
            output=schema_of(ShownArtifacts),
            effect="read",
            run=desk.list,
        ),
        Tool(
            name="get_artifact",
            title="Get an artifact",
            description="Get one artifact of the conversation with all its content.",
            arguments=OneArtifact,
            output=_ONE,
            effect="read",
            run=desk.get,
            ids={"id": "item"},
        ),
        Tool(
            name="update_artifact",
            title="Change an artifact",
            description=(
                "Change an artifact of the conversation. What the patch leaves out stays, and the "
                "earlier version is kept."
            ),
            arguments=UpdateArtifact,
            output=_ONE,
            effect="edit",
            contained=True,
            run=desk.update,
            undo=desk.restore,
            replay="lookup",
            lookup=desk.updated,
            preview=desk.preview_update,
            targets={"id": "item"},
            ids={"id": "item"},
        ),
        Tool(
            name="remove_artifact",
            title="Remove an artifact",
            description="Remove an artifact of the conversation. It can be brought back.",
            arguments=OneArtifact,
            output=schema_of(ArtifactGone),
            effect="edit",
            contained=True,
            run=desk.remove,
            undo=desk.bring_back,
            replay="lookup",
            lookup=desk.removed,
            preview=desk.preview_remove,
            targets={"id": "item"},
            ids={"id": "item"},
        ),
    ]
