"""Tools for files."""

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.hookspecs import hookimpl
from bailiwick.library.move import FileMover
from bailiwick.library.previews import Previews
from bailiwick.library.read import LARGEST_TEXT, FileReader
from bailiwick.library.resolver import PathResolver
from bailiwick.library.write import FileWriter
from bailiwick.tools.facts import Office
from bailiwick.tools.paths import LONGEST_PATH
from bailiwick.tools.tool import Tool

_PATH = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_PATH,
    "description": "The file: notebook/folder/name, for example Files/reports/june.md, or its id.",
}
_TO = {**_PATH, "description": "The new path of the file: notebook/folder/name."}
_IN = {
    "type": "string",
    "maxLength": LONGEST_PATH,
    "default": "",
    "description": "The folder: notebook/folder. Empty: all notebooks.",
}
_CONTENT = {
    "type": "string",
    "maxLength": LARGEST_TEXT,
    "description": "The whole text of the file.",
}
_FILE: dict[str, Any] = {
    "path": {"type": "string"},
    "kind": {"enum": ["file", "folder", "notebook"]},
    "id": {"type": "string"},
    "size": {"type": "integer", "description": "In bytes."},
    "modified": {"type": "string"},
}
_CHANGED = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "id": {"type": "string"},
        "status": {"type": "string"},
    },
    "required": ["path", "status"],
}


@hookimpl
def bailiwick_tools(office: Office) -> Sequence[Tool]:
    """The tools of the library."""
    shelf = PathResolver(office)
    return [*_reading(FileReader(shelf)), *_writing(shelf)]


def _reading(reading: FileReader) -> list[Tool]:
    return [
        Tool(
            name="list_files",
            title="List files",
            description=(
                "List the files and folders in a folder. Without a path, the notebooks: every path "
                "begins with the name of one."
            ),
            parameters=_object(
                {
                    "path": _IN,
                    "recursive": {
                        "type": "boolean",
                        "default": False,
                        "description": "Whether to look into the folders beneath it too.",
                    },
                    "limit": _limit(500, 100),
                }
            ),
            output=_listing({}),
            effect="read",
            run=reading.list_files,
            targets={"path": "folder"},
            paths=("path",),
        ),
        Tool(
            name="read_file",
            title="Read a file",
            description=(
                "Read the text of a file. A long text comes in parts: go on at next_offset."
            ),
            parameters=_object(
                {
                    "path": _PATH,
                    "offset": {
                        "type": "integer",
                        "minimum": 0,
                        "maximum": LARGEST_TEXT,
                        "default": 0,
                        "description": "How many characters to leave out at the beginning.",
                    },
                    "limit": {**_limit(200_000, 50_000), "description": "How many characters."},
                },
                "path",
            ),
            output={
                "type": "object",
                "properties": {
                    **_FILE,
                    "content": {"type": ["string", "null"]},
                    "characters": {"type": "integer"},
                    "next_offset": {"type": ["integer", "null"]},
                    "note": {"type": "string"},
                },
                "required": ["path", "content"],
            },
            effect="read",
            run=reading.read_file,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="search_content",
            title="Search in files",
            description=(
                "Find files whose name or text contains these words exactly as they stand, in "
                "capitals or not."
            ),
            parameters=_object(
                {
                    "query": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 200,
                        "pattern": r"^[^\u0000-\u001f]*$",
                        "description": "The words to find.",
                    },
                    "path": _IN,
                    "limit": _limit(100, 20),
                },
                "query",
            ),
            output=_listing({"lines": {"type": "array", "items": {"type": "string"}}}),
            effect="read",
            run=reading.search_content,
            targets={"path": "folder"},
            paths=("path",),
        ),
        Tool(
            name="get_file_metadata",
            title="Facts about a file",
            description="Get the size, the type and the time of the last change of a file.",
            parameters=_object({"path": _PATH}, "path"),
            output={
                "type": "object",
                "properties": {
                    **_FILE,
                    "type": {"type": ["string", "null"]},
                    "folder": {"type": "string"},
                },
                "required": ["path", "kind", "id", "size", "modified", "type", "folder"],
            },
            effect="read",
            run=reading.get_file_metadata,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
    ]


def _writing(shelf: PathResolver) -> list[Tool]:
    writing, moving, previews = FileWriter(shelf), FileMover(shelf), Previews(shelf)
    return [
        Tool(
            name="create_file",
            title="Create a file",
            description=(
                "Create a new text file, and the folders it needs. Never overwrites: to replace a "
                "file, use write_file."
            ),
            parameters=_object(
                {"path": {**_PATH, "description": _TO["description"]}, "content": _CONTENT},
                "path",
                "content",
            ),
            output=_CHANGED,
            effect="create",
            run=writing.create_file,
            undo=writing.uncreate_file,
            replay="lookup",
            lookup=writing.created_file,
            preview=previews.create_file,
            targets={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="write_file",
            title="Replace a file",
            description="Replace the whole text of a file that exists.",
            parameters=_object({"path": _PATH, "content": _CONTENT}, "path", "content"),
            output=_CHANGED,
            effect="edit",
            run=writing.write_file,
            undo=writing.unwrite_file,
            preview=previews.write_file,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="move_file",
            title="Move a file",
            description="Give a file another name, or move it to another folder or notebook.",
            parameters=_object({"path": _PATH, "to": _TO}, "path", "to"),
            output=_CHANGED,
            effect="move",
            run=moving.move_file,
            undo=moving.unmove_file,
            replay="lookup",
            lookup=moving.moved_file,
            preview=previews.move_file,
            targets={"path": "file", "to": "file"},
            ids={"path": "file"},
            paths=("path", "to"),
        ),
        Tool(
            name="delete_file",
            title="Delete a file",
            description="Delete a file. It can be brought back by undoing this.",
            parameters=_object({"path": _PATH}, "path"),
            output=_CHANGED,
            effect="delete",
            run=writing.delete_file,
            undo=writing.undelete_file,
            replay="lookup",
            lookup=writing.deleted_file,
            preview=previews.delete_file,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
    ]


def _object(properties: Mapping[str, Any], *required: str) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _listing(more: Mapping[str, Any]) -> Mapping[str, Any]:
    item = {"type": "object", "properties": {**_FILE, **more}, "required": ["path", "kind"]}
    return {
        "type": "object",
        "properties": {
            "files": {"type": "array", "items": item},
            "more": {"type": "boolean", "description": "Whether there are more."},
        },
        "required": ["files", "more"],
    }


def _limit(most: int, usual: int) -> dict[str, Any]:
    return {
        "type": "integer",
        "minimum": 1,
        "maximum": most,
        "default": usual,
        "description": "How many at most.",
    }
