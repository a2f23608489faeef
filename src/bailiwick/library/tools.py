"""Tools for files."""

from collections.abc import Sequence

from bailiwick.instance.service import TokenHasher
from bailiwick.library.arguments import (
    ChangedFile,
    CreateFile,
    ListFiles,
    MoveFile,
    OneFile,
    ReadFile,
    RestoreFile,
    SearchContent,
    SeenFile,
    ShownFacts,
    ShownFiles,
    ShownMatches,
    ShownText,
    ShownVersions,
    UpdateProperties,
    WriteFile,
)
from bailiwick.library.history import FileHistory
from bailiwick.library.move import FileMover
from bailiwick.library.previews import Previews
from bailiwick.library.read import FileReader
from bailiwick.library.reading_tool import reads
from bailiwick.library.resolver import PathResolver
from bailiwick.library.rewrite import FileRewriter
from bailiwick.library.upload import FileUploader, ReplaceFile, UploadFile
from bailiwick.library.write import FileWriter
from bailiwick.office import Office
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Tool

_CHANGED = schema_of(ChangedFile)


def tools(office: Office) -> Sequence[Tool]:
    """The tools of the library."""
    paths = PathResolver(office)
    return [
        *_reading(FileReader(paths), FileHistory(paths)),
        *_rewriting(paths),
        *_writing(paths),
        *_uploading(paths, office.hasher),
    ]


def _reading(reading: FileReader, history: FileHistory) -> list[Tool]:
    return [
        reads(
            "list_files",
            "List files",
            "List the files and folders in a folder. Without a path, the notebooks: every path "
            "begins with the name of one.",
            reading.list_files,
            arguments=ListFiles,
            shown=ShownFiles,
            of="folder",
        ),
        reads(
            "read_file",
            "Read a file",
            "Read the text of a file. A long text comes in parts: go on at next_offset.",
            reading.read_file,
            arguments=ReadFile,
            shown=ShownText,
        ),
        reads(
            "search_content",
            "Search in files",
            "Find files whose name or text contains these words exactly as they stand, in "
            "capitals or not.",
            reading.search_content,
            arguments=SearchContent,
            shown=ShownMatches,
            of="folder",
        ),
        reads(
            "get_file_metadata",
            "Facts about a file",
            "Get the size, the type, the properties and the time of the last change of a file.",
            reading.get_file_metadata,
            arguments=OneFile,
            shown=ShownFacts,
        ),
        reads(
            "list_file_versions",
            "Versions of a file",
            "List the earlier versions of a file, also of one that was deleted.",
            history.list_file_versions,
            arguments=OneFile,
            shown=ShownVersions,
        ),
    ]


def _rewriting(paths: PathResolver) -> list[Tool]:
    rewriting, previews = FileRewriter(paths), Previews(paths)
    hinting = FileReader(paths).hinting
    return [
        Tool(
            name="write_file",
            title="Replace a file",
            description="Replace the whole text of a file that exists. The earlier one is kept.",
            arguments=WriteFile,
            output=_CHANGED,
            effect="edit",
            shared=True,
            run=hinting(rewriting.write_file),
            undo=rewriting.unwrite_file,
            preview=hinting(previews.write_file),
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="update_file_properties",
            title="Change properties of a file",
            description=(
                "Set properties at the top of a text file (YAML front matter). All else in it "
                "stays as it is."
            ),
            arguments=UpdateProperties,
            output=_CHANGED,
            effect="edit",
            shared=True,
            run=hinting(rewriting.update_file_properties),
            undo=rewriting.unwrite_file,
            preview=hinting(previews.update_file_properties),
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="restore_file",
            title="Restore a version of a file",
            description="Give a file the content of one of its earlier versions.",
            arguments=RestoreFile,
            output=_CHANGED,
            effect="edit",
            shared=True,
            run=rewriting.restore_file,
            undo=rewriting.unrestore_file,
            preview=previews.restore_file,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
    ]


def _writing(paths: PathResolver) -> list[Tool]:
    writing, moving, previews = FileWriter(paths), FileMover(paths), Previews(paths)
    hinting = FileReader(paths).hinting
    return [
        Tool(
            name="create_file",
            title="Create a file",
            description=(
                "Create a new text file, and the folders it needs. Never overwrites: to replace a "
                "file, use write_file."
            ),
            arguments=CreateFile,
            output=_CHANGED,
            effect="create",
            shared=True,
            run=writing.create_file,
            undo=writing.uncreate_file,
            undone_as="delete_file",
            replay="lookup",
            lookup=writing.created_file,
            preview=previews.create_file,
            targets={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="move_file",
            title="Move a file",
            description="Give a file another name, or move it to another folder or notebook.",
            arguments=MoveFile,
            output=_CHANGED,
            effect="move",
            shared=True,
            run=hinting(moving.move_file),
            undo=moving.unmove_file,
            replay="lookup",
            lookup=moving.moved_file,
            preview=hinting(previews.move_file),
            targets={"path": "file", "to": "file"},
            ids={"path": "file"},
            paths=("path", "to"),
        ),
        Tool(
            name="delete_file",
            title="Delete a file",
            description="Delete a file. It can be brought back by undoing this.",
            arguments=SeenFile,
            output=_CHANGED,
            effect="delete",
            shared=True,
            run=hinting(writing.delete_file),
            undo=writing.undelete_file,
            replay="lookup",
            lookup=writing.deleted_file,
            preview=hinting(previews.delete_file),
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
    ]


def _uploading(paths: PathResolver, hasher: TokenHasher) -> list[Tool]:
    """What people do in the page or by REST; an agent has it only if its scope names it."""
    uploading, rewriting = FileUploader(paths, hasher), FileRewriter(paths)
    writing = FileWriter(paths)
    return [
        Tool(
            name="upload_file",
            title="Upload a file",
            description="Put an upload where there is no file yet. Never overwrites.",
            arguments=UploadFile,
            output=_CHANGED,
            effect="create",
            shared=True,
            run=uploading.upload_file,
            undo=writing.uncreate_file,
            undone_as="delete_file",
            replay="lookup",
            lookup=uploading.uploaded_file,
            preview=uploading.preview,
            targets={"path": "file"},
            paths=("path",),
            offered_to=(),
        ),
        Tool(
            name="replace_file",
            title="Replace a file by an upload",
            description="Put an upload in the place of a file. The earlier content is kept.",
            arguments=ReplaceFile,
            output=_CHANGED,
            effect="edit",
            shared=True,
            run=uploading.replace_file,
            undo=rewriting.unwrite_file,
            preview=uploading.preview,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
            offered_to=(),
        ),
    ]
