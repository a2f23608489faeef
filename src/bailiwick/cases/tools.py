"""The tools for the items of a case."""

from collections.abc import Sequence

from bailiwick.cases.arguments import (
    AddItem,
    ItemAnswer,
    ItemRemoved,
    ListItems,
    OneItem,
    RemoveItem,
    ShownItems,
    UpdateItem,
)
from bailiwick.cases.items import CaseItems
from bailiwick.office import Office
from bailiwick.tools.effects import Effect
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Arguments, Tool

_ITEM = schema_of(ItemAnswer)


def tools(office: Office) -> Sequence[Tool]:
    """The tools of cases."""
    items = CaseItems(office)
    return [
        Tool(
            name="workspace_add_item",
            title="Add an item",
            description=(
                "Put a result among the items of the case: a summary, a draft, facts, a picture. "
                "The items are what a person gets; what is only said is not kept as a result."
            ),
            arguments=AddItem,
            output=_ITEM,
            effect="create",
            contained=True,
            run=items.add,
            undo=items.unadd,
            undone_as="workspace_remove_item",
            preview=items.preview_add,
            ids={"supersedes": "item"},
        ),
        Tool(
            name="workspace_list_items",
            title="List items",
            description="List the items of the case, oldest first; long ones without their data.",
            arguments=ListItems,
            output=schema_of(ShownItems),
            effect="read",
            run=items.list,
        ),
        Tool(
            name="workspace_get_item",
            title="Get an item",
            description="Get one item of the case with all its data.",
            arguments=OneItem,
            output=_ITEM,
            effect="read",
            run=items.get,
            ids={"id": "item"},
        ),
        Tool(
            name="workspace_update_item",
            title="Change an item",
            description=(
                "Change an item of the case. What the patch leaves out stays, and the earlier "
                "version is kept."
            ),
            arguments=UpdateItem,
            output=_ITEM,
            effect="edit",
            contained=True,
            run=items.update,
            undo=items.restore,
            replay="lookup",
            lookup=items.updated,
            preview=items.preview_update,
            targets={"id": "item"},
            ids={"id": "item"},
        ),
        Tool(
            name="workspace_remove_item",
            title="Remove an item",
            description="Remove an item of the case. It can be brought back, unless hardDelete.",
            arguments=RemoveItem,
            output=schema_of(ItemRemoved),
            effect="edit",
            effect_with=_removal,
            contained=True,
            run=items.remove,
            undo=items.bring_back,
            replay="lookup",
            lookup=items.removed,
            preview=items.preview_remove,
            targets={"id": "item"},
            ids={"id": "item"},
        ),
    ]


def _removal(arguments: Arguments) -> Effect:
    return "delete" if arguments.get("hardDelete") is True else "edit"
